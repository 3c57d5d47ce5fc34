"""Schedules for processors with vectors: four channels or elements in the lanes of one, sixteen products at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...dialects.simd import LANES
from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.schedule import INNER, OUTER, Jam, Lanes, Order, Split, Step, Whole
from ...machines.cpus import Cpu
from ..tasks.dual.constants import Constants
from ..tasks.legal import is_legal
from .byte_products import ByteProducts

_MOST_POINTS = 25
"""Most points of a window that is written out without loops where it is whole."""


def lanes_schedule(nest: NestOp, constants: Constants, cpu: Cpu, needed: Sequence[Step]) -> tuple[Step, ...] | None:
    """The fastest known schedule with lanes of a nest; None if there is none, or the processor has no vectors.

    Args:
        nest: the nest.
        constants: of the module.
        cpu: the processor.
        needed: steps that a schedule which does not write out the fold must have.
    """
    if not cpu.vector or nest.ordered is not None or not nest.space.data:
        return None
    return _products(nest, constants) or _lanewise(nest, constants, needed)


def _products(nest: NestOp, constants: Constants) -> tuple[Step, ...] | None:
    found = ByteProducts.of(nest, constants)
    if found is None:
        return None
    steps = (*_tile(nest, found.channel, found.staged), Lanes(sixteen=True))
    return steps if is_legal(nest, steps, constants) else None


def _lanewise(nest: NestOp, constants: Constants, needed: Sequence[Step]) -> tuple[Step, ...] | None:
    dim = len(nest.space.data) - 1
    if nest.extents[dim] < LANES or any(nest.form_of(limit.index).coefficient(dim) for limit in limits(nest)):
        return None
    # A factor that all lanes share would be a scalar for each of its products.
    reads = [
        {p for index in access.indices for p in nest.form(index).positions()} for access in nest.accesses("step_reads")
    ]
    if any(dim not in positions for positions in reads):
        return None
    is_short = nest.fold.data and prod(extent for _, extent in nest.fold.data) <= _MOST_POINTS
    whole = [Whole()] if is_short and not needed else []
    steps = (*needed, *_tile(nest, dim, []), *whole, Lanes())
    return steps if is_legal(nest, steps, constants) else None


def _tile(nest: NestOp, dim: int, first: Sequence[int]) -> list[Step]:
    """Four points of a dimension side by side inside of all loops, the dimensions `first` outermost."""
    names = nest.space.names
    if nest.extents[dim] <= LANES:
        outer, inner, split = [], names[dim], []
    else:
        outer, inner, split = [names[dim] + OUTER], names[dim] + INNER, [Split(names[dim], LANES)]
    others = [d for d in range(len(names)) if d != dim and d not in first]
    order = Order((*(names[d] for d in (*first, *others)), *outer, inner, *nest.fold.names))
    return [*split, order, Jam(inner)]
