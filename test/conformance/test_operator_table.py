"""The generated table of operators is complete and up to date."""

from __future__ import annotations

from pathlib import Path

from operator_table import table, uncovered

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "operators.md"


def test_every_operator_has_cases() -> None:
    assert uncovered() == []


def test_the_document_is_up_to_date() -> None:
    made = table()
    assert DOCUMENT.read_text() == made, "run: python test/conformance/operator_table.py > docs/operators.md"
