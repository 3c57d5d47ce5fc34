"""The pass `double-early`: a factor is doubled in the place of a product, `(a + a) * b` for `(a * b) * 2`.

The short form of a rescaling starts from twice the value. Factors that are bytes of words are lanes, of which one
addition doubles two; products are not.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.task import NestOp
from ...dialects.task.packed import word_reads
from ...lowering.builder import Loops
from ...lowering.tasks.ending import doublings, remove
from ...lowering.tasks.function_block import function_block
from ...lowering.tasks.packed.lanes_of_bytes import bytes_in
from .nests import nests_to_rewrite


class DoubleEarlyPass(ModulePass):
    """Double factors of lanes in the place of their products."""

    name: ClassVar[str] = "double-early"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nest, form in nests_to_rewrite(op):
            if form.records:
                double_early(nest)


def double_early(nest: NestOp) -> None:
    """Double a factor of lanes in the place of a product."""
    if nest.fold.data or not nest.space.data:
        return
    found = bytes_in(nest, word_reads(nest, "finish_reads", len(nest.space.data) - 1))
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.MuliOp) or op.lhs not in found or op.rhs not in found:
            continue
        doubles = doublings(op.result)
        if not doubles:
            continue
        k = Loops.in_block(function_block(nest))
        k.builder.insertion_point = InsertPoint.before(op)
        twice = k.value(k.add(op.lhs, op.lhs, "twice"), i32)
        product = k.value(k.mul(twice, op.rhs, "product"), i32)
        op.result.replace_all_uses_with(product)
        remove(doubles)
        Rewriter.erase_op(op)
