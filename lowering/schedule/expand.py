"""Schedules for processors whose compilers find vectors in loops: the channels of a point in the innermost loops."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.simd.dots import CHANNELS
from ...dialects.task import NestOp
from ...dialects.task.schedule import INNER, OUTER, Expand, Order, Split, Step
from ..tasks.dual.constants import Constants
from ..tasks.legal import is_legal
from .byte_products import ByteProducts

_LEAST_POINTS = 4
"""Side by side from which on vectors pay."""
_MOST_SUMS = 256
"""Most sums of an array that stays in the fastest cache beside what is multiplied."""


def expand_schedule(nest: NestOp, constants: Constants, needed: Sequence[Step]) -> tuple[Step, ...] | None:
    """The fastest known schedule of a fold; None if there is none.

    Args:
        nest: the nest.
        constants: of the module.
        needed: steps that a schedule which does not write out the fold must have.
    """
    if not nest.fold.data or nest.ordered is not None or not nest.space.data:
        return None
    found = (_dots(nest, constants), _channels(nest, needed))
    return next((steps for steps in found if steps is not None and is_legal(nest, steps, constants)), None)


def _dots(nest: NestOp, constants: Constants) -> tuple[Step, ...] | None:
    found = ByteProducts.of(nest, constants)
    return None if found is None else _inside(nest, found.channel, found.staged, dots=True)


def _channels(nest: NestOp, needed: Sequence[Step]) -> tuple[Step, ...] | None:
    """All operands lie along the innermost dimension as the result does, or do not depend on it."""
    dim = len(nest.space.data) - 1
    for access in (*nest.accesses("step_reads"), *nest.accesses("writes")):
        forms = [nest.form(index).coefficient(dim) for index in access.indices]
        if any(forms) and (any(forms[:-1]) or forms[-1] != 1):
            return None
    if nest.extents[dim] < _LEAST_POINTS:
        return None
    return (*needed, *_inside(nest, dim, [], dots=False))


def _inside(nest: NestOp, dim: int, first: list[int], *, dots: bool) -> tuple[Step, ...]:
    """A dimension inside of all loops over space, the dimensions `first` outermost."""
    names, size = nest.space.names, _MOST_SUMS // CHANNELS * CHANNELS
    is_split = nest.extents[dim] > size
    outer, inner = ([names[dim] + OUTER], names[dim] + INNER) if is_split else ([], names[dim])
    others = [d for d in range(len(names)) if d != dim and d not in first]
    order = (*(names[d] for d in (*first, *others) if d != dim), *outer, inner, *nest.fold.names)
    split = (Split(names[dim], size),) if is_split else ()
    kept = () if not is_split and order == (*names, *nest.fold.names) else (Order(order),)
    return *split, *kept, Expand(inner, dots)
