"""From a schedule to the loops of a nest: which parts of which dimensions, in which order, as what.

The rules of legality are here, once: for the verifier, the lowering, and whoever searches schedules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .clipping import limits
from .dual import is_dual, verify_dual
from .expand import expand_step, verify_expand
from .lanes import lanes_step, verify_lanes
from .loop import Form, Loop
from .packed import is_packed, verify_packed
from .schedule import INNER, OUTER, Jam, Order, Reverse, Split, Unroll, Whole, Words
from .structure import Nest
from .tensorize import tensorize_step, verify_tensorize
from .winograd import verify_winograd, winograd_step
from .words import is_quads, verify_quads, verify_words, words_step


def planned_loops(nest: Nest) -> list[Loop]:
    """The loops of a nest, outermost first, jammed ones last among those of the space.

    Raises:
        ValueError: a step of the schedule names no dimension, or may change the result.
    """
    loops = [Loop(name, d, extent) for d, (name, extent) in enumerate((*nest.space.data, *nest.fold.data))]
    first_fold = len(nest.space.data)
    for step in () if nest.schedule is None else nest.schedule.data:
        match step:
            case Split(dim, size, clamped):
                at = _find(loops, dim)
                if clamped and loops[at].dim >= first_fold:
                    raise ValueError(f"{step}: it is a fold dimension, whose points count once")
                if clamped and not nest.repeats:
                    raise ValueError(
                        f"{step}: the nest reads what it writes, so that its last points would count twice"
                    )
                loops[at : at + 1] = _split(loops[at], size, clamped=clamped)
            case Order(dims):
                loops = _ordered(loops, dims, ordered_fold=first_fold if nest.ordered is not None else None)
            case Jam(dim):
                at = _find(loops, dim)
                if loops[at].dim >= first_fold:
                    raise ValueError(f"jam {dim}: it is a fold dimension, whose points share one accumulator")
                loops[at] = _formed(loops[at], "jam")
            case Unroll(dim):
                at = _find(loops, dim)
                loops[at] = _formed(loops[at], "unroll")
            case Reverse(dim):
                at = _find(loops, dim)
                if loops[at].dim >= first_fold and nest.ordered is not None:
                    raise ValueError(f"reverse {dim}: the fold is ordered")
                loops[at] = replace(loops[at], reverse=not loops[at].reverse)
            case Whole():
                if is_dual(nest):
                    raise ValueError("whole: with dual nothing is clipped")
            case Words():
                if is_dual(nest) or Whole() in (() if nest.schedule is None else nest.schedule.data):
                    raise ValueError("words: it stands in the place of dual and whole")
            case _:
                pass  # What is computed inside of the loops.
    if is_quads(nest):
        if is_dual(nest) or words_step(nest) is not None:
            raise ValueError("quads: it stands in the place of dual and words")
        verify_quads(nest, loops)
    if (winograd := winograd_step(nest)) is not None:
        verify_winograd(nest, winograd, loops)
    elif is_dual(nest):
        verify_dual(nest, loops)
    elif (words := words_step(nest)) is not None:
        verify_words(nest, words, loops)
    elif not _copies_bytes(nest):
        _verify_ranges(nest, loops)
    loops = _verified(loops, first_fold)
    if is_packed(nest):
        verify_packed(nest, loops)
    if (lanes := lanes_step(nest)) is not None:
        verify_lanes(nest, lanes, loops)
    if (expand := expand_step(nest)) is not None:
        verify_expand(nest, expand, loops)
    if (tensorize := tensorize_step(nest)) is not None:
        verify_tensorize(nest, tensorize, loops)
    return loops


def _copies_bytes(nest: Nest) -> bool:
    """Whether what is clipped is copied as its zero point, so that the fold is always whole."""
    lanes, expand = lanes_step(nest), expand_step(nest)
    return (lanes is not None and lanes.sixteen) or (expand is not None and expand.dots)


def _verify_ranges(nest: Nest, loops: list[Loop]) -> None:
    """Check that nothing which clipping shortens has a number of points that must be known in advance."""
    jammed = {loop.dim: loop.name for loop in loops if loop.form == "jam"}
    for limit in limits(nest):
        for loop in loops:
            if loop.dim == limit.dim and (loop.is_part or loop.form == "unroll"):
                what = "split" if loop.is_part else "unroll"
                raise ValueError(f"{what} {loop.dim_name or loop.name}: clipping makes its range depend on the place")
        for dim, name in jammed.items():
            if nest.form_of(limit.index).coefficient(dim):
                fold = nest.index_names[limit.dim]
                raise ValueError(f"jam {name}: the range of {fold} depends on it, for a read is clipped")


def _verified(loops: list[Loop], first_fold: int) -> list[Loop]:
    free = [loop for loop in loops if loop.dim < first_fold and loop.form != "jam"]
    jammed = [loop for loop in loops if loop.form == "jam"]
    folds = [loop for loop in loops if loop.dim >= first_fold]
    outermost_fold = loops.index(folds[0]) if folds else len(loops)
    for loop in free:
        if loops.index(loop) > outermost_fold:
            raise ValueError(f"order: space dimension {loop.name} inside the fold must be jammed")
    for loop in loops:
        inner = next((other for other in loops if other.dim == loop.dim and not other.is_outer), loop)
        if loop.is_outer and [*free, *jammed, *folds].index(inner) < [*free, *jammed, *folds].index(loop):
            raise ValueError(f"order: {inner.name} must be inside {loop.name}")
        if loop.is_outer and loop.clamped and inner.form != "jam":
            raise ValueError(f"split {loop.dim_name}: the points of a clamped block must be jammed")
        if loop.is_outer and loop.form == "jam":
            raise ValueError(f"jam {loop.name}: only the points of a block can be jammed")
    return [*free, *jammed, *folds]


def _find(loops: list[Loop], name: str) -> int:
    for at, loop in enumerate(loops):
        if loop.name == name:
            return at
    raise ValueError(f"schedule: there is no dimension {name} (there are {', '.join(loop.name for loop in loops)})")


def _split(loop: Loop, size: int, *, clamped: bool) -> Iterator[Loop]:
    if loop.is_part:
        raise ValueError(f"split {loop.name}: it is a part of a split already")
    if loop.form != "loop" or loop.reverse:
        raise ValueError(f"split {loop.name}: split it before it is jammed, unrolled or reversed")
    if not 2 <= size <= max(2, loop.extent):
        raise ValueError(f"split {loop.name} {size}: blocks have from 2 to {loop.extent} points")
    outer, inner = loop.name + OUTER, loop.name + INNER
    clamped = clamped and loop.extent % size > 0
    blocks = loop.extent // size + clamped
    yield replace(loop, name=outer, dim_name=loop.name, extent=blocks, stride=size, clamped=clamped)
    yield replace(loop, name=inner, dim_name=loop.name, extent=size, clamped=clamped)


def _formed(loop: Loop, form: Form) -> Loop:
    if loop.form != "loop":
        raise ValueError(f"{form} {loop.name}: it is {loop.form}med already".replace("unrollmed", "unrolled"))
    return replace(loop, form=form)


def _ordered(loops: list[Loop], dims: tuple[str, ...], ordered_fold: int | None) -> list[Loop]:
    by_name = {loop.name: loop for loop in loops}
    if sorted(dims) != sorted(by_name):
        raise ValueError(f"order names {', '.join(dims)}: it must name each of {', '.join(by_name)} once")
    if ordered_fold is not None:
        before = [loop.name for loop in loops if loop.dim >= ordered_fold]
        after = [name for name in dims if by_name[name].dim >= ordered_fold]
        if before != after:
            raise ValueError(f"order: the fold is ordered, {', '.join(before)} must stay in this order")
    return [by_name[name] for name in dims]
