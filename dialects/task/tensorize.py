"""Meaning of the step `tensorize` of a schedule for a nest: which loops may become a call of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from .checks import shortened, space_loops
from .expand import MOST_POINTS
from .loop import Loop
from .schedule import Order, Reverse, Split, Tensorize, Unroll
from .structure import Nest

_BESIDE = (Order, Split, Unroll, Reverse)
"""Steps of the loops around the call."""


def verify_tensorize(nest: Nest, step: Tensorize, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step; what the kernel means is asked where kernels are known.

    Args:
        nest: the nest.
        step: of its schedule.
        loops: in their order, those of the space first.

    Raises:
        ValueError: it does not go with `tensorize`.
    """
    for other in nest.steps:
        if other is not step and not isinstance(other, _BESIDE):
            raise ValueError(f"{step}: it does not go with {other}")
    if not nest.fold.data:
        raise ValueError(f"{step}: there is no fold")
    if nest.ordered is not None:
        raise ValueError(f"{step}: the fold is ordered, and a kernel sums in an order of its own")
    space = space_loops(nest, loops)
    fold = [loop for loop in loops if loop.dim >= len(nest.space.data)]
    named = [loop.name for loop in loops if loop.name in step.dims]
    count = sum(loop.name in step.dims for loop in space)
    inside = [*space[len(space) - count :], *fold[len(fold) - len(step.dims) + count :]]
    if named != list(step.dims) or [loop.name for loop in inside] != named or len(inside) == count:
        raise ValueError(f"{step}: its loops are not the innermost ones of the space, then of the fold")
    for loop in inside:
        if loop.is_outer or loop.form != "loop" or loop.reverse:
            raise ValueError(f"{step}: {loop.name} is no loop over single points in order")
    points = prod(loop.extent for loop in inside[:count])
    if points > MOST_POINTS:
        raise ValueError(f"{step}: sums of {points} points do not fit on the stack, split them ({MOST_POINTS})")
    for fold_name, dim in shortened(nest, [loop.dim for loop in inside[:count]]):
        name = next(loop.name for loop in inside if loop.dim == dim)
        raise ValueError(f"{step}: the range of {fold_name} depends on {name}, for a read is clipped")
