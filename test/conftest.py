"""What holds for every test.

The environment's programs are found without activating it; hypothesis repeats itself; what needs an optional extra is
skipped without it; and a run of everything leaves a note of what passed, for `--not-passed`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
# Each start of a program would compile all of its modules again: half of what a short one takes.
os.environ["PYTHONDONTWRITEBYTECODE"] = ""
# Lines about long work depend on the clock.
os.environ["STILLPOOL_PROGRESS"] = "off"
# Helpers beside this file, such as `compilers`.
sys.path.insert(0, str(Path(__file__).parent))
from extras import missing_modules
from programs import install, stop
from programs.kept import Store

# Equal cases on every run and machine: a failure seen once is seen again. No deadline: machines differ.
settings.register_profile("stillpool", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("stillpool")


# Programs that were run already are not run again, unless somebody asks for it.
STORE = None if os.environ.get("STILLPOOL_FRESH") else Store(Path(__file__).parents[1] / "build" / "kept")
install(STORE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--not-passed`."""
    parser.addoption(
        "--not-passed",
        action="store_true",
        help="leave out the tests that passed in the last run of everything",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep the note, where the whole suite runs in one process or here is the process that collects the reports."""
    whole = config.args_source is config.ArgsSource.TESTPATHS and not config.getoption("keyword")
    everyday = config.getoption("markexpr") == "not sweep and not packaging"
    if whole and everyday and not config.getoption("not_passed") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Note(config))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep no more answers of programs than fit, and end the process that starts Python's."""
    stop()
    if STORE is not None and not hasattr(session.config, "workerinput"):
        STORE.prune()


class Note:
    """Writes to pytest's cache which tests passed."""

    KEY = "stillpool/passed"

    def __init__(self, config: pytest.Config):
        self.cache = config.cache
        self.passed: set[str] = set()
        self.others: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test passes where its call passed, and nothing around it did otherwise."""
        if report.outcome != "passed":
            self.others.add(report.nodeid)
        elif report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the note."""
        assert self.cache is not None, "pytest has its cache unless it is told otherwise"
        self.cache.set(self.KEY, sorted(self.passed - self.others))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `--not-passed` leaves out."""
    if not config.getoption("not_passed"):
        return
    assert config.cache is not None, "pytest has its cache unless it is told otherwise"
    passed = set[str](config.cache.get(Note.KEY, []))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
    items[:] = [item for item in items if item.nodeid not in passed]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs an extra that is not installed."""
    for marker in item.iter_markers("extra"):
        for extra in marker.args:
            if missing := missing_modules(extra):
                pytest.skip(f"needs the extra '{extra}': {', '.join(missing)} not installed")
