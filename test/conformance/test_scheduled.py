"""Operators with the schedules of a processor, their C in its portable form: the same results as the reference."""

from __future__ import annotations

import importlib.util

import pytest
from case import Spec
from hypothesis import given, settings
from test_operators import EVERY_DAY, SETTINGS, SWEEP, batches, check

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

FOLDS = (
    "AVERAGE_POOL_2D",
    "BATCH_MATMUL",
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "FULLY_CONNECTED",
    "MAX_POOL_2D",
    "MEAN",
    "SVDF",
    "TRANSPOSE_CONV",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
)
"""Operators whose tasks fold."""


TARGETS = ("cortex-m4", "cortex-m0plus")
"""With pairs of products, and one at a time with numbers that are not negative."""


def checked(operator: str, size: int, target: str) -> None:
    @settings(SETTINGS, max_examples=1)
    @given(batches(operator, size))
    def run(specs: list[Spec]) -> None:
        check(specs, target=target, optimize="speed")

    run()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operator", FOLDS)
def test_scheduled_operators_agree(operator: str, target: str) -> None:
    checked(operator, EVERY_DAY, target)


@pytest.mark.sweep
@pytest.mark.parametrize("target", [*TARGETS, "rv32imc"])
@pytest.mark.parametrize("operator", FOLDS)
def test_sweep_scheduled_operators_agree(operator: str, target: str) -> None:
    checked(operator, SWEEP, target)
