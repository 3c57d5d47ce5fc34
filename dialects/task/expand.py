"""Meaning of the step `expand` of a schedule for a nest: which loops may run inside its fold."""

from __future__ import annotations

from collections.abc import Sequence

from ..simd.dots import CHANNELS
from .checks import shortened, space_loops
from .lanes import check_order, lanes_plan
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
    for other in nest.steps:
        if isinstance(other, _IN_THE_PLACE_OF) or (isinstance(other, Expand) and other is not step):
            raise ValueError(f"{step}: it does not go with {other}")
    if not nest.fold.data:
        raise ValueError(f"{step}: there is no fold")
    space = space_loops(nest, loops)
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
    for fold, _ in shortened(nest, [loop.dim]):
        raise ValueError(f"{step}: the range of {fold} depends on it, for a read is clipped")


def _verify_dots(nest: Nest, step: Expand, loop: Loop, loops: Sequence[Loop]) -> None:
    plan = lanes_plan(nest, str(step))
    if loop.dim not in plan.packed_dims:
        raise ValueError(f"{step}: {step.dim} is no dimension of the constant alone")
    if loop.is_part and loop.extent % CHANNELS:
        raise ValueError(f"{step}: blocks have a multiple of {CHANNELS} points")
    check_order(nest, plan, loops, str(step))
