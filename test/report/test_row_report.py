"""What the report says of operators that run row by row."""

from __future__ import annotations

import re
from pathlib import Path

import stillpool

DIGITS = Path(__file__).resolve().parents[2] / "examples/digits/digits.tflite"


def lines(report: str) -> dict[int, list[str]]:
    """The first words of the lines of operators, by index."""
    table = report.split("\noperators: ")[1].split("what would lower it")[0].splitlines()[2:]
    return {int(words[1]): words for line in table if len(words := line.split()) > 4}


def test_an_operator_is_one_line_with_the_number_of_its_rows() -> None:
    whole, by_rows = stillpool.compile(DIGITS), stillpool.compile(DIGITS, rows="on", planner_seconds=0.05)
    before, after = lines(whole.report), lines(by_rows.report)
    assert list(after) == list(before)
    assert [words[3] for words in after.values()] == ["8", "8", "8", "8", "4", "2", "-", "-", "-"]
    # No multiplication is made twice.
    assert [words[4] for words in after.values()] == [words[3] for words in before.values()]
    first, last = map(int, after[1][0].split("-"))
    assert (first, last) == (0, max(o.position for o in by_rows.description.operators if o.index == 1))


def test_positions_are_named_with_their_rows() -> None:
    report = stillpool.compile(DIGITS, rows="on", planner_seconds=0.05).report
    assert re.search(r"live at the peak of workspace, position \d+ \([A-Z_0-9]+, index \d, row \d\)", report)
    assert ", row " not in stillpool.compile(DIGITS).report
