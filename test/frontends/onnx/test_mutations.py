"""Damaged ONNX files are imported, or refused in words, in little memory."""

from __future__ import annotations

from pathlib import Path

import pytest
import sweeps
from own_process import succeeds

pytestmark = pytest.mark.extra("onnx")

SCRIPT = Path(__file__).with_name("onnx_mutations.py")


def test_some_changes() -> None:
    succeeds(SCRIPT, 80, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=10)))
def test_sweep_many_changes(seed: int) -> None:
    succeeds(SCRIPT, sweeps.size(150, long=1000), 100 + seed)
