"""Operators with the schedules of a processor, their C in its portable form: the same results as the reference."""

from __future__ import annotations

import importlib.util
import shutil
from typing import Any

import pytest
import sweeps
from case import WEIGHTED, Case, agree
from host_batch import artifact_of
from kinds import KINDS
from lstm_specs import Lstm
from numpy.typing import NDArray
from test_operators import EVERY_DAY, SWEEP, check, specs_of
from tflite_build import SAME
from tflm_oracle import run_oracle
from window_specs import Convolution, Window

from stillpool.lowering.schedule import neighbours
from stillpool.lowering.schedule.variants import Variant
from stillpool.machines.cpus import HOST, cpu_names, get_cpu
from stillpool.run.emulate.emulator import emulate
from stillpool.transforms.tasks.choose import choose_forms, small

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
POINTWISE = ("ADD", "CONCATENATION", "LOGISTIC", "MUL", "PRELU", "QUANTIZE", "RELU", "SPLIT", "SUB")
"""Operators whose tasks compute or move each element by itself."""


CASES = (
    *((target, None) for target in (*cpu_names(), HOST.name)),
    ("cortex-m4", Variant.COMPACT),
    ("cortex-m0plus", Variant.COMPACT),
)
"""Each processor with the rules that it has for speed, and those whose compact form is another."""


def checked(operator: str, size: int, target: str, variant: Variant | None, step: int = 1, first: int = 0) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if variant is not None:
            patch.setattr(choose_forms, "variants", lambda _: (variant,))
        patch.setattr(neighbours, "ENOUGH_POINTS", 4)
        check(specs_of(operator, size, step, first), target=target, optimize="speed")


EVERY_DAYS = {False: (0,), True: (0, 3, 6)}


def is_of_every_day(operator: str, target: str, variant: Variant | None) -> bool:
    """Every day those most used in three cases, and each of the others in one, by turns."""
    turn = CASES.index((target, variant)) - FOLDS.index(operator)
    return turn % len(CASES) in EVERY_DAYS[operator in MOST_USED]


EACH = [
    pytest.param(operator, *case, marks=() if is_of_every_day(operator, *case) else pytest.mark.sweep)
    for operator in FOLDS
    for case in CASES
]


@pytest.mark.parametrize(("operator", "target", "variant"), EACH)
def test_scheduled_operators_agree(operator: str, target: str, variant: Variant | None) -> None:
    """The rest in the sweep: each with every fifth kind of the operator, by turns; in the long one with all."""
    kinds = sum(kind.split()[0] == operator for kind in KINDS)
    step = 1 if is_of_every_day(operator, target, variant) else sweeps.size(min(5, kinds), long=1)
    checked(operator, EVERY_DAY, target, variant, step, CASES.index((target, variant)) % step)


@pytest.mark.parametrize("operator", POINTWISE)
def test_scheduled_pointwise_operators_agree(operator: str) -> None:
    checked(operator, EVERY_DAY, "cortex-m4", None)


def shared(operator: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small, "MOST_GROWTH", 100)
        check(specs_of(operator, size), target="cortex-m4", optimize="size")


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
    checked(operator, SWEEP, "cortex-m4", None)


@pytest.mark.sweep
@pytest.mark.parametrize(("target", "variant"), [*CASES, ("cortex-m4", Variant.SMALL)])
@pytest.mark.parametrize("operator", FOLDS)
def test_sweep_scheduled_operators_agree(operator: str, target: str, variant: Variant | None) -> None:
    checked(operator, SWEEP, target, variant)


def grouped(outputs: int, *, depthwise: bool) -> Convolution:
    """Groups, or a multiplier, of so many outputs."""
    return Convolution(
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


@pytest.mark.parametrize("depthwise", [False, True], ids=["groups", "multiplier"])
@pytest.mark.parametrize("outputs", [3, 6])
def test_channels_of_a_group_that_are_no_blocks_of_vectors_agree(depthwise: bool, outputs: int) -> None:
    check([grouped(outputs, depthwise=depthwise)], target="cortex-m55", optimize="speed")


def recurrent(dtype: str, batch: int) -> Lstm:
    """Gates that add to the sums of their inputs, for a number of sequences that is no multiple of a tile's."""
    return Lstm(
        dtype=dtype,
        batch=batch,
        time=2,
        depth=7,
        units=6,
        time_major=True,
        clip=0.5,
        cell_exponent=-11,
        input_scale=0.02,
        weight_scale=0.0009,
        hidden_scale=0.0078125,
        input_zero_point=14 if dtype == "int8" else 0,
        hidden_zero_point=114 if dtype == "int8" else -128,
        seed=batch,
    )


def test_sums_that_add_to_what_is_there_count_once() -> None:
    check([recurrent(dtype, 3) for dtype in ("int8", "hybrid")], target="cortex-m4", optimize="size")


def in_qemu(case: Case) -> list[NDArray[Any]]:
    """Stacked outputs of Cortex-M55's own instructions."""
    target = "cortex-m55"
    artifact = artifact_of(case, "m", {"target": target, "optimize": "speed"})
    inputs = {one.name: x for one, x in zip(artifact.description.inputs, case.inputs, strict=True)}
    done = emulate(artifact, get_cpu(target), inputs, cc="gcc").outputs
    return [done[one.name] for one in artifact.description.outputs]


WITH_MVE = pytest.mark.skipif(
    shutil.which("qemu-system-arm") is None
    or shutil.which("arm-none-eabi-gcc") is None
    or importlib.util.find_spec("elftools") is None
    or importlib.util.find_spec("capstone") is None,
    reason="QEMU, arm-none-eabi-gcc or the extra emulate is not installed",
)


@WITH_MVE
@pytest.mark.parametrize("depthwise", [False, True], ids=["groups", "multiplier"])
def test_vectors_agree_in_qemu(depthwise: bool) -> None:
    case = grouped(6, depthwise=depthwise).case()
    assert (why := agree(case, in_qemu(case), run_oracle([case])[0])) is None, why


@WITH_MVE
@pytest.mark.sweep
@pytest.mark.parametrize("operator", [*FOLDS, *POINTWISE])
def test_sweep_scheduled_operators_agree_in_qemu(operator: str) -> None:
    specs = specs_of(operator, 1)
    cases = [spec.case() for spec in specs]
    results = zip(specs, cases, map(in_qemu, cases), run_oracle(cases), strict=True)
    wrong = [f"{spec}\n    {why}" for spec, case, ours, theirs in results if (why := agree(case, ours, theirs))]
    assert not wrong, "\n".join(wrong[:5])
