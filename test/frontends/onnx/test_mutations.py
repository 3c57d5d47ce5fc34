"""Damaged ONNX files are imported, or refused in words, in little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sweeps

pytestmark = pytest.mark.extra("onnx")


def attempts(count: int, seed: int) -> None:
    """Try in a process of their own, whose memory is theirs alone."""
    script = Path(__file__).with_name("onnx_mutations.py")
    command = [sys.executable, "-W", "ignore", str(script), str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_some_changes() -> None:
    attempts(150, seed=1)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=10)))
def test_sweep_many_changes(seed: int) -> None:
    attempts(1000, seed=100 + seed)
