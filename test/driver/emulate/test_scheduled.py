"""Schedules of a processor: the same bits there as plain loops give, in fewer instructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from models import public

import stillpool
from stillpool.driver.emulate.emulator import emulate
from stillpool.driver.samples import random_inputs
from stillpool.machines.cpus import get_cpu

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
        ("kws_int8", "cortex-m0plus", 1.5),
    ],
)
def test_schedules_change_no_bit_and_save_instructions(name: str, target: str, gain: float, arm_compiler: str) -> None:
    model = DIGITS if name == "digits" else public(name)
    plain = stillpool.compile(model)
    fast = stillpool.compile(model, target=target, optimize="speed")
    samples = random_inputs(plain.description, 2, 0)
    before, after = (emulate(one, get_cpu(target), samples, cc=arm_compiler) for one in (plain, fast))
    for name, values in before.outputs.items():
        np.testing.assert_array_equal(after.outputs[name], values)
    assert after.figures.instructions * gain < before.figures.instructions
    ours, theirs = (sum(pool.bytes for pool in one.description.workspace_pools) for one in (fast, plain))
    assert ours <= theirs + MOST_SCRATCH
