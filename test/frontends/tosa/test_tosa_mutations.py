"""Damaged TOSA files lower to loops, or are refused in words, in little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sweeps


def attempts(kind: str, count: int, seed: int) -> None:
    """Try in a process of their own, whose memory is theirs alone."""
    script = Path(__file__).with_name("tosa_mutations.py")
    command = [sys.executable, "-W", "ignore", str(script), kind, str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize("kind", ["text", "bytes"])
def test_some_damage(kind: str) -> None:
    attempts(kind, 30, seed=1)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["text", "bytes"])
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=8)))
def test_sweep_much_damage(kind: str, seed: int) -> None:
    attempts(kind, 1000, seed=100 + seed)
