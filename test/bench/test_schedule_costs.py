"""What is recorded of estimates is what the documentation shows, and keeps within bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cost_table import table  # pyright: ignore

ROOT = Path(__file__).resolve().parents[2]
RECORDED = json.loads((ROOT / "bench" / "results" / "schedule_costs.json").read_text(encoding="utf-8"))
BOUND = 5.0
FURTHER_OFF = {
    # Loops in order over the gates of an LSTM.
    ("trained_lstm_int8", "size"): 7.0,
}
"""In percent."""


def test_the_documentation_shows_what_is_recorded() -> None:
    assert table(RECORDED) in (ROOT / "docs" / "internals" / "estimates.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("way", ["speed", "balanced", "size"])
def test_models_are_within_the_bound(way: str) -> None:
    errors = {name: ways[way]["error"] for name, ways in RECORDED["cortex-m4"].items() if way in ways}
    assert len(errors) >= 10
    assert [name for name, error in errors.items() if abs(error) > FURTHER_OFF.get((name, way), BOUND)] == []
