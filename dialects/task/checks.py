"""What several steps of a schedule ask of the loops of a nest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .clipping import limits
from .loop import Loop
from .structure import Nest


def space_loops(nest: Nest, loops: Sequence[Loop]) -> list[Loop]:
    """The loops over the space, in their order."""
    return [loop for loop in loops if loop.dim < len(nest.space.data)]


def fold_loops(nest: Nest, loops: Sequence[Loop]) -> list[Loop]:
    """The loops over the fold, in their order."""
    return [loop for loop in loops if loop.dim >= len(nest.space.data)]


def jammed_loops(loops: Sequence[Loop]) -> list[Loop]:
    """The loops whose points run side by side, in their order."""
    return [loop for loop in loops if loop.form == "jam"]


def check_fold(nest: Nest, loops: Sequence[Loop], why: str) -> None:
    """Check that loops of the fold are those of its dimensions, in order.

    Raises:
        ValueError: one is not; `why` says why it should be.
    """
    for loop in fold_loops(nest, loops):
        if not loop.is_plain:
            raise ValueError(f"{loop.dim_name or loop.name}: {why}")


def misplaced(nest: Nest, loops: Sequence[Loop], outer: Collection[int]) -> list[Loop]:
    """The loops over `outer` dimensions of the space that stand inside one over another dimension of it.

    Neither jammed loops nor those of one point count.
    """
    free = [loop for loop in space_loops(nest, loops) if loop.form != "jam" and loop.extent > 1]
    first = next((n for n, loop in enumerate(free) if loop.dim not in outer), len(free))
    return [loop for loop in free[first:] if loop.dim in outer]


def shortened(nest: Nest, dims: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The fold dimensions whose range depends on one of some dimensions of the space, each with that dimension."""
    for limit in limits(nest):
        form = nest.form_of(limit.index)
        yield from ((nest.index_names[limit.dim], dim) for dim in dims if form.coefficient(dim))
