"""From a schedule to the loops of a nest: which parts of which dimensions, in which order, as what.

What is legal is asked here, once: by the verifier, the lowering, and whoever searches schedules. Steps say it of
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from .clipping import limits
from .code import Code, writes_out
from .loop import Loop
from .step import Rewrite, loops_in_order
from .structure import Nest


def planned_loops(nest: Nest) -> list[Loop]:
    """The loops of a nest, outermost first, jammed ones last among those of the space.

    Raises:
        ValueError: a step of the schedule names no dimension, or may change the result.
    """
    rewrites = [isinstance(step, Rewrite) for step in nest.steps]
    if rewrites != sorted(rewrites, reverse=True):
        late = nest.steps[rewrites.index(True, rewrites.index(False))]
        raise ValueError(f"{late}: it makes other nests, and comes before the steps that make loops")
    loops = loops_of(nest)
    if any(rewrites):
        # What the others mean for the nests that this one makes is asked of those.
        return loops
    _verify_points(nest, loops)
    if not writes_out(nest.steps):
        _verify_ranges(nest, loops)
    code = [step for step in nest.steps if isinstance(step, Code)]
    for number, step in enumerate(code):
        for other in code[:number]:
            if not isinstance(other, step.beside) and not isinstance(step, other.beside):
                raise ValueError(f"{step}: it does not go with {other}")
        if step.reorders and nest.ordered is not None:
            raise ValueError(f"{step}: the fold is ordered, and it sums in an order of its own")
        step.check(nest, loops)
    return loops


def loops_of(nest: Nest) -> list[Loop]:
    """The `planned_loops` of a nest that has them: its steps are not asked again whether they go with each other."""
    loops = loops_in_order(nest)
    for step in nest.steps:
        loops = step.planned(nest, loops)
    return loops if nest.step_of(Rewrite) is not None else _in_order(loops)


def _verify_points(nest: Nest, loops: Sequence[Loop]) -> None:
    """Check that loops run over each point of the nest once, and over those of an ordered fold in order."""
    for dim, extent in enumerate(nest.extents):
        match sorted((loop.stride, loop.extent, loop.clamped) for loop in loops if loop.dim == dim):
            case [(1, points, _)]:
                is_all = points == extent
            case [(1, size, _), (stride, blocks, clamped)]:
                is_all = size == stride and blocks == (-(-extent // stride) if clamped else extent // stride)
            case _:
                is_all = False
        if not is_all:
            raise ValueError(f"schedule: loops do not run over the {extent} points of {nest.index_names[dim]} once")
    folds = [loop for loop in loops if loop.is_fold]
    in_order = sorted(folds, key=lambda loop: (loop.dim, -loop.stride))
    if nest.ordered is not None and (folds != in_order or any(loop.reverse for loop in folds)):
        names = ", ".join(loop.name for loop in in_order)
        raise ValueError(f"schedule: the fold is ordered, its loops are {names}, from the first point on")


def _verify_ranges(nest: Nest, loops: list[Loop]) -> None:
    """Check that nothing which clipping shortens has a number of points that must be known in advance."""
    for limit in limits(nest):
        fold = nest.index_names[limit.dim]
        for loop in loops:
            if loop.dim == limit.dim and (loop.is_part or loop.form == "unroll"):
                what = "split" if loop.is_part else "unroll"
                raise ValueError(f"{what} {loop.dim_name or loop.name}: clipping makes its range depend on the place")
            if loop.form == "jam" and limit.form.coefficient(loop.dim):
                raise ValueError(f"jam {loop.name}: the range of {fold} depends on it, for a read is clipped")


def _in_order(loops: list[Loop]) -> list[Loop]:
    """The loops with jammed ones last among those of the space.

    Raises:
        ValueError: one of them stands where it cannot be.
    """
    jammed, folds = [loop for loop in loops if loop.form == "jam"], [loop for loop in loops if loop.is_fold]
    free = [loop for loop in loops if not loop.is_fold and loop.form != "jam"]
    for loop in free:
        if folds and loops.index(loop) > loops.index(folds[0]):
            raise ValueError(f"order: space dimension {loop.name} inside the fold must be jammed")
    ordered = [*free, *jammed, *folds]
    for loop in (loop for loop in loops if loop.is_outer):
        inner = next((other for other in loops if other.dim == loop.dim and not other.is_outer), loop)
        if ordered.index(inner) < ordered.index(loop):
            raise ValueError(f"order: {inner.name} must be inside {loop.name}")
        if loop.clamped and inner.form != "jam":
            raise ValueError(f"split {loop.dim_name}: the points of a clamped block must be jammed")
        if loop.form == "jam":
            raise ValueError(f"jam {loop.name}: only the points of a block can be jammed")
    return ordered
