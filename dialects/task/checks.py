"""What several steps ask of the loops of a nest; where it is not so, a ValueError says `why`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from .clipping import limits
from .loop import Loop
from .structure import Nest


def jammed_alone(loops: Sequence[Loop], fits: Callable[[Loop], bool], why: str) -> Loop:
    """The only loop whose points run side by side, in order, and which fits."""
    jammed = [loop for loop in loops if loop.form == "jam"]
    if len(jammed) != 1 or jammed[0].reverse or not fits(jammed[0]):
        raise ValueError(why)
    return jammed[0]


def check_unclamped(loops: Sequence[Loop], why: str) -> None:
    """Check that no points are computed twice; `why` has a place for the dimension."""
    for loop in loops:
        if loop.clamped:
            raise ValueError(why.format(loop.dim_name))


def check_fold(loops: Sequence[Loop], why: str) -> None:
    """Check that loops of the fold are those of its dimensions, in order."""
    for loop in loops:
        if loop.is_fold and not loop.is_plain:
            raise ValueError(f"{loop.dim_name or loop.name}: {why}")


def check_outside(loops: Sequence[Loop], dims: Collection[int], why: str) -> None:
    """Check that loops over some dimensions of the space are outside of all others of it, for what they share.

    Neither jammed loops nor those of one point count; `why` has a place for a loop that is inside.
    """
    free = [loop for loop in loops if not loop.is_fold and loop.form != "jam" and loop.extent > 1]
    first = next((n for n, loop in enumerate(free) if loop.dim not in dims), len(free))
    for loop in reversed(free[first:]):
        if loop.dim in dims:
            raise ValueError(why.format(loop.name))


def shortened(nest: Nest, dims: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The fold dimensions whose range depends on one of some dimensions of the space, each with that dimension."""
    for limit in limits(nest):
        yield from ((nest.index_names[limit.dim], dim) for dim in dims if limit.form.coefficient(dim))
