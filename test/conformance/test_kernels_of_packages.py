"""Operators on a processor with kernels of a package, here in plain C: the same results as the reference."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plain_kernels import PLAIN, One, installed
from test_operators import EVERY_DAY, SWEEP, check, specs_of

from stillpool import compile
from stillpool.dialects.task import NestOp
from stillpool.dialects.task.steps import Tensorize
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import StillpoolError
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule import schedule_pass
from stillpool.machines import cpus
from stillpool.machines.cpus import get_cpu
from stillpool.tune.choice import Choice
from stillpool.tune.moves import Moves

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"


@pytest.fixture
def scheduled() -> Iterator[set[str]]:
    """The kernels that schedules call, on the processor `plain`, which has some."""
    cpu = replace(get_cpu("rv32imc"), name="plain", instruction_sets=("rv32imc", "plain"))
    found = set[str]()
    put = schedule_pass.put_schedule

    def noted(nest: Any, steps: Any) -> None:
        found.update(step.kernel for step in steps if isinstance(step, Tensorize))
        put(nest, steps)

    with installed() as patch:
        patch.setattr(cpus, "ADDED", One("plain", cpu))
        patch.setattr(schedule_pass, "put_schedule", noted)
        yield found


OPERATORS = {
    "CONV_2D": {"plain.dot", "plain.window"},
    "DEPTHWISE_CONV_2D": {"plain.window"},
    "FULLY_CONNECTED": {"plain.dot"},
    "TRANSPOSE_CONV": set[str](),
}
"""Operators, and kernels that some of them call."""


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_agree(operator: str, scheduled: set[str]) -> None:
    check(specs_of(operator, EVERY_DAY), target="plain", optimize="speed")
    assert scheduled >= OPERATORS[operator]


@pytest.mark.sweep
@pytest.mark.parametrize("operator", OPERATORS)
def test_sweep_operators_agree(operator: str, scheduled: set[str]) -> None:
    check(specs_of(operator, SWEEP), target="plain", optimize="speed")
    assert scheduled >= OPERATORS[operator]


def test_rows_call_kernels(scheduled: set[str]) -> None:
    for rows in ("on", "auto"):
        check(specs_of("DEPTHWISE_CONV_2D", EVERY_DAY), target="plain", optimize="ram", rows=rows)
    assert "plain.window" in scheduled


@pytest.mark.parametrize(
    ("sets", "why"),
    [
        (("rv32imc", "lost"), "processor plain: there is no instruction set lost (plain installed)"),
        (("rv32imc", "plain"), "processor plain: the meaning of kernel plain.dot: "),
    ],
)
def test_what_is_wrong_with_a_set_is_told(sets: tuple[str, ...], why: str) -> None:
    cpu = replace(get_cpu("rv32imc"), name="plain", instruction_sets=sets)
    broken = replace(PLAIN, kernels=(replace(PLAIN.kernels[0], meaning="func.func @none() { func.return }"),))
    with installed(broken) as patch:
        patch.setattr(cpus, "ADDED", One("plain", cpu))
        with pytest.raises(StillpoolError, match=re.escape(why)):
            compile(DIGITS, target="plain", optimize="speed")


def test_a_search_finds_them() -> None:
    cpu = replace(get_cpu("rv32imc"), name="plain", instruction_sets=("rv32imc", "plain"))
    with installed() as patch:
        patch.setattr(cpus, "ADDED", One("plain", cpu))
        module = prepare(DIGITS, target="plain", optimize="speed").module("tasks")
        nests = [op for op in module.walk() if isinstance(op, NestOp)]
        called = {nest: step for nest in nests for step in nest.steps if isinstance(step, Tensorize)}
        assert {step.kernel for step in called.values()} == {"plain.dot", "plain.window"}
        for nest, step in called.items():
            assert Choice.of(nest, nest.steps).form == step
            found = Moves(nest, Constants(module), cpu).around(Choice.plain(nest))
            assert step in [choice.form for choice in found]
