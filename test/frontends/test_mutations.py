"""Models with one field changed: they lower to loops, or are refused in words, in little memory."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import sweeps
from own_process import succeeds

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="the cases that are changed need TFLite Micro's wheel"
)

SCRIPT = Path(__file__).with_name("mutations.py")


def test_some_changes() -> None:
    succeeds(SCRIPT, 150, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=8)))
def test_sweep_many_changes(seed: int) -> None:
    succeeds(SCRIPT, sweeps.size(400, long=1000), 100 + seed)
