"""A test is left out where it passed and nothing has changed that its verdict depends on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import verdicts
from verdicts import Grounds, Verdicts, grounds_of_ir

FILES = {
    "__init__.py": "",
    "room/__init__.py": "",
    "room/code.py": '"""Words."""\n\ndef f():\n    """Words."""\n    return 1  # words\n',
    "cli/__init__.py": "",
    "cli/verb.py": 'def verb():\n    """Words."""\n',
    "room/data.json": "{}",
    "test/helper.py": "HELP = 1\n",
    "test/room/one.mlir": "// RUN: a\n",
    "test/room/two.mlir": "// RUN: b\n",
    "test/room/named.mlir": "// RUN: b %S/two.mlir\n",
    "test/room/test_plain.py": "import helper\n",
    "test/room/test_other.py": "import helper\n",
    "test/room/test_more.py": "from test_other import it\n",
    "test/room/test_reads.py": "import inspect\n",
    "test/room/test_asks.py": "import reader\n",
    "test/room/reader.py": "TEXTS = [path for path in folder.rglob('*.py')]\n",
    "tools/emulator": "version 1",
}
TESTS = ("plain", "other", "more", "reads", "asks")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "shared").mkdir()
    return root


def grounds(root: Path, **env: str) -> dict[str, bytes]:
    """Those of all tests."""
    found = Grounds(root, {"PATH": str(root / "tools"), **env})
    tests = {name: found.of(root / f"test/room/test_{name}.py") for name in TESTS}
    ir = {name: grounds_of_ir(found.program, root / f"test/room/{name}.mlir") for name in ("one", "two", "named")}
    return {**tests, **ir}


EVERYTHING = {*TESTS, "one", "two", "named"}
READERS = {"reads", "asks"}


@pytest.mark.parametrize(
    ("name", "before", "after", "changed"),
    [
        ("room/code.py", "return 1", "return 2", EVERYTHING),
        ("room/code.py", '"""Words."""\n    return', '"""Others.\n\n    And more."""\n    return', READERS),
        ("room/code.py", '"""Words."""\n\ndef', '"""Others."""\n\ndef', READERS),
        ("room/code.py", "# words", "# others", READERS),
        ("cli/verb.py", "Words", "Others", EVERYTHING),
        ("room/data.json", "{}", "[]", EVERYTHING),
        ("test/helper.py", "1", "2", EVERYTHING),
        ("test/room/one.mlir", "RUN: a", "RUN: c", {*TESTS, "one", "named"}),
        ("test/room/test_plain.py", "helper", "helper, os", {"plain", "named", *READERS}),
        ("test/room/test_other.py", "helper", "helper, os", {"other", "more", "named", *READERS}),
        ("tools/emulator", "version 1", "version 10", EVERYTHING),
    ],
)
def test_a_change_counts_for_what_depends_on_it(
    name: str, before: str, after: str, changed: set[str], repository: Path
) -> None:
    known = grounds(repository)
    path = repository / name
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    now = grounds(repository)
    assert {test for test in known if known[test] != now[test]} == changed


def test_what_is_around_counts(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, models beside the repository, packages; but not what every shell sets."""
    known = grounds(repository)
    assert grounds(repository, COLUMNS="80") == known
    assert not set(grounds(repository, CC="clang").values()) & set(known.values())
    (repository.parent / "shared" / "model.tflite").write_text("")
    more = grounds(repository)
    assert not set(more.values()) & set(known.values())
    monkeypatch.setattr(verdicts, "packages", lambda: "others")
    assert not set(grounds(repository).values()) & set(more.values())


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    kept = Verdicts(tmp_path / "kept", most=1)
    for number, test in enumerate("ab"):
        kept.keep(test, b"")
        os.utime(tmp_path / "kept" / verdicts.name_of(test, b""), (number, number))
    kept.prune()
    assert [kept.knows(test, b"") for test in "ab"] == [False, True]


CONFTEST = """\
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import known, verdicts
known.ROOT = Path(__file__).parents[1]
known.VERDICTS = verdicts.Verdicts(known.ROOT / "build" / "verdicts")
from known import pytest_runtest_makereport

def pytest_addoption(parser):
    parser.addoption("--changed", action="store_true")

def pytest_configure(config):
    if config.getoption("changed"):
        known.watch()
        config.pluginmanager.register(known.Known.of(config), "known")

def pytest_collection_modifyitems(config, items):
    if plugin := config.pluginmanager.get_plugin("known"):
        plugin.choose(config, items)
"""
PLAIN = """\
from pathlib import Path
import pytest
CODE = Path(__file__).parents[2] / "room" / "code.py"
def test_passes(): pass
def test_fails(): assert "wrong" not in __file__ and FAILS == 0
FAILS = 1
def test_opens(): CODE.read_bytes()
@pytest.fixture
def broken():
    yield
    assert FAILS == 0
def test_breaks_afterwards(broken): pass
@pytest.mark.xfail(strict=True)
def test_is_known_to_fail(): assert 0
def test_skips(): pytest.skip("no")
"""


@pytest.fixture
def run(repository: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run tests of a repository that has some of each kind."""
    (repository / "test/conftest.py").write_text(CONFTEST.format(tests=str(verdicts.ROOT / "test")))
    for path in (repository / "test/room").glob("test_*.py"):
        path.unlink()
    (repository / "test/room/test_plain.py").write_text(PLAIN)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test"]
    return lambda *words: subprocess.run([*command, *words], cwd=repository, capture_output=True, text=True)


LEFT_OUT = "1 tests passed before"


def test_what_passed_is_not_run_again(repository: Path, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert "3 passed, 1 skipped" in (first := run("--changed").stdout)
    assert LEFT_OUT not in first
    again = run("--changed").stdout
    assert LEFT_OUT in again
    # What failed, failed afterwards, was skipped or read the program's text is run each time.
    assert "1 failed, 2 passed, 1 skipped, 1 deselected, 1 xfailed, 1 error" in again
    assert LEFT_OUT not in run().stdout
    code = repository / "room/code.py"
    code.write_text(code.read_text().replace("Words", "Others"))
    only = run("--changed", "-k", "passes")
    assert LEFT_OUT in only.stdout
    assert only.returncode == 0
    code.write_text(code.read_text().replace("return 1", "return 2"))
    assert LEFT_OUT not in run("--changed").stdout


def test_workers_are_told(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    for number in range(2):
        done = run("--changed", "-n", "2", "-k", "passes")
        assert (done.returncode, LEFT_OUT in done.stdout) == (0, number == 1)


def test_what_changes_meanwhile_is_not_kept(
    repository: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    test = "from pathlib import Path\ndef test_it(): Path('room/new.txt').open('a').close()\n"
    (repository / "test/room/test_plain.py").write_text(test)
    assert [LEFT_OUT in run("--changed").stdout for _ in range(3)] == [False, False, True]
