"""Models with one field changed: they lower to loops, or are refused in words."""

from __future__ import annotations

import importlib.util

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="the cases that are changed need TFLite Micro's wheel"
)


def test_some_changes() -> None:
    from mutations import main

    assert main(400, seed=1) == 0


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
def test_sweep_many_changes(seed: int) -> None:
    from mutations import main

    assert main(5000, seed=100 + seed) == 0
