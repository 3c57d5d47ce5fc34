"""Meaning of the steps `expand` and `tensorize` for a nest: which loops run inside its fold, on sums in an array."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..simd.dots import CHANNELS
from .checks import shortened
from .lanes import verify_bytes
from .loop import Loop
from .schedule import Expand, Tensorize
from .structure import Nest

MOST_POINTS = 1024
"""Most points whose sums lie in an array on the stack."""


def verify_expand(nest: Nest, step: Expand, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step, as `Rule.check`."""
    if not nest.fold.data:
        raise ValueError(f"{step}: there is no fold")
    space = [loop for loop in loops if not loop.is_fold]
    loop = next((loop for loop in loops if loop.name == step.dim), None)
    if loop is None or loop is not (space[-1] if space else None) or loop.is_outer:
        raise ValueError(f"{step}: {step.dim} is not the innermost loop over space")
    if any(one.form == "jam" for one in space) or loop.form != "loop" or loop.reverse:
        raise ValueError(f"{step}: no loop is jammed, and this one neither unrolled nor reversed")
    if loop.extent > MOST_POINTS:
        raise ValueError(f"{step}: sums of {loop.extent} points do not fit on the stack, split it ({MOST_POINTS})")
    if not step.dots:
        for fold, _ in shortened(nest, [loop.dim]):
            raise ValueError(f"{step}: the range of {fold} depends on it, for a read is clipped")
        return
    if loop.is_part and loop.extent % CHANNELS:
        raise ValueError(f"{step}: blocks have a multiple of {CHANNELS} points")
    verify_bytes(nest, loop.dim, loops, str(step))


def verify_tensorize(nest: Nest, step: Tensorize, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step, as `Rule.check`.

    What the kernel means is asked where kernels are known.
    """
    space, fold = ([loop for loop in loops if loop.is_fold == is_fold] for is_fold in (False, True))
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
