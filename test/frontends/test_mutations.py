"""Models with one field changed: they lower to loops, or are refused in words, in little memory."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import sweeps

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="the cases that are changed need TFLite Micro's wheel"
)


def attempts(count: int, seed: int) -> None:
    """Try in a process of their own, whose memory is theirs alone."""
    script = Path(__file__).with_name("mutations.py")
    command = [sys.executable, "-W", "ignore", str(script), str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_some_changes() -> None:
    attempts(150, seed=1)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=8)))
def test_sweep_many_changes(seed: int) -> None:
    attempts(1000, seed=100 + seed)
