"""Tests that take long: `bench/results/slow_tests.txt` lists them, `bench/slow_tests.py` makes it.

Those of pytest are of the sweep. lit leaves out its own with `--param quick=1`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

LIST = Path(__file__).parents[1] / "bench" / "results" / "slow_tests.txt"


def listed(text: str) -> frozenset[str]:
    """Names of tests, of lines `SECONDS NAME`; lines that begin with # say something else."""
    return frozenset(line.partition(" ")[2] for line in text.splitlines() if not line.startswith("#"))


def mark(items: list[pytest.Item], names: frozenset[str]) -> None:
    """Put the tests that are listed into the sweep."""
    for item in items:
        if item.nodeid in names:
            item.add_marker("sweep")
