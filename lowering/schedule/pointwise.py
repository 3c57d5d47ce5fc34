"""Schedules of nests without a fold: four neighbours in one pass of the loop, their bytes in words where that helps."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.simd import BYTES, ScaleByteAddOp
from ...dialects.task import NestOp, YieldOp
from ...dialects.task.packed import number_of, word_reads
from ...dialects.task.schedule import INNER, OUTER, Jam, Order, Packed, Split, Step, Unroll
from ...machines.cpus import Cpu
from ..builder import Loops
from ..tasks.function_block import function_block
from ..tasks.packed.lanes_of_bytes import bytes_in

_MOST_OPERATIONS = 16
"""Of a body that is written out four times: in a longer one the loop counts little."""
ENOUGH_POINTS = 16
"""Along the innermost dimension, from which on they are worth while."""


def pointwise_schedule(nest: NestOp, cpu: Cpu) -> tuple[Step, ...] | None:
    """Four points of the innermost dimension at once; None where that is not known to be faster."""
    if nest.fold.data or not nest.space.data or not cpu.in_words:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    computed = [op for op in nest.finish.block.ops if not isinstance(op, YieldOp)]
    if extent < ENOUGH_POINTS or not computed or any(op.regions for op in computed):
        return None
    packs = _multiplies_lanes(nest, dim)
    if not packs and len(computed) > _MOST_OPERATIONS:
        return None
    outer, inner = name + OUTER, name + INNER
    order = [] if dim == 0 else [Order((*nest.space.names[:-1], outer, inner))]
    return Split(name, BYTES), *order, *((Jam(inner), Packed()) if packs else (Unroll(inner),))


def double_early(nest: NestOp) -> None:
    """Double a factor of lanes in the place of a product, `(a + a) * b` for `(a * b) * 2`: two at once."""
    if nest.fold.data or not nest.space.data:
        return
    found = bytes_in(nest, word_reads(nest, "finish_reads", len(nest.space.data) - 1))
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.MuliOp) or op.lhs not in found or op.rhs not in found:
            continue
        users = [use.operation for use in op.result.uses]
        doubles = [user for user in users if _is_doubled(user)]
        if not doubles or not all(_is_doubled(user) or _is_sign(user) for user in users):
            continue
        k = Loops.in_block(function_block(nest))
        k.builder.insertion_point = InsertPoint.before(op)
        twice = k.value(k.add(op.lhs, op.lhs, "twice"), i32)
        product = k.value(k.mul(twice, op.rhs, "product"), i32)
        op.result.replace_all_uses_with(product)
        for user in doubles:
            user.results[0].replace_all_uses_with(product)
            Rewriter.erase_op(user)
        Rewriter.erase_op(op)


def _is_doubled(op: Operation) -> bool:
    return isinstance(op, arith.MuliOp) and number_of(op.rhs) == 2


def _is_sign(op: Operation) -> bool:
    return isinstance(op, arith.ShRSIOp) and number_of(op.rhs) == 31


def _multiplies_lanes(nest: NestOp, dim: int) -> bool:
    """Whether bytes of words are multiplied as lanes."""
    found = bytes_in(nest, word_reads(nest, "finish_reads", dim))
    return any(
        (isinstance(op, ScaleByteAddOp) and op.byte in found)
        or (isinstance(op, arith.MuliOp) and op.lhs in found and op.rhs in found)
        for op in nest.finish.block.ops
    )
