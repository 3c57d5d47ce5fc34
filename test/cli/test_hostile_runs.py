"""Hostile commands of every kind: no bug's exit code, no traceback, none beyond 60 s or 2 GiB."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import sweeps

sys.path.insert(0, str(Path(__file__).parent))
from hostile_runs import runs


def test_hostile_commands() -> None:
    broken, verbs, _ = runs(1, 40, quick=True)
    assert not broken, broken
    assert set(verbs) >= {"analyze", "compile", "ops", "opt"}


@pytest.mark.sweep
def test_sweep_hostile_commands() -> None:
    count = sweeps.size(2000, long=20_000)
    broken, verbs, _ = runs(2, count)
    assert not broken, broken
    assert sum(verbs.values()) == count
