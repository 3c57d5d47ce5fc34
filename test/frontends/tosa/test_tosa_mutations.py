"""Damaged TOSA files lower to loops, or are refused in words, in little memory."""

from __future__ import annotations

from pathlib import Path

import pytest
import sweeps
from own_process import succeeds

SCRIPT = Path(__file__).with_name("tosa_mutations.py")


@pytest.mark.parametrize("kind", ["text", "bytes"])
def test_some_damage(kind: str) -> None:
    succeeds(SCRIPT, kind, 30, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["text", "bytes"])
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=8)))
def test_sweep_much_damage(kind: str, seed: int) -> None:
    succeeds(SCRIPT, kind, sweeps.size(80, long=1000), 100 + seed)
