"""Schedules of a processor: the same bits there as plain loops give, in fewer instructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sweeps
from compiled import compiled
from models import public

import stillpool
from stillpool.errors import StillpoolError
from stillpool.machines.cpus import get_cpu
from stillpool.run.emulate.emulator import emulate
from stillpool.run.samples import random_inputs

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"
MOST_SCRATCH = 2048
"""Bytes of workspace that schedules may add."""


@pytest.mark.parametrize(
    ("name", "target", "gain"),
    [
        ("digits", "cortex-m4", 1.3),
        ("digits", "cortex-m3", 1.3),
        ("digits", "cortex-m0plus", 1.3),
        ("kws_int8", "cortex-m4", 2.0),
        pytest.param("kws_int8", "cortex-m0plus", 2.0, marks=pytest.mark.sweep),
    ],
)
def test_schedules_change_no_bit_and_save_instructions(name: str, target: str, gain: float, arm_compiler: str) -> None:
    model = DIGITS if name == "digits" else public(name)
    plain = compiled(model)
    fast = compiled(model, target=target, optimize="speed")
    samples = random_inputs(plain.description, 2 if name == "digits" else sweeps.size(1, long=2), 0)
    before, after = (emulate(one, get_cpu(target), samples, cc=arm_compiler) for one in (plain, fast))
    for name, values in before.outputs.items():
        np.testing.assert_array_equal(after.outputs[name], values)
    assert after.figures.instructions * gain < before.figures.instructions
    ours, theirs = (sum(pool.bytes for pool in one.description.workspace_pools) for one in (fast, plain))
    assert ours <= theirs + MOST_SCRATCH


@pytest.mark.parametrize(
    ("name", "target", "gain", "growth"),
    [
        # Of a network this small a few bytes are much.
        ("digits", "cortex-m4", 1.4, 1.15),
        ("kws_int8", "cortex-m4", 2.3, 1.1),
        # The gates of an LSTM share two functions.
        ("trained_lstm_int8", "cortex-m4", 1.75, 1.1),
        pytest.param("kws_int8", "cortex-m0plus", 1.0, 1.1, marks=pytest.mark.sweep),
    ],
)
def test_size_is_much_faster_for_little_code(
    name: str, target: str, gain: float, growth: float, arm_compiler: str
) -> None:
    model = DIGITS if name == "digits" else public(name)
    plain, small = compiled(model), compiled(model, target=target, optimize="size")
    samples = random_inputs(plain.description, 1, 0)
    before, after = (emulate(one, get_cpu(target), samples, cc=arm_compiler) for one in (plain, small))
    for name, values in before.outputs.items():
        np.testing.assert_array_equal(after.outputs[name], values)
    assert after.figures.instructions * gain < before.figures.instructions
    # What clang unrolls is its own.
    if arm_compiler == "gcc":
        sizes = [one.figures.sizes.code + one.figures.sizes.tables for one in (before, after)]
        assert sizes[1] <= growth * sizes[0]
    # Operators whose functions became one are still counted apart.
    assert after.figures.operators is not None
    assert all(one.instructions for one in after.figures.operators)


def test_balanced_takes_some_of_the_schedules(arm_compiler: str) -> None:
    made = {one: compiled(DIGITS, target="cortex-m4", optimize=one) for one in ("size", "balanced", "speed")}
    figures = {
        one: emulate(artifact, get_cpu("cortex-m4"), random_inputs(artifact.description, 1, 0), cc=arm_compiler).figures
        for one, artifact in made.items()
    }
    slow, between, fast = (figures[one].instructions for one in made)
    assert fast < between < slow
    sizes = figures["size"].sizes
    weights = sizes.weights + sizes.tables
    # Code is estimated.
    assert figures["balanced"].sizes.flash - sizes.flash <= 1.1 * weights
    assert figures["speed"].sizes.flash - sizes.flash > 1.1 * weights


def test_without_an_objective_it_is_balanced() -> None:
    default = compiled(DIGITS, target="cortex-m4")
    balanced = compiled(DIGITS, target="cortex-m4", optimize="balanced", rows="off")
    assert default.level("memref").is_structurally_equivalent(balanced.level("memref"))


def test_pools_that_are_too_small_for_copies_get_plain_loops() -> None:
    plain = compiled(DIGITS)
    least = sum(pool.bytes for pool in plain.description.workspace_pools)
    pool = f"workspace:size={least}"
    fitting = stillpool.compile(DIGITS, target="cortex-m4", pools=[pool])
    assert sum(pool.bytes for pool in fitting.description.workspace_pools) <= least
    with pytest.raises(StillpoolError, match="bytes short"):
        stillpool.compile(DIGITS, target="cortex-m4", optimize="speed", pools=[pool])


@pytest.mark.sweep
def test_transformed_constants_change_no_bit_and_save_products(arm_compiler: str) -> None:
    model, target = public("resnet8_int8"), get_cpu("cortex-m4")
    plain = compiled(model, target="cortex-m4", optimize="speed")
    made = compiled(model, target="cortex-m4", optimize="speed", winograd=True)
    samples = random_inputs(plain.description, 1, 0)
    before, after = (emulate(one, target, samples, cc=arm_compiler) for one in (plain, made))
    for name, values in before.outputs.items():
        np.testing.assert_array_equal(after.outputs[name], values)
    # Clang is as fast as GCC without them, where sums are assembly, and keeps more in memory with them.
    share, most = {"gcc": (0.85, 8_400_000), "zig": (0.9, 9_000_000)}[arm_compiler]
    assert after.figures.instructions < most
    # Three quarters of the weights are of convolutions that take 16/9 of what they took.
    assert after.figures.sizes.weights < 1.6 * before.figures.sizes.weights
    ours, theirs = (sum(pool.bytes for pool in one.description.workspace_pools) for one in (made, plain))
    assert ours <= theirs + MOST_SCRATCH
    assert after.figures.instructions < share * before.figures.instructions
