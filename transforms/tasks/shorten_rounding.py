"""The pass `shorten-rounding`: floats are rounded to integers in the fewest steps that are exact.

`round(x)` with halves away from zero, limited by two integers, is what limits `x` by the same and rounds then. Twice
that is a float without an error, `h` is it without its fraction, and `(h + 1 + sign) >> 1` with the sign -1 or 0 of `h`
is the result: for `h = 2 * n` and for `h = 2 * n - 1`, which is at least a half, it is `n` where `n` is positive, and
so below zero. Processors with floats but without an instruction that rounds them so (FPv4) need 20 instructions for it.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.task import NestOp
from ...lowering.builder import Loops
from ...lowering.tasks.function_block import function_block
from .nests import nests_to_rewrite

_MOST = 2**22
"""Up to which twice a number is exact, and fits an i32."""
_ABOVE, _BELOW = (arith.CMPF_COMPARISON_OPERATIONS.index(name) for name in ("ogt", "olt"))
"""Comparisons that are false for what is no number."""


class ShortenRoundingPass(ModulePass):
    """Round integers in the place of floats."""

    name: ClassVar[str] = "shorten-rounding"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nest, _ in nests_to_rewrite(op):
            shorten_rounding(nest)


def shorten_rounding(nest: NestOp) -> None:
    """Round integers in the place of floats where the end of a nest rounds and limits these."""
    k = Loops.in_block(function_block(nest))
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.FPToSIOp) or op.input.type != f32 or op.result.type != i32:
            continue
        rounded = _limited(op.input)
        if rounded is None:
            continue
        rounded.result.replace_all_uses_with(rounded.operand)
        Rewriter.erase_op(rounded)
        k.builder.insertion_point = InsertPoint.before(op)
        halves = k.emit(arith.FPToSIOp(k.addf(op.input, op.input), i32), "halves")
        nudged = k.add(k.value(k.add(halves, 1), i32), k.shift_right(halves, 31, "sign"))
        op.result.replace_all_uses_with(k.shift_right(k.value(nudged, i32), 1))
        Rewriter.erase_op(op)


def _limited(value: SSAValue) -> math.RoundOp | None:
    """Operation that rounds a number between two integers; None if its result is used elsewhere, or not limited."""
    for predicate in (_BELOW, _ABOVE):
        select = value.owner
        if not isinstance(select, arith.SelectOp) or not isinstance(compare := select.cond.owner, arith.CmpfOp):
            return None
        limit = select.rhs.owner
        if not isinstance(limit, arith.ConstantOp) or not isinstance(limit.value, FloatAttr):
            return None
        bound, uses = limit.value.value.data, list(select.lhs.uses)
        is_limit = compare.predicate.value.data == predicate and compare.lhs is select.lhs
        if not is_limit or compare.rhs is not select.rhs or len(uses) != 2 or bound != int(bound) or abs(bound) > _MOST:
            return None
        value = select.lhs
    return value.owner if isinstance(value.owner, math.RoundOp) else None
