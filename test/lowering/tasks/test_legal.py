"""Steps that a nest does not allow: every room gives the same reason, which names the step."""

from __future__ import annotations

import numpy as np
import pytest
from random_convolutions import convolution
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from stillpool.dialects.task import NestOp, ScheduleAttr
from stillpool.dialects.task.code import Code
from stillpool.driver import pipeline
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule.known.names import parsed_steps
from stillpool.lowering.tasks.legal import is_legal, why_illegal
from stillpool.lowering.tasks.lower_tasks import LowerTasksPass

DENSE = "order (oy, ox, c_o, c_i, ky, kx, k), jam c_i"
APART = "order (oy, ox, c_o, c_i, ky, kx), jam c_i"
TOGETHER = "split c clamped: with lanes four points are written together"
CLAMPED = "split c clamped: words of the packed constant are no channel twice"


def module(*, depthwise: bool) -> ModuleOp:
    """Ten channels of a convolution without a schedule."""
    seed = next(n for n in range(999) if _channels(n, depthwise=depthwise) == 10)
    text, _, _ = convolution(np.random.default_rng(seed), "f", depthwise=depthwise, schedule=lambda *_: "whole")
    return Parser(pipeline.context(), text.replace("schedule <whole>", "")).parse_module()


def _channels(seed: int, *, depthwise: bool) -> int:
    return convolution(np.random.default_rng(seed), "f", depthwise=depthwise, schedule=lambda *_: "whole")[1]["co"]


def nest_of(parsed: ModuleOp) -> NestOp:
    return next(op for op in parsed.walk() if isinstance(op, NestOp))


class Unknown(Code):
    """That of a package, which brings no loops for it."""


def test_code_that_no_loops_carry_out_is_refused() -> None:
    parsed = module(depthwise=False)
    assert why_illegal(nest_of(parsed), [Unknown()], Constants(parsed)) == (
        "unknown: there are no loops that carry it out"
    )


@pytest.mark.parametrize(
    ("depthwise", "steps", "reason"),
    [
        *((False, f"split c 4 clamped, {DENSE}, {form}", CLAMPED) for form in ("dual 1 1", "dual 1 1 bytes")),
        *((False, f"split c 4 clamped, {DENSE}, {form}", CLAMPED) for form in ("dual 1 1 nibbles", "single 1 1")),
        (False, f"split c 4 clamped, {DENSE}, swar 1", CLAMPED),
        (True, f"split c 4 clamped, {APART}, words", "split c clamped: with words four channels are read as one word"),
        (True, f"split c 4 clamped, {APART}, lanes", TOGETHER),
        (
            False,
            f"split c 4 clamped, {DENSE}, lanes 16",
            TOGETHER,
        ),
        (False, "swar 1", "swar: a word is of two channels: jam 4 of them, or all of fewer"),
        (
            False,
            f"split c 4, {DENSE}, swar 1, reverse c_i",
            "reverse c_i: with swar channels that are jammed run in order",
        ),
        (
            False,
            f"split c 4, {DENSE}, dual 1 1 nibbles",
            "dual: the constant less its zero point does not fit four bits, or sums may leave 32",
        ),
    ],
)
def test_what_is_refused_is_refused_for_the_same_reason_everywhere(depthwise: bool, steps: str, reason: str) -> None:
    parsed = module(depthwise=depthwise)
    nest = nest_of(parsed)
    assert why_illegal(nest, parsed_steps(steps), Constants(parsed)) == reason
    assert nest.schedule is None
    nest.schedule = ScheduleAttr(parsed_steps(steps))
    with pytest.raises(PassFailedException) as refused:
        LowerTasksPass().apply(pipeline.context(), parsed)
    assert str(refused.value) == f"'task.nest' op {reason}"


@pytest.mark.parametrize("form", ["dual 1 1", "dual 1 1 bytes", "single 1 1", "lanes 16"])
def test_whole_blocks_are_allowed(form: str) -> None:
    parsed = module(depthwise=False)
    assert is_legal(nest_of(parsed), parsed_steps(f"split c 4, {DENSE}, {form}"), Constants(parsed))


def test_blocks_of_clamped_points_are_allowed_where_each_is_computed_alone() -> None:
    parsed = module(depthwise=False)
    assert is_legal(nest_of(parsed), parsed_steps(f"split c 4 clamped, {DENSE}"), Constants(parsed))


TURNED = """
"memref.global"() <{{sym_name = "w", type = memref<12x3xi8>, initial_value = dense<1> : tensor<12x3xi8>,
  sym_visibility = "private", constant}}> : () -> ()
func.func @f(%x: memref<{groups}x3xi8>, %y: memref<{groups}x{each}xi32>) {{
  %zero = arith.constant 0 : i32
  %w = memref.get_global @w : memref<12x3xi8>
  task.nest space(g = {groups}, c = {each}) fold(k = 3) where(out = {each} * g + c)
    start () {{
      task.yield %zero : i32
    }}
    step (%v = %x[g, k] : memref<{groups}x3xi8>, %u = %w[out, k] : memref<12x3xi8>) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }}
    finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}
    writes (%y[g, c] : memref<{groups}x{each}xi32>)
  func.return
}}
"""


@pytest.mark.parametrize(("groups", "each"), [(2, 6), (4, 3), (3, 4)])
def test_an_index_along_the_lanes_must_begin_a_block(groups: int, each: int) -> None:
    parsed = Parser(pipeline.context(), TURNED.format(groups=groups, each=each)).parse_module()
    steps = "split c 4, order (g, c_o, c_i, k), jam c_i, lanes" if each > 4 else "jam c, lanes"
    reason = why_illegal(nest_of(parsed), parsed_steps(steps), Constants(parsed))
    if each % 4:
        assert reason == (
            "lanes: elements of memref<12x3xi8> along c lie apart, and it is no constant of this nest alone "
            "of which each vector is a block of four"
        )
    else:
        assert reason is None


SINGLE = """
func.func @f(%x: memref<4xi32>, %one: memref<i32>, %y: memref<4xi32>) {
  task.nest space(c = 4)
    finish (%v = %x[c] : memref<4xi32>, %u = %one[] : memref<i32>) {
      %0 = arith.addi %v, %u : i32
      task.yield %0 : i32
    }
    writes (%y[c] : memref<4xi32>)
  func.return
}
"""


def test_what_has_no_dimension_is_a_reason_too() -> None:
    parsed = Parser(pipeline.context(), SINGLE).parse_module()
    reason = why_illegal(nest_of(parsed), parsed_steps("jam c, lanes"), Constants(parsed))
    assert reason == "lanes: memref<i32> has no dimension along which elements could lie"
