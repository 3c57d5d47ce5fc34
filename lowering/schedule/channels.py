"""Schedules of folds that keep channels apart: depthwise convolutions and pooling."""

from __future__ import annotations

import math

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.schedule import INNER, OUTER, Jam, Order, Split, Step, Whole

_SIDE_BY_SIDE = 4
"""Channels that share one pass over the window: their sums and the loop stay in the registers of a Cortex-M."""
_MOST_POINTS = 25
"""Of a window that is written out without loops where it is whole."""


def channels_schedule(nest: NestOp) -> tuple[Step, ...] | None:
    """Several neighbouring channels in one pass over the window; None if the nest does not keep channels apart.

    Every operand that the step reads must lie along the innermost dimension as the result does, so that the loops
    over the window and what they compute of places are shared.
    """
    if not nest.fold.data or nest.ordered is not None or not nest.space.data:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    accesses = [*nest.accesses("step_reads"), *nest.accesses("writes")]
    alike = all(nest.form(access.indices[-1]).terms == ((dim, 1),) for access in accesses if access.indices)
    if not alike or extent < _SIDE_BY_SIDE or any(nest.form_of(limit.index).coefficient(dim) for limit in limits(nest)):
        return None
    whole = [Whole()] if math.prod(points for _, points in nest.fold.data) <= _MOST_POINTS else []
    if extent == _SIDE_BY_SIDE:
        return (Jam(name), *whole)
    outer, inner = name + OUTER, name + INNER
    order = Order((*nest.space.names[:-1], outer, inner, *nest.fold.names))
    return Split(name, _SIDE_BY_SIDE), order, Jam(inner), *whole
