"""pytest's side of `verdicts`: a run with `--changed` leaves out what passed before, and keeps what passes.

The process that collects the reports reads what verdicts depend on, before there are workers, and tells these.
"""

# pyright: reportAttributeAccessIssue=false, reportPrivateUsage=false
# xdist adds attributes to configurations.

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from typing import Any

import pytest
from verdicts import ROOT, Grounds, Verdicts, name_of

VERDICTS = Verdicts(ROOT / "build" / "verdicts")
_READ = set[str]()
"""Modules of the program that were read as texts since a test began."""


class Known:
    """What passed before, and what passes now.

    Args:
        grounds: those of each file of tests, by its path in the repository.
        names: of verdicts that are known.
        still_hold: whether the grounds are what they were.
    """

    def __init__(self, grounds: dict[str, bytes], names: list[str], still_hold: Callable[[], bool] = lambda: False):
        self.grounds = grounds
        self.names = names
        self.still_hold = still_hold
        self.left_out = 0
        self._known = frozenset(names)
        self._passed = set[str]()
        self._others = set[str]()

    @classmethod
    def of(cls, config: pytest.Config) -> Known:
        """What this process was told, or finds."""
        if hasattr(config, "workerinput"):
            return cls(*config.workerinput["known"])
        grounds = Grounds(ROOT)
        files = {path.relative_to(ROOT).as_posix(): grounds.of(path) for path in (ROOT / "test").rglob("test_*.py")}
        return cls(files, VERDICTS.names(), grounds.still_hold)

    def choose(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the tests that are known."""
        known = [item for item in items if self._name(item.nodeid) in self._known]
        config.hook.pytest_deselected(items=known)
        items[:] = [item for item in items if item not in set(known)]
        self.left_out = len(known)
        _READ.clear()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker."""
        node.workerinput["known"] = self.grounds, self.names

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """All workers leave out the same."""
        self.left_out = getattr(node, "workeroutput", {}).get("left_out", self.left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test passes where its call passed, nothing around it did otherwise, and it read no text of the program."""
        if report.outcome != "passed" or ("reads", True) in report.user_properties:
            self._others.add(report.nodeid)
        elif report.when == "call":
            self._passed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep what passed, unless somebody changed files meanwhile."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self.left_out
            return
        if self.still_hold():
            for test in self._passed - self._others:
                VERDICTS.keep(test, self.grounds[test.partition("::")[0]])
            VERDICTS.prune()
        if self.left_out and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was left out."""
        if self.left_out:
            terminalreporter.write_line(
                f"{self.left_out:,} tests passed before, and nothing that they depend on has changed: not run again"
            )

    def _name(self, test: str) -> str:
        return name_of(test, self.grounds.get(test.partition("::")[0], b""))


def watch() -> None:
    """Notice from now on which modules of the program are read, but to import them."""
    own, tests = (os.path.join(str(folder), "") for folder in (ROOT, ROOT / "test"))

    def see(event: str, values: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(values[0], str | os.PathLike):
            return
        path = os.path.realpath(values[0])
        if path.endswith(".py") and path.startswith(own) and not path.startswith(tests):
            if not sys._getframe(1).f_code.co_filename.startswith("<frozen importlib"):
                _READ.add(path)

    sys.addaudithook(see)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note of a test that it read the program's text."""
    report = yield
    if _READ:
        report.user_properties.append(("reads", True))
    if report.when == "teardown":
        _READ.clear()
    return report
