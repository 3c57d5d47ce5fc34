"""Tests that take long are of the sweep: `bench/results/slow_tests.txt` lists them, `bench/slow_tests.py` makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

LIST = Path(__file__).parents[1] / "bench" / "results" / "slow_tests.txt"
WRITTEN = pytest.StashKey[bool]()
"""Whether the code of a test says that it is of the sweep."""


def listed(text: str) -> frozenset[str]:
    """Names of tests, of lines `SECONDS NAME`; lines that begin with # say something else."""
    return frozenset(line.partition(" ")[2] for line in text.splitlines() if not line.startswith("#"))


def mark(items: list[pytest.Item], names: frozenset[str]) -> None:
    """Put the tests that are listed into the sweep."""
    for item in items:
        item.stash[WRITTEN] = item.get_closest_marker("sweep") is not None
        if item.nodeid in names:
            item.add_marker(pytest.mark.sweep)
