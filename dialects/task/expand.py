"""Meaning of the step `expand` of a schedule for a nest: which loops may run inside its fold."""

from __future__ import annotations

from collections.abc import Sequence

from ..simd.dots import CHANNELS
from .clipping import limits
from .lanes import lanes_plan
from .loop import Loop
from .schedule import Collect, Direct, Expand, InWords, Lanes, Quads, Whole, Words
from .structure import Nest

MOST_POINTS = 1024
"""Most points whose sums lie in an array on the stack."""

_IN_THE_PLACE_OF = (InWords, Whole, Words, Direct, Quads, Lanes, Collect)


def verify_expand(nest: Nest, step: Expand, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step.

    Args:
        nest: the nest.
        step: of its schedule.
        loops: in their order, those of the space first.

    Raises:
        ValueError: it does not go with `expand`.
    """
    steps = () if nest.schedule is None else nest.schedule.data
    for other in steps:
        if isinstance(other, _IN_THE_PLACE_OF) or (isinstance(other, Expand) and other is not step):
            raise ValueError(f"{step}: it does not go with {other}")
    if not nest.fold.data:
        raise ValueError(f"{step}: there is no fold")
    space = [loop for loop in loops if loop.dim < len(nest.space.data)]
    loop = next((loop for loop in loops if loop.name == step.dim), None)
    if loop is None or loop is not (space[-1] if space else None) or loop.is_outer:
        raise ValueError(f"{step}: {step.dim} is not the innermost loop over space")
    if any(one.form == "jam" for one in space) or loop.form != "loop" or loop.reverse:
        raise ValueError(f"{step}: no loop is jammed, and this one neither unrolled nor reversed")
    if loop.extent > MOST_POINTS:
        raise ValueError(f"{step}: sums of {loop.extent} points do not fit on the stack, split it ({MOST_POINTS})")
    if step.dots:
        _verify_dots(nest, step, loop, loops)
        return
    for limit in limits(nest):
        if nest.form_of(limit.index).coefficient(loop.dim):
            fold = nest.index_names[limit.dim]
            raise ValueError(f"{step}: the range of {fold} depends on it, for a read is clipped")


def _verify_dots(nest: Nest, step: Expand, loop: Loop, loops: Sequence[Loop]) -> None:
    try:
        plan = lanes_plan(nest)
    except ValueError as error:
        raise ValueError(str(error).replace("lanes 16: ", f"{step}: ", 1)) from error
    first_fold = len(nest.space.data)
    if loop.dim not in plan.packed_dims:
        raise ValueError(f"{step}: {step.dim} is no dimension of the constant alone")
    if loop.is_part and loop.extent % CHANNELS:
        raise ValueError(f"{step}: blocks have a multiple of {CHANNELS} points")
    inside = False
    for one in (one for one in loops if one.dim < first_fold and one.extent > 1):
        if inside and one.dim in plan.staged_dims:
            raise ValueError(f"order: with {step} {one.name} must be outside of what only the constant depends on")
        inside = inside or one.dim not in plan.staged_dims
    for one in loops:
        if one.dim >= first_fold and (one.is_part or one.form != "loop" or one.reverse):
            raise ValueError(f"{one.dim_name or one.name}: with {step} the fold runs in order")
