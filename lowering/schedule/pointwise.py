"""Schedules of nests without a fold: four neighbours in one pass of the loop, their bytes in words where that helps."""

from __future__ import annotations

from xdsl.dialects import arith

from ...dialects.simd import BYTES, ScaleByteAddOp
from ...dialects.task import NestOp, YieldOp
from ...dialects.task.packed import moves_bytes, word_reads
from ...dialects.task.schedule import INNER, OUTER, Jam, Order, Packed, Split, Step, Unroll
from ...machines.cpus import Cpu
from ..tasks.packed.lanes_of_bytes import bytes_in

_MOST_OPERATIONS = 16
"""Most operations of a body that is written out four times: in a longer one the loop counts little."""
ENOUGH_POINTS = 16
"""Along the innermost dimension, from which on they are worth while."""


def pointwise_schedule(nest: NestOp, cpu: Cpu) -> tuple[Step, ...] | None:
    """Four points of the innermost dimension at once; None where that is not known to be faster."""
    if nest.fold.data or not nest.space.data or not cpu.in_words:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    computed = [op for op in nest.finish.block.ops if not isinstance(op, YieldOp)]
    moves = moves_bytes(nest, dim)
    if extent < ENOUGH_POINTS or not (computed or moves) or any(op.regions for op in computed):
        return None
    packs = moves or _multiplies_lanes(nest, dim)
    if not packs and len(computed) > _MOST_OPERATIONS:
        return None
    outer, inner = name + OUTER, name + INNER
    order = [] if dim == 0 else [Order((*nest.space.names[:-1], outer, inner))]
    return Split(name, BYTES), *order, *((Jam(inner), Packed()) if packs else (Unroll(inner),))


def _multiplies_lanes(nest: NestOp, dim: int) -> bool:
    """Whether bytes of words are multiplied as lanes."""
    found = bytes_in(nest, word_reads(nest, "finish_reads", dim))
    return any(
        (isinstance(op, ScaleByteAddOp) and op.byte in found)
        or (isinstance(op, arith.MuliOp) and op.lhs in found and op.rhs in found)
        for op in nest.finish.block.ops
    )
