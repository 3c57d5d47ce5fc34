"""The pass `narrow-sums`: sums of 64 bits become sums of 32 where constants prove that they fit.

Those of 16-bit activations mostly do. The accumulators become 32 bits wide, and what ends the nest widens them; every
result keeps its bits.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects.task import NestOp
from ...lowering.builder import Loops
from ...lowering.constants import Constants, elements
from ...lowering.emit_c.index_bounds import Interval, everything
from ...lowering.tasks.function_block import function_block
from .nests import nests_to_rewrite


class NarrowSumsPass(ModulePass):
    """Make accumulators of 64 bits i32 where every partial sum fits."""

    name: ClassVar[str] = "narrow-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest, _ in nests_to_rewrite(op):
            narrow_sums(nest, constants)


def narrow_sums(nest: NestOp, constants: Constants) -> None:
    """Make a nest's only accumulator an i32 if it is an i64 whose every partial sum fits."""
    sums = _Sums.of(nest)
    if sums is None or not sums.fit(nest, constants):
        return
    sums.narrow(nest)


class _Sums:
    """Products of an element with a constant, added to an i64."""

    def __init__(self, product: arith.MuliOp, total: arith.AddiOp, element: BlockArgument):
        self._product = product
        self._total = total
        self._element = element

    @staticmethod
    def of(nest: NestOp) -> _Sums | None:
        """Return the sums of a nest; None if its step does anything else."""
        if not nest.fold.data or nest.ordered is not None or len(nest.step_reads) != 2:
            return None
        (*reads, acc), yielded = nest.step.block.args, nest.terminator(nest.step).values
        if len(reads) != 2 or len(yielded) != 1 or acc.type != i64 or not isinstance(yielded[0].owner, arith.AddiOp):
            return None
        total = yielded[0].owner
        wide = total.rhs.owner if total.lhs is acc else None
        product = wide.input.owner if isinstance(wide, arith.ExtSIOp) else None
        if not isinstance(product, arith.MuliOp) or product.result.type != i32:
            return None
        lhs, rhs = product.lhs.owner, product.rhs.owner
        if not isinstance(lhs, arith.ExtSIOp) or not isinstance(rhs, arith.ExtSIOp) or [lhs.input, rhs.input] != reads:
            return None
        return _Sums(product, total, reads[0])

    def fit(self, nest: NestOp, constants: Constants) -> bool:
        """Whether start and products together stay below 2**31, whatever the elements and the order."""
        weights = _largest_sum(nest, constants)
        starts = _largest_start(nest, constants)
        if weights is None or starts is None:
            return False
        most = starts - everything(self._element.type).least * weights
        return Interval(-most, most).within(everything(i32))

    def narrow(self, nest: NestOp) -> None:
        """Compute with 32 bits."""
        k = Loops.in_block(function_block(nest))
        start = nest.terminator(nest.start)
        k.builder.insertion_point = InsertPoint.before(start)
        first = start.values[0]
        start.operands[0] = k.value(0, i32) if const_evaluate_operand(first) == 0 else k.narrow(first, i32)
        acc = Rewriter.replace_value_with_new_type(nest.step.block.args[-1], i32)
        k.builder.insertion_point = InsertPoint.before(self._total)
        wide = self._total.rhs.owner
        self._total.result.replace_all_uses_with(k.add(acc, self._product.result, "acc"))
        for dead in (self._total, wide):
            assert isinstance(dead, arith.AddiOp | arith.ExtSIOp), "what sums products"
            Rewriter.erase_op(dead)
        result = Rewriter.replace_value_with_new_type(nest.finish.block.args[-1], i32)
        at = nest.finish.block.first_op
        assert at is not None, "it ends with a yield"
        k.builder.insertion_point = InsertPoint.before(at)
        extended = arith.ExtSIOp(result, i64)
        k.builder.insert(extended)
        result.replace_uses_with_if(extended.result, lambda use: use.operation is not extended)


def _largest_sum(nest: NestOp, constants: Constants) -> int | None:
    """The largest sum of magnitudes of the constants that one result multiplies with; None if that is not known."""
    access = nest.accesses("step_reads")[1]
    uses = constants.uses(access.buffer)
    if uses is None or access.clip:
        return None
    folds = range(len(nest.space.data), len(nest.extents))
    dims = [*sorted(nest.dims_of(access) - {*folds}), *folds]
    of_folds = tuple(range(-len(folds), 0))
    return max(
        int(np.abs(elements(nest, access, dims, constants.values(use))).sum(axis=of_folds).max(initial=0))
        for use in uses
    )


def _largest_start(nest: NestOp, constants: Constants) -> int | None:
    """The largest magnitude of what the sums start from; None if that is not known."""
    start = nest.terminator(nest.start).values[0]
    if const_evaluate_operand(start) == 0:
        return 0
    if not isinstance(start, BlockArgument) or start.block is not nest.start.block:
        return None
    uses = constants.uses(nest.accesses("start_reads")[start.index].buffer)
    return None if uses is None else max(int(np.abs(constants.values(use)).max(initial=0)) for use in uses)
