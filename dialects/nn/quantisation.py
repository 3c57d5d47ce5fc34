"""How a quantised operation computes, in one view of its properties; other operations have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .attributes import ClampAttr, RescaleAttr


@dataclass(frozen=True)
class Steps:
    """Quantised elements as integer steps of their scales."""

    zero_points: Sequence[int]
    """Zero points of the operands, then of the result where it has one."""
    rescale: RescaleAttr
    """Fixed-point factors; each operation says which."""


@dataclass(frozen=True)
class Quantisation(Steps):
    """Quantisation of an operation whose result is quantised as well."""

    clamp: ClampAttr
    """Integer bounds of the result."""
    left_shift: int = 0
    """Bits of head room that operands get before they are rescaled."""

    @property
    def headroom(self) -> int:
        """The factor that the head room is."""
        return 1 << self.left_shift
