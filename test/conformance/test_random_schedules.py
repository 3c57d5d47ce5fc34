"""Random legal schedules for every processor: the reference's bits, in its own memory.

Their C runs in its portable form here, with every access watched, and as processors' own instructions, emulated.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import emulated
import pytest
import sweeps
from case import WEIGHTED
from dense_specs import FullyConnected
from plain_kernels import installed
from random_schedules import Report, Trial, trials, tried
from schedule_draws import AIMS, Draws

from stillpool.lowering.schedule.variants import Variant
from stillpool.machines.cpus import get_cpu

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
    ),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

EVERY_DAY, SWEEP, EACH = 8, len(AIMS), sweeps.size(4, long=12)
"""Operators, in the sweep one for each step and flag, and schedules of each."""
BLOCKS, PARTS = sweeps.size(1, long=80), sweeps.size(1, long=2)
EMULATED = ("cortex-m0plus", "cortex-m4", "cortex-m55")
"""One for each set of instructions."""


@pytest.fixture(autouse=True)
def kernels() -> Iterator[None]:
    """The kernels that are drawn."""
    with installed():
        yield


def test_legal_schedules_agree() -> None:
    report = Report(Draws(0))
    tried(trials(report, EVERY_DAY, "every day"), report, 3)
    assert not report.wrong, "\n".join(report.wrong[:5])
    assert report.schedules.total() >= 2 * EVERY_DAY, report


def test_clamped_channels_start_from_what_there_is() -> None:
    """What channels side by side start from was read four at a time, beyond the end of the biases."""
    spec = FullyConnected(
        WEIGHTED["int8"],
        leading=(1,),
        depth=19,
        columns=5,
        keep_dims=False,
        asymmetric=False,
        per_channel=False,
        given_weights=True,
        bias=True,
        activation=0,
        input_scale=0.5,
        filter_scale=1.0,
        input_zero_point=127,
        filter_zero_point=-17,
        output_zero_point=127,
        gain=0.5,
        seed=5245,
    )
    schedule = "split oc 4 clamped, order (oc_o, n, oc_i, ic), jam oc_i, dual 1 4 both"
    report = Report(Draws(0))
    tried([Trial(spec, "cortex-m4", Variant.FAST, schedules=(schedule,))], report)
    assert not report.wrong, report.wrong[0]
    assert report.schedules.total() == 1


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(BLOCKS))
def test_sweep_legal_schedules_agree(block: int) -> None:
    report = Report(Draws(block))
    for part in range(PARTS):
        tried(trials(report, SWEEP, f"sweep {block} {part}"), report, EACH)
    assert not report.wrong, f"{report}\n" + "\n".join(report.wrong[:10])
    missing = [aim for aim in AIMS if not report.draws.accepted[aim]]
    assert not missing, f"no schedule has {', '.join(missing)}: {report}"


@pytest.mark.sweep
@pytest.mark.parametrize("cpu", EMULATED)
def test_sweep_instructions_agree(cpu: str) -> None:
    if shutil.which("qemu-system-arm") is None or shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("there is no emulator, or no compiler for it")
    report = Report(Draws(len(cpu)))
    some = [replace(trial, target=cpu) for trial in trials(report, sweeps.size(8, long=64), f"emulated {cpu}")]
    tried(some, report, 3, partial(emulated.run, cpu=get_cpu(cpu)))
    assert not report.wrong, f"{report}\n" + "\n".join(report.wrong[:10])
    assert report.schedules.total() >= len(some), report
