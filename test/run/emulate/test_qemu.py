"""QEMU and unicorn run the same firmware: the same outputs, the same stack, the same count to one tick."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from models import example, public

import stillpool
from stillpool.cli import main
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.emulate.emulator import emulate
from stillpool.run.emulate.qemu_session import instructions_per_tick, qemu_available
from stillpool.run.samples import random_inputs

pytestmark = pytest.mark.skipif(not qemu_available(), reason="qemu-system-arm is not installed")
MODELS = ("ad01_int8", "kws_int8", "resnet8_int8", "vww_int8", "hello_world_int8")
VECTOR_MODELS = ("ad01_int8", "kws_int8", "resnet8_int8", "vww_int8", "person_detect")
SECONDS = 0.05
"""Of the planner's search: no plan is looked at."""
EVERY_DAY = ("kws_int8", "hello_world_int8")
"""Of the operators of the others, these have nearly all."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in EVERY_DAY else pytest.mark.sweep) for name in MODELS]
)
def test_counts_are_equal_to_one_tick(name: str) -> None:
    artifact = stillpool.compile([public(name)], target="cortex-m4", planner_seconds=SECONDS)
    cpu = get_cpu("cortex-m4")
    stacked = random_inputs(artifact.description, 1, 0)
    try:
        exact, ticks = (emulate(artifact, cpu, stacked, emulator=which) for which in ("unicorn", "qemu"))
    except UsageError as error:
        pytest.skip(str(error))
    assert cpu.qemu_machine is not None
    assert abs(exact.instructions - ticks.instructions) <= instructions_per_tick(cpu.qemu_machine)
    assert exact.stack_bytes == ticks.stack_bytes
    for output, values in exact.outputs.items():
        np.testing.assert_array_equal(values, ticks.outputs[output])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in EVERY_DAY else pytest.mark.sweep) for name in VECTOR_MODELS]
)
def test_cortex_m55_computes_the_hosts_bits(name: str) -> None:
    artifact = stillpool.compile([public(name)], target="cortex-m55", planner_seconds=SECONDS)
    stacked = random_inputs(artifact.description, 2, 0)
    try:
        result = emulate(artifact, get_cpu("cortex-m55"), stacked)
    except UsageError as error:
        pytest.skip(str(error))
    for output, values in stillpool.compile([public(name)], planner_seconds=SECONDS).execute(stacked).outputs.items():
        np.testing.assert_array_equal(values, result.outputs[output])
    assert result.figures.emulator == "qemu"
    assert result.figures.operators is None


def test_verify_compares_cortex_m55_with_the_reference() -> None:
    pytest.importorskip("tflite_micro")
    done = CliRunner().invoke(main, ["verify", str(example()), "--target", "cortex-m55", "--json"])
    if done.exit_code == UsageError.exit_code:
        pytest.skip(done.stderr)
    document = json.loads(done.stdout)
    assert (document["target"], document["exact"], document["samples"]) == ("cortex-m55", True, 3)
