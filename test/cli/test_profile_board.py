"""`profile --from`: what a board measured, in the columns of an emulated run; lines that do not fit are named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from json_schemas import validator

from stillpool.cli import main

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
RUN = [100, 200, 300, 400, 500, 600, 700, 800, 900]


def lines(cycles: list[int]) -> str:
    return "".join(f"{position} {count}\r\n" for position, count in enumerate(cycles))


def invoke(text: str, folder: Path, *arguments: str) -> tuple[int, str, str]:
    log = folder / "board.log"
    log.write_text(text)
    result = CliRunner().invoke(main, ["profile", str(MODEL), "--from", str(log), *arguments])
    return result.exit_code, result.stdout, result.stderr.replace(str(folder), "")


def test_operators_have_their_cycles(tmp_path: Path) -> None:
    code, out, err = invoke(lines([1] * 9) + "\n" + lines(RUN), tmp_path)
    assert (code, err) == (0, "")
    assert out.startswith("board.log, the last of 2 runs: 4,500 cycles\n")
    rows = re.findall(r"^ +(\d) +\d+ +(\w+) +[\d,]+ +(\d+) +[\d.-]+ +(\d+\.\d)% ", out, re.MULTILINE)
    assert [int(cycles) for _, _, cycles, _ in rows] == RUN
    assert (rows[0], rows[8][1:]) == (("0", "CONV_2D", "100", "2.2"), ("SOFTMAX", "900", "20.0"))


def test_the_document_keeps_to_the_schema(tmp_path: Path) -> None:
    code, out, _ = invoke(lines(RUN), tmp_path, "--json")
    document = json.loads(out)
    validator("profile").validate(document)
    assert (code, document["runs"], document["cycles"]) == (0, 1, 4500)
    first = document["operators"][0]
    assert first["cycles_per_mac"] == round(100 / first["macs"], 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("boot\n" + lines(RUN), "/board.log:1: 'boot' is not a position and its cycles; leave out what else"),
        ("0 -1\n", "/board.log:1: '0 -1' is not a position"),
        (lines([*RUN, 5]), "/board.log:10: model 'digits' has positions 0 to 8, not 9; profile with the options"),
        ("0 1\n2 1\n", "/board.log:2: position 2 stands where 1 must; give all lines of a run in order"),
        (lines(RUN[:5]), "/board.log: 5 of 9 operators in the last run; profile with the options"),
        ("\n", "/board.log: 0 of 9 operators in the last run"),
    ],
)
def test_lines_that_do_not_fit_are_named(text: str, words: str, tmp_path: Path) -> None:
    code, out, err = invoke(text, tmp_path)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: {words}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that runs row by row, with clean-ups left out."""
    folder = tmp_path_factory.mktemp("project") / "digits"
    words = ["compile", str(MODEL), "-o", str(folder), "--profile-hooks", "--rows", "on", "--no-clean-up", "all"]
    assert CliRunner().invoke(main, words).exit_code == 0
    return folder


def profiled(path: Path, log: Path, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["profile", str(path), "--from", str(log), *arguments])
    return result.exit_code, result.stdout, " ".join(result.stderr.split())


def test_a_manifest_says_what_was_compiled(project: Path, tmp_path: Path) -> None:
    operators = json.loads((project / "manifest.json").read_text())["operators"]
    log = tmp_path / "board.log"
    log.write_text(lines([10] * len(operators)))
    for path in (project, project / "manifest.json"):
        code, out, err = profiled(path, log, "--json")
        assert (code, err) == (0, "")
        document = json.loads(out)
        validator("profile").validate(document)
        assert (document["model"], document["cycles"]) == ("digits", 10 * len(operators))
    rows = [entry for entry in operators if entry["index"] == operators[0]["index"]]
    assert len(rows) > 1
    first = document["operators"][0]
    assert (first["cycles"], first["macs"]) == (10 * len(rows), sum(entry["macs"] for entry in rows))
    assert len(document["operators"]) == len({(entry["index"], entry["op"], entry["name"]) for entry in operators})


def test_a_manifest_of_several_models_needs_a_name(tmp_path: Path) -> None:
    words = ["compile", str(MODEL), str(MODEL), "--name", "left", "--name", "right", "-o", str(tmp_path / "p")]
    assert CliRunner().invoke(main, words).exit_code == 0
    log = tmp_path / "board.log"
    log.write_text(lines(RUN))
    code, _, err = profiled(tmp_path / "p", log)
    assert (code, err.partition(" is ")[2]) == (2, "of 2 models; choose one with --name: left, right")
    assert profiled(tmp_path / "p", log, "--name", "middle")[0] == 2
    code, out, _ = profiled(tmp_path / "p", log, "--name", "right", "--json")
    assert (code, json.loads(out)["model"]) == (0, "right")


def test_what_the_manifest_says_is_not_said_again(project: Path, tmp_path: Path) -> None:
    log = tmp_path / "board.log"
    log.write_text(lines(RUN))
    for words in (["--rows", "on"], ["--workspace-pool", "sram"], ["--target", "cortex-m4"]):
        code, _, err = profiled(project, log, *words)
        assert (code, f"{words[0]} has no effect" in err) == (2, True), err
    (tmp_path / "other.json").write_text("{}")
    assert profiled(tmp_path / "other.json", log)[0] == 1
    code, _, err = profiled(project, log)
    assert code == 1
    assert "in the last run; give the manifest that was written with the program" in err


@pytest.mark.parametrize("option", ["--trace", "--flame-graph", "--seed", "--input"])
def test_what_only_concerns_a_run_is_refused(option: str, tmp_path: Path) -> None:
    code, _, err = invoke(lines(RUN), tmp_path, option, "3")
    assert (code, err.split(";")[0]) == (2, f"error: --from says what the board measured: {option} has no effect")
