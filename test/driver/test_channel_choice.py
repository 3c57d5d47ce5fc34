"""What becomes of channels that need not be there, by what networks cost with them and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from xdsl.parser import Parser

from stillpool.dialects import nn_keys
from stillpool.driver import pipeline
from stillpool.driver.compile import channel_choice
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.cost import Cost
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model

WIDE, LIVE = 24, 8
"""Channels between both products, and how many of them have weights."""


def network() -> str:
    """Two matrix products with channels between them most of which are the zero point."""
    weights = np.zeros((WIDE, 16), np.int64)
    weights[:LIVE] = np.arange(LIVE * 16).reshape(LIVE, 16) % 15 - 7
    readers = np.arange(4 * WIDE).reshape(4, WIDE) % 13 - 6
    return f"""
    func.func @m(%x: tensor<1x16xi8>) -> tensor<1x4xi8> {{
      %w = nn.constant dense<{weights.tolist()}> : tensor<{WIDE}x16xi8>
      %h = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [-4]> clamp <-128, 127> :
        (tensor<1x16xi8>, tensor<{WIDE}x16xi8>) -> tensor<1x{WIDE}xi8>
      %v = nn.constant dense<{readers.tolist()}> : tensor<4x{WIDE}xi8>
      %r = nn.fully_connected %h, %v zero_points [0, 0, 0] rescale <[1073741824], [-4]> clamp <-128, 127> :
        (tensor<1x{WIDE}xi8>, tensor<4x{WIDE}xi8>) -> tensor<1x4xi8>
      func.return %r : tensor<1x4xi8>
    }}"""


@pytest.fixture(name="compilation")
def _compilation() -> Compilation:
    return _compiled("cortex-m0plus")


def _compiled(target: str) -> Compilation:
    module = Parser(pipeline.context(), network()).parse_module()
    return prepare(Model("m", "m.mlir", module, None), target=target)


def _gone(of: Compilation) -> int:
    """How many channels went."""
    records = [nn_keys.REMOVED.get(op.attributes) or () for op in of.module("nn").walk()]
    return sum(len(record.removals) for each in records for record in each)


def test_channels_go_where_nothing_costs_more(compilation: Compilation) -> None:
    assert _gone(compilation) == WIDE - LIVE


@pytest.mark.parametrize("target", ["cortex-m0plus", "cortex-m4", "cortex-m55"])
@pytest.mark.parametrize("off", [(), (channel_choice.STEP,)])
def test_a_network_costs_as_tasks_what_it_costs_as_loops(target: str, off: tuple[str, ...]) -> None:
    of = _compiled(target)
    of = of.planned_as(replace(of.plan, objective="balanced", rows="off", clean_ups_off=off, channel_multiple=4))
    cost = Cost.of_tasks(of.scheduled_once().clone(), target)
    assert cost is not None
    assert cost == Cost.of_loops(of.lowered_once(), target)


def test_weights_that_went_pay_for_a_kernel_of_what_stays() -> None:
    """Without their flash eight elements have plain loops, which are slower than the kernel for all channels."""
    assert _gone(_compiled("cortex-m4")) == WIDE - LIVE


@pytest.mark.parametrize("worse", ["instructions", "flash"])
def test_all_stay_where_fewer_cost_more(worse: str, compilation: Compilation, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever channels remain, each that went makes it a little worse.
    costs = iter(range(100))

    def grows(*_: object) -> Cost:
        return replace(Cost(0, 0, ()), **{worse: 1_000 * next(costs)})

    monkeypatch.setattr(channel_choice, "_cost", grows)
    assert _gone(compilation) == 0
    assert channel_choice.STEP in channel_choice.with_channels(compilation).clean_ups_off


@pytest.mark.parametrize(("bytes", "gone"), [(40, WIDE - LIVE), (41, 0)])
def test_plans_decide_where_scratch_is_more(
    bytes: int, gone: int, compilation: Compilation, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All channels, and each multiple.
    scratch = iter([[0, 0], *[[0, 1]] * 9])
    monkeypatch.setattr(channel_choice, "_cost", lambda *_: Cost(0, 0, next(scratch)))
    monkeypatch.setattr(
        Compilation, "workspace_bytes", lambda of: {"a": 40 if channel_choice.STEP in of.plan.clean_ups_off else bytes}
    )
    assert _gone(compilation) == gone


def test_schedules_may_take_the_flash_of_weights_that_went(compilation: Compilation) -> None:
    assert channel_choice.with_channels(compilation).freed_flash == (WIDE - LIVE) * (16 + 4)
    decided = channel_choice.with_channels(replace(compilation, plan=replace(compilation.plan, objective="speed")))
    assert decided.freed_flash == 0


def test_larger_multiples_are_tried(compilation: Compilation, monkeypatch: pytest.MonkeyPatch) -> None:
    # All channels, 8, and 16 of them.
    costs = iter([100, 101, 99])
    monkeypatch.setattr(channel_choice, "_cost", lambda *_: Cost(next(costs), 0, ()))
    monkeypatch.setattr(channel_choice, "_multiples", lambda first: (first, 16))
    assert _gone(compilation) == WIDE - 16


def test_it_is_decided_once_for_a_model(compilation: Compilation, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = _gone(compilation)
    monkeypatch.setattr(channel_choice, "_multiple", lambda of: pytest.fail("it was decided"))
    assert _gone(replace(compilation)) == gone


def test_without_a_processor_every_channel_goes() -> None:
    assert _gone(_compiled("host")) == WIDE - LIVE


def test_what_was_lowered_to_be_judged_is_what_is_compiled(
    compilation: Compilation, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, to_memref = list[str](), pipeline.to_memref

    def counted() -> pipeline.Passes:
        runs.append("memref")
        return to_memref()

    monkeypatch.setattr(pipeline, "to_memref", counted)
    compilation.result()
    # With all channels, and without those that go.
    assert len(runs) == 2
