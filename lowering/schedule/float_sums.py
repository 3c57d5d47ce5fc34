"""Schedules of sums of floats, which keep the order of their terms.

Channels run side by side: they share what the step reads of the other operand, the loops, and the places. Their sums
do not wait for each other, and each is made in the order of the task, so that its bits stay.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.schedule import INNER, OUTER, Jam, Order, Split, Step, Unroll
from ...machines.cpus import Cpu

_SIDE_BY_SIDE = 8
"""Channels whose weights have a pointer each in the integer registers of a Cortex-M; 4 take a tenth more instructions,
16 spill."""
_SHORTEST_LOOP = 4
"""Terms up to which the innermost loop is written out."""


def float_sums_schedule(nest: NestOp, cpu: Cpu) -> tuple[Step, ...] | None:
    """Several neighbouring channels in one pass over the fold; None if the nest sums no floats or there is no FPU."""
    if not cpu.fpu or nest.ordered is None or not nest.fold.data or not nest.space.data:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    if any(value.type != f32 for value in nest.accumulators) or extent < 2:
        return None
    if any(nest.form_of(limit.index).coefficient(dim) for limit in limits(nest)):
        return None
    innermost, terms = nest.fold.data[-1]
    clipped = any(nest.form_of(limit.index).coefficient(len(nest.extents) - 1) for limit in limits(nest))
    unrolled = [Unroll(innermost)] if 1 < terms <= _SHORTEST_LOOP and not clipped else []
    if extent <= _SIDE_BY_SIDE:
        return (Jam(name), *unrolled)
    outer, inner = name + OUTER, name + INNER
    order = Order((*nest.space.names[:-1], outer, inner, *nest.fold.names))
    return (Split(name, _SIDE_BY_SIDE), order, Jam(inner), *unrolled)
