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


@pytest.mark.parametrize("option", ["--trace", "--flame-graph", "--seed", "--input"])
def test_what_only_concerns_a_run_is_refused(option: str, tmp_path: Path) -> None:
    code, _, err = invoke(lines(RUN), tmp_path, option, "3")
    assert (code, err.split(";")[0]) == (2, f"error: --from says what the board measured: {option} has no effect")
