"""One loop of a nest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
