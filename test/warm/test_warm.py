"""Tests in lit's format with warm interpreters come out as those with a new interpreter for each command."""

import json
import sys
from pathlib import Path

import pytest
from warm.covering import covering

from stillpool.run.process import call_text

FORMAT = Path(__file__).parent.parent

PROGRAMS = {
    # Says what it was given, and leaves behind whatever a careless program can.
    "told": """
        import atexit, json, os, sys
        colour, mark = os.environ.get("COLOUR"), getattr(json, "mark", None)
        print(json.dumps([sys.argv[1:], os.getcwd(), colour, sys.stdin.read(), mark]))
        json.mark = os.environ["COLOUR"] = "left behind"
        os.chdir("/")
        atexit.register(print, "at exit")
        """,
    "ends": """
        import os, signal, sys
        how = sys.argv[1]
        print("ends", how)
        print("complains", how, file=sys.stderr)
        if how == "raise":
            raise ValueError(how)
        if how == "signal":
            sys.stdout.flush()
            os.kill(os.getpid(), signal.SIGTERM)
        sys.exit(int(how) if how.isdigit() else how)
        """,
    "loud": """
        import sys
        for _ in range(300_000):
            print("x" * 10)
        """,
    "quits": """
        import sys
        print(sys.stdin.readline().strip())
        """,
    "warm": """
        import sys
        print("warm" if "wave" in sys.modules else "new")
        """,
}

TESTS = {
    "arguments": ["told a 'b c' %s | %filecheck ARGUMENTS"],
    "folder": ["mkdir -p %t.folder", "cd %t.folder", "told | %filecheck FOLDER"],
    "environment": ["env COLOUR=red told | %filecheck RED", "told | %filecheck NONE"],
    "input": ["told < %s | %filecheck INPUT"],
    "mark": ["told", "told | %filecheck UNMARKED"],
    "at-exit": ["told | %filecheck EXIT"],
    "error-joined": ["not ends raise 2>&1 | %filecheck RAISED"],
    "error-file": ["not ends 3 2> %t.err", "cat %t.err | %filecheck COMPLAINS"],
    "message": ["not ends because 2>&1 | %filecheck BECAUSE"],
    "output-file": ["ends 0 > %t.out", "cat %t.out | %filecheck ENDS"],
    "quits": ["loud | quits | %filecheck LOUD"],
    "loud": ["loud > /dev/null"],
    "settings": ["env PYTHONUTF8=1 warm | %filecheck NEW"],
    "search": ["env PYTHONPATH=%S warm | %filecheck NEW"],
    "fails-code": ["ends 3"],
    "fails-raise": ["ends raise"],
    "fails-signal": ["not ends signal"],
    "fails-check": ["ends 0 | %filecheck RAISED"],
    "fails-first": ["ends 3 | quits"],
    "fails-not": ["not ends 0"],
    "fails-folder": ["cd %t.none", "told"],
    "fails-missing": ["no-such-program"],
}

CHECKS = """
ARGUMENTS: "a", "b c", "{{.*}}arguments.test"]
FOLDER: .folder",
RED: "red"
NONE: null, "", null]
INPUT: RUN: told
UNMARKED: null]
EXIT: at exit
RAISED: ValueError: raise
COMPLAINS: complains 3
BECAUSE: because
ENDS: ends 0
LOUD: xxxxxxxxxx
NEW: new
WARM: warm
"""

CONFIGURATION = """
import os, sys
sys.path.insert(0, {format!r})
from warm.shtest import WarmShTest
config.name = "suite"
config.test_format = WarmShTest(["wave"])
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "out")
config.environment["PATH"] = os.pathsep.join(
    (config.test_source_root, os.path.dirname(sys.executable), os.environ["PATH"]))
config.substitutions.append(("%filecheck", "filecheck %S/checks --check-prefix"))
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of its own, with programs of its own."""
    folder = tmp_path_factory.mktemp("suite")
    for name, text in PROGRAMS.items():
        lines = text.splitlines()[1:]
        (folder / name).write_text("\n".join([f"#!{sys.executable}", *(line[8:] for line in lines)]) + "\n")
        (folder / name).chmod(0o755)
    for name, commands in TESTS.items():
        (folder / f"{name}.test").write_text("".join(f"RUN: {command}\n" for command in commands))
    (folder / "checks").write_text(CHECKS)
    (folder / "lit.cfg.py").write_text(CONFIGURATION.format(format=str(FORMAT)))
    return folder


@pytest.fixture(scope="module")
def verdicts(suite: Path) -> dict[str, dict[str, dict[str, str]]]:
    """What lit says of each test, warm and with processes."""
    return {"warm": run_lit(suite), "processes": run_lit(suite, "--param", "shell=1")}


def run_lit(suite: Path, *options: str) -> dict[str, dict[str, str]]:
    """Lit's report of the suite, by the names of tests."""
    report = suite / "report.json"
    command = [str(Path(sys.executable).with_name("lit")), "-v", "-j1", "--output", str(report), *options, str(suite)]
    done = call_text(command, timeout=300)
    assert report.is_file(), done.stderr
    tests = json.loads(report.read_text())["tests"]
    return {test["name"].removeprefix("suite :: ").removesuffix(".test"): test for test in tests}


@pytest.mark.parametrize("way", ["warm", "processes"])
@pytest.mark.parametrize("name", TESTS)
def test_verdicts(verdicts: dict[str, dict[str, dict[str, str]]], way: str, name: str):
    """A program gets what a process gets, and leaves behind no more; tests that must fail do."""
    verdict = verdicts[way][name]
    assert verdict["code"] == ("FAIL" if name.startswith("fails") else "PASS"), verdict["output"]


@pytest.mark.parametrize("name", [name for name in TESTS if name.startswith("fails")])
def test_outputs(verdicts: dict[str, dict[str, dict[str, str]]], name: str):
    """Reports of failed tests are the same, but for the lines of Python's own that a traceback shows."""
    warm, processes = (verdicts[way][name]["output"] for way in ("warm", "processes"))
    assert kept(warm) == kept(processes)


def kept(output: str) -> list[str]:
    """Lines of a report outside the frames of tracebacks."""
    return [line for line in output.splitlines() if not line.startswith("# |   ")]


def test_is_warm(suite: Path):
    """What the format is told to import is there before a program asks."""
    (suite / "is_warm.test").write_text("RUN: warm | %filecheck WARM\n")
    try:
        assert run_lit(suite)["is_warm"]["code"] == "PASS"
        assert run_lit(suite, "--param", "shell=1")["is_warm"]["code"] == "FAIL"
    finally:
        (suite / "is_warm.test").unlink()


def test_covering(tmp_path: Path):
    """The first tests that meet a name, each name as a whole word."""
    texts = {"a": "nn.add -p usmp", "b": "usmp-plan", "c": "usmp, nn", "d": "names nothing", "e": "usmp-plan task.nest"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = covering(tmp_path.iterdir(), ["nn", "usmp", "usmp-plan", "task", "other"])
    assert sorted(path.name for path in found) == ["a", "b", "e"]
