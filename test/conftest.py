"""What holds for every test.

The environment's programs are found without activating it; hypothesis repeats itself; what needs an optional extra is
skipped without it; a run of everything leaves a note of what passed, for `--not-passed`; with `--changed` what passed
before is left out where nothing that it depends on has changed.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
# Each start of a program would compile all of its modules again: half of what a short one takes.
os.environ["PYTHONDONTWRITEBYTECODE"] = ""
# NumPy starts threads at each start, for products that nobody here computes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Lines about long work depend on the clock.
os.environ["STILLPOOL_PROGRESS"] = "off"
# Helpers beside this file, such as `compilers`.
sys.path.insert(0, str(Path(__file__).parent))
import slow
import sweeps
from cpu_seconds import WRITTEN, Meter
from extras import missing_modules
from known import Known, pytest_runtest_makereport, watch
from programs import install, stop
from programs.kept import store_of_run
from programs.plans import share
from quick import is_quick

__all__ = ["pytest_runtest_makereport"]
# Equal cases on every run and machine: a failure seen once is seen again. No deadline: machines differ.
settings.register_profile("stillpool", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("stillpool")


# Programs that were run already are not run again, and problems of the planner that were solved are not solved again;
# where nothing of before counts, those of this run alone.
STORE, IS_MADE = store_of_run(os.environ)
install(STORE)
share(STORE)


WHOLE = "PYTEST_STILLPOOL_WHOLE"
"""The variable that says whether the whole suite runs."""
MOST, QUICK = 2, 4
"""Cases of each function in the usual sweep, and among the quick tests; `make sweep-long` and `make test` have all."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this repository."""
    parser.addoption(
        "--not-passed",
        action="store_true",
        help="leave out the tests that passed in the last run of everything",
    )
    parser.addoption(
        "--changed",
        action="store_true",
        help="leave out the tests that passed before if nothing that they depend on has changed",
    )
    parser.addoption(
        "--cpu-seconds",
        metavar="FILE",
        help="write what each test takes of the processor, and list the functions that take most",
    )
    parser.addoption("--quick", action="store_true", help="only the tests that run no program and compile no model")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is not quick where that is asked for."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if config.getoption("quick") and is_test and not is_quick(collection_path) else None


def pytest_configure(config: pytest.Config) -> None:
    """Keep the note, where the whole suite runs in one process or here is the process that collects the reports."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        # A `make` that a test starts is no part of the one that started the tests.
        os.environ.pop(name, None)
    if not hasattr(config, "workerinput"):
        # Workers are given what this process finds as arguments, and its environment.
        whole = config.args_source is config.ArgsSource.TESTPATHS and not config.getoption("keyword")
        os.environ[WHOLE] = "whole" if whole else ""
    if config.getoption("changed"):
        watch()
        config.pluginmanager.register(Known.of(config), "known")
    if "--cpu-seconds" in config.invocation_params.args:
        # Workers would look there for this file, and know none of its options.
        raise pytest.UsageError("--cpu-seconds=FILE is one word: pytest takes a second one for a place of tests")
    if file := config.getoption("cpu_seconds"):
        config.pluginmanager.register(Meter(Path(file).absolute(), is_first=not hasattr(config, "workerinput")))
    everyday = config.getoption("markexpr") == "not sweep and not packaging"
    if os.environ[WHOLE] and everyday and not config.getoption("not_passed") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Note(config))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep no more answers of programs than fit, and end the process that starts Python's."""
    stop()
    if not hasattr(session.config, "workerinput"):
        STORE.prune()


def pytest_unconfigure() -> None:
    """Forget what a run has found out that is to leave nothing behind: its workers have ended by now."""
    if IS_MADE:
        shutil.rmtree(STORE.folder, ignore_errors=True)


def spread(items: list[pytest.Item], *, quick: bool) -> set[pytest.Item]:
    """All items, but of each function in the sweep, or of each one, some cases from the first to the last."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = set[pytest.Item]()
    for cases in functions.values():
        most = QUICK if quick else MOST if cases[0].get_closest_marker("sweep") else len(cases)
        chosen.update(cases[:: -(-len(cases) // most)])
    return chosen


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
    """Put slow tests into the sweep; leave out what passed before, and all but some cases of tests that have many."""
    if os.environ[WHOLE] and not sweeps.LONG:
        chosen = spread(items, quick=bool(config.getoption("quick")))
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
    for item in items:
        item.stash[WRITTEN] = item.get_closest_marker("sweep") is not None
    slow.mark(items, slow.listed(slow.LIST.read_text(encoding="utf-8")))
    if isinstance(known := config.pluginmanager.get_plugin("known"), Known):
        known.choose(config, items)
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


@pytest.fixture
def compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled before in this process is not compiled again."""
    from compiled_once import use

    use(monkeypatch)


def pytest_collection_finish() -> None:
    """Modules of IR are many objects that live until the test ends: collect garbage less often than usual."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 20)
