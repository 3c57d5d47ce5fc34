"""One loop of a nest, and what several steps ask of all of them; where it is not so, a ValueError says `why`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import Literal

Form = Literal["loop", "unroll", "jam"]


@dataclass(frozen=True)
class Loop:
    """One loop: a dimension, or what `split` made of it."""

    name: str
    dim: int
    """Position of the dimension among space and fold dimensions."""
    extent: int
    """Points at most; the blocks of a split that have all of theirs."""
    stride: int = 1
    """Steps along the dimension from one point to the next."""
    form: Form = "loop"
    reverse: bool = False

    dim_name: str = ""
    """Name of the dimension that the loop is a part of; empty where it is all of it."""
    clamped: bool = False
    """Whether its points beyond the end of the dimension are the last one again."""
    is_fold: bool = False
    """Whether the dimension is one of the fold."""

    @property
    def is_outer(self) -> bool:
        """Whether it runs over the blocks of a split."""
        return self.stride > 1

    @property
    def is_part(self) -> bool:
        """Whether it is one of the two loops of a split."""
        return bool(self.dim_name)

    @property
    def is_plain(self) -> bool:
        """Whether it is a loop over all points of a dimension, in order."""
        return not self.is_part and self.form == "loop" and not self.reverse

    def sequence(self) -> Sequence[int]:
        """The points in the order in which they run."""
        return range(self.extent)[:: -1 if self.reverse else 1]

    def extent_of_tail(self, extents: Sequence[int]) -> int:
        """Points of the dimension that fill no block."""
        return extents[self.dim] % self.stride if self.is_outer and not self.clamped else 0


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
    inside = [loop for loop in dropwhile(lambda loop: loop.dim in dims, free) if loop.dim in dims]
    if inside:
        raise ValueError(why.format(inside[-1].name))
