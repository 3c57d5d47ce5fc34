"""From a schedule to the loops of a nest: which parts of which dimensions, in which order, as what.

The rules of legality are here, once: for the verifier, the lowering, and whoever searches schedules.
"""

from __future__ import annotations

from .checks import fold_loops, jammed_loops, space_loops
from .clipping import limits
from .dual import is_dual, verify_dual
from .expand import verify_expand, verify_tensorize
from .lanes import verify_lanes
from .loop import Loop
from .packed import is_packed, verify_packed
from .rewrites import Rewrite, check_first
from .schedule import Expand, Lanes, Tensorize, Whole, Winograd, Words
from .structure import Nest
from .winograd import verify_winograd
from .words import is_quads, verify_quads, verify_words


def planned_loops(nest: Nest) -> list[Loop]:
    """The loops of a nest, outermost first, jammed ones last among those of the space.

    Raises:
        ValueError: a step of the schedule names no dimension, or may change the result.
    """
    loops = [Loop(name, d, extent) for d, (name, extent) in enumerate((*nest.space.data, *nest.fold.data))]
    check_first(nest.steps)
    for step in nest.steps:
        loops = step.planned(nest, loops)
    if nest.step_of(Rewrite) is not None:
        # What the others mean for the nests that this one makes is asked of those.
        return loops
    _verify_alone(nest)
    if is_quads(nest):
        if is_dual(nest) or nest.step_of(Words) is not None:
            raise ValueError("quads: it stands in the place of dual and words")
        verify_quads(nest, loops)
    if (winograd := nest.step_of(Winograd)) is not None:
        verify_winograd(nest, winograd, loops)
    elif is_dual(nest):
        verify_dual(nest, loops)
    elif (words := nest.step_of(Words)) is not None:
        verify_words(nest, words, loops)
    elif not _copies_bytes(nest):
        _verify_ranges(nest, loops)
    loops = _in_order(nest, loops)
    if is_packed(nest):
        verify_packed(nest, loops)
    if (lanes := nest.step_of(Lanes)) is not None:
        verify_lanes(nest, lanes, loops)
    if (expand := nest.step_of(Expand)) is not None:
        verify_expand(nest, expand, loops)
    if (tensorize := nest.step_of(Tensorize)) is not None:
        verify_tensorize(nest, tensorize, loops)
    return loops


def _verify_alone(nest: Nest) -> None:
    """Check what stands in the place of other steps."""
    for step in nest.steps:
        if isinstance(step, Whole) and is_dual(nest):
            raise ValueError("whole: with dual nothing is clipped")
        if isinstance(step, Words) and (is_dual(nest) or Whole() in nest.steps):
            raise ValueError("words: it stands in the place of dual and whole")


def _copies_bytes(nest: Nest) -> bool:
    """Whether what is clipped is copied as its zero point, so that the fold is always whole."""
    lanes, expand = nest.step_of(Lanes), nest.step_of(Expand)
    return (lanes is not None and lanes.sixteen) or (expand is not None and expand.dots)


def _verify_ranges(nest: Nest, loops: list[Loop]) -> None:
    """Check that nothing which clipping shortens has a number of points that must be known in advance."""
    for limit in limits(nest):
        form, fold = nest.form_of(limit.index), nest.index_names[limit.dim]
        for loop in loops:
            if loop.dim == limit.dim and (loop.is_part or loop.form == "unroll"):
                what = "split" if loop.is_part else "unroll"
                raise ValueError(f"{what} {loop.dim_name or loop.name}: clipping makes its range depend on the place")
        for loop in jammed_loops(loops):
            if form.coefficient(loop.dim):
                raise ValueError(f"jam {loop.name}: the range of {fold} depends on it, for a read is clipped")


def _in_order(nest: Nest, loops: list[Loop]) -> list[Loop]:
    """The loops with jammed ones last among those of the space.

    Raises:
        ValueError: one of them stands where it cannot be.
    """
    jammed, folds = jammed_loops(loops), fold_loops(nest, loops)
    free = [loop for loop in space_loops(nest, loops) if loop.form != "jam"]
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
