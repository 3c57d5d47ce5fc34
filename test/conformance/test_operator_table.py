"""The generated table of operators is complete and up to date."""

from __future__ import annotations

from pathlib import Path

from kinds import KINDS
from missing_types import accepted, data_type
from operator_table import CUSTOM, table, uncovered

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "operators.md"


def test_every_operator_has_cases() -> None:
    assert uncovered() == []


def test_the_document_is_up_to_date() -> None:
    made = table()
    assert DOCUMENT.read_text() == made, "run: python test/conformance/operator_table.py > docs/operators.md"


def test_stillpool_ops_names_every_type_that_is_compared() -> None:
    missing = [kind for kind in KINDS if data_type(kind) not in accepted(CUSTOM.get(kind.split()[0], kind.split()[0]))]
    assert missing == []
