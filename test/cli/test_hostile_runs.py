"""Hostile commands of every kind: no bug's exit code, no traceback, none beyond 60 s or 2 GiB."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import sweeps

sys.path.insert(0, str(Path(__file__).parent))
from hostile_runs import runs

BLOCK, TRIED = 500, sweeps.size(80, long=500)
"""Commands of a block, which one worker runs, and how many of them it tries."""


def test_hostile_commands() -> None:
    broken, verbs, _ = runs(1, 40, quick=True)
    assert not broken, broken
    assert set(verbs) >= {"analyze", "compile", "ops", "opt"}


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(4, long=40)))
def test_sweep_hostile_commands(block: int) -> None:
    broken, verbs, _ = runs(2, TRIED, first=block * BLOCK)
    assert not broken, broken
    assert sum(verbs.values()) == TRIED
