"""Operators with the schedules of a processor, their C in its portable form: the same results as the reference."""

from __future__ import annotations

import importlib.util

import pytest
from case import WEIGHTED, Spec
from hypothesis import given, settings
from test_operators import EVERY_DAY, SETTINGS, SWEEP, batches, check
from tflite_build import SAME
from window_specs import Convolution, Window

from stillpool.lowering.schedule import pointwise, schedule_pass, small
from stillpool.lowering.schedule.variants import Variant

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
MOST_USED = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
"""Those that networks spend their time in."""
SEVERAL = ("SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM")
"""Operators with several tasks of products in a function."""
POINTWISE = ("ADD", "LOGISTIC", "MUL", "PRELU", "QUANTIZE", "RELU", "SUB")
"""Operators whose tasks compute each element by itself."""


CASES = (
    ("cortex-m4", Variant.FAST),
    ("cortex-m4", Variant.COMPACT),
    ("cortex-m0plus", Variant.FAST),
    ("cortex-m0plus", Variant.COMPACT),
)
"""With pairs of products, from words and from bytes; with sums of two channels in a word, and one product at a time
with numbers that are not negative."""


def checked(operator: str, size: int, target: str, variant: Variant) -> None:
    @settings(SETTINGS, max_examples=1)
    @given(batches(operator, size))
    def run(specs: list[Spec]) -> None:
        check(specs, target=target, optimize="speed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_pass, "variants", lambda _: (variant,))
        patch.setattr(pointwise, "ENOUGH_POINTS", 4)
        run()


EACH = [
    pytest.param(
        operator,
        *case,
        marks=() if operator in MOST_USED or number % len(CASES) == place else pytest.mark.sweep,
    )
    for number, operator in enumerate(FOLDS)
    for place, case in enumerate(CASES)
]
"""Every day those most used in all cases, and each of the others in one, by turns; the rest in the sweep."""


@pytest.mark.parametrize(("operator", "target", "variant"), EACH)
def test_scheduled_operators_agree(operator: str, target: str, variant: Variant) -> None:
    checked(operator, EVERY_DAY, target, variant)


@pytest.mark.parametrize("operator", POINTWISE)
def test_scheduled_pointwise_operators_agree(operator: str) -> None:
    checked(operator, EVERY_DAY, "cortex-m4", Variant.FAST)


def shared(operator: str, size: int) -> None:
    @settings(SETTINGS, max_examples=1)
    @given(batches(operator, size))
    def run(specs: list[Spec]) -> None:
        check(specs, target="cortex-m4", optimize="size")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small, "MOST_GROWTH", 100)
        run()


@pytest.mark.parametrize("operator", SEVERAL)
def test_functions_of_loops_that_are_alike_agree(operator: str) -> None:
    shared(operator, EVERY_DAY)


@pytest.mark.sweep
@pytest.mark.parametrize("operator", FOLDS)
def test_sweep_functions_of_loops_that_are_alike_agree(operator: str) -> None:
    shared(operator, SWEEP)


@pytest.mark.sweep
@pytest.mark.parametrize("operator", POINTWISE)
def test_sweep_scheduled_pointwise_operators_agree(operator: str) -> None:
    checked(operator, SWEEP, "cortex-m4", Variant.FAST)


@pytest.mark.sweep
@pytest.mark.parametrize(("target", "variant"), [*CASES, ("cortex-m4", Variant.SMALL), ("rv32imc", Variant.FAST)])
@pytest.mark.parametrize("operator", FOLDS)
def test_sweep_scheduled_operators_agree(operator: str, target: str, variant: Variant) -> None:
    checked(operator, SWEEP, target, variant)


@pytest.mark.parametrize("depthwise", [False, True], ids=["groups", "multiplier"])
@pytest.mark.parametrize("outputs", [3, 6])
def test_channels_of_a_group_that_are_no_blocks_of_vectors_agree(depthwise: bool, outputs: int) -> None:
    spec = Convolution(
        depthwise=depthwise,
        types=WEIGHTED["int8"],
        window=Window((5, 5), (3, 3), (1, 1), (1, 1), SAME),
        batch=1,
        groups=1 if depthwise else 3,
        group_channels=3,
        outputs=outputs,
        per_channel=True,
        bias=True,
        activation=0,
        input_scale=0.5,
        filter_scale=0.5,
        input_zero_point=-5,
        filter_zero_point=0,
        output_zero_point=3,
        gain=1.0,
        seed=outputs,
    )
    check([spec], target="cortex-m55", optimize="speed")
