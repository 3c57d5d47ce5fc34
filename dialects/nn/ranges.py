"""Ranges of each channel of a tensor: least and most, in exact integers. Channels lie along the last dimension.

A requantisation is monotone whatever its rounding (`rounding.py`): the ends of a range become the ends of the result.
Where the emitted code's words might wrap, nothing is known but the clamp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from ..fx import fixed_point_arrays as arrays
from ..fx.fixed_point_arrays import Truths
from .attributes import ClampAttr, RescaleAttr
from .integers import integer_range
from .rounding import Rounding

Ends: TypeAlias = npt.NDArray[Any]
"""int64, or float64 for reals."""


@dataclass(frozen=True)
class Ranges:
    """Least and most of each channel, both included; infinite for reals of which nothing is known."""

    least: Ends
    most: Ends

    @staticmethod
    def everything(element: Attribute, channels: int) -> Ranges:
        """All that the element type has."""
        if isinstance(element, IntegerType):
            ends = integer_range(element)
            return Ranges(*(np.full(channels, end, np.int64) for end in ends))
        return Ranges(np.full(channels, -np.inf), np.full(channels, np.inf))

    @staticmethod
    def clamped(clamp: ClampAttr, channels: int) -> Ranges:
        """All that is inside integer bounds."""
        return Ranges(*(np.full(channels, int(end), np.int64) for end in clamp.bounds))

    @property
    def channels(self) -> int:
        """How many there are."""
        return len(self.least)

    @property
    def constant(self) -> Truths:
        """Which channels have one value."""
        return self.least == self.most

    @property
    def is_real(self) -> bool:
        """Whether elements are floats."""
        return self.least.dtype.kind == "f"

    def broadcast(self, channels: int) -> Ranges:
        """Return the ranges for a result with more channels, if there is one."""
        return self if self.channels == channels else self.taken(np.zeros(channels, np.int64))

    def taken(self, channels: npt.NDArray[np.int64]) -> Ranges:
        """Return the ranges of some channels, in this order."""
        return Ranges(self.least[channels], self.most[channels])

    def within(self, clamp: ClampAttr | None) -> Ranges:
        """Return the ranges after a clamp."""
        if clamp is None:
            return self
        lower, upper = clamp.bounds
        return Ranges(np.clip(self.least, lower, upper), np.clip(self.most, lower, upper))

    def less(self, zero_point: int, factor: int = 1) -> Ranges:
        """Steps above a zero point, times a positive factor."""
        return Ranges((self.least - zero_point) * factor, (self.most - zero_point) * factor)

    def squared(self) -> Ranges:
        """Squares of the elements."""
        ends = self.magnitudes()
        return ends * ends

    def magnitudes(self) -> Ranges:
        """Return the ranges of the elements without their sign."""
        largest = np.maximum(np.abs(self.least), np.abs(self.most))
        nearest = np.minimum(np.abs(self.least), np.abs(self.most))
        return Ranges(np.where((self.least <= 0) & (self.most >= 0), 0, nearest), largest)

    def by_sign(self, above: Callable[[Ranges], Ranges], below: Callable[[Ranges], Ranges]) -> Ranges:
        """Return the ranges if integers that are not negative go one way, and negative ones another."""
        first = above(Ranges(np.maximum(self.least, 0), np.maximum(self.most, 0)))
        second = below(Ranges(np.minimum(self.least, -1), np.minimum(self.most, -1)))
        both = united([first, second])
        ends = [(first.least, second.least, both.least), (first.most, second.most, both.most)]
        return Ranges(*(np.where(self.least >= 0, a, np.where(self.most < 0, b, c)) for a, b, c in ends))

    def __add__(self, other: Ranges) -> Ranges:
        return Ranges(self.least + other.least, self.most + other.most)

    def __sub__(self, other: Ranges) -> Ranges:
        return Ranges(self.least - other.most, self.most - other.least)

    def __mul__(self, other: Ranges) -> Ranges:
        pairs = [a * b for a in (self.least, self.most) for b in (other.least, other.most)]
        return Ranges(np.minimum.reduce(pairs), np.maximum.reduce(pairs))


def rescaled(values: Ranges, factors: RescaleAttr, *, is_wide: bool = False) -> tuple[Ranges, Truths]:
    """Products with fixed-point factors, one or one per channel; and of which channels they are known."""
    multipliers, shifts = (np.array(each, np.int64) for each in (factors.multipliers, factors.shifts))
    rule = _RULES[factors.rounding] if not is_wide else arrays.rescale_wide
    (least, first), (most, last) = (rule(end, multipliers, shifts) for end in (values.least, values.most))
    return Ranges(least, most), first & last


_RULES = {
    Rounding.DOUBLE: arrays.rescale,
    Rounding.SINGLE: arrays.rescale_single,
    Rounding.REAL: arrays.rescale_real,
}


def requantised(
    values: Ranges,
    factors: RescaleAttr,
    zero_point: int,
    clamp: ClampAttr,
    *,
    known: Truths | bool = True,
    is_wide: bool = False,
) -> Ranges:
    """Elements made of integers that are `known` where no word wrapped before."""
    products, exact = rescaled(values, factors, is_wide=is_wide)
    return bounded(products.less(-zero_point), exact & known, clamp)


def bounded(values: Ranges, known: Truths, clamp: ClampAttr) -> Ranges:
    """Clamped elements, of a channel that is not `known` or leaves 32 bits all that the clamp leaves."""
    known = known & arrays.within_int32(values.least) & arrays.within_int32(values.most)
    inside, bounds = values.within(clamp), Ranges.clamped(clamp, values.channels)
    return Ranges(np.where(known, inside.least, bounds.least), np.where(known, inside.most, bounds.most))


def united(parts: Sequence[Ranges]) -> Ranges:
    """Return for each channel what it is in any of the parts."""
    return Ranges(np.minimum.reduce([part.least for part in parts]), np.maximum.reduce([part.most for part in parts]))
