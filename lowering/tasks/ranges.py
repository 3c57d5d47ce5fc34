"""The ranges of fold dimensions, in loops: constant where no point is clipped."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.clipping import Limit, limits
from ..builder import Loops, Value
from .places import Places

Range: TypeAlias = tuple[Value, Value]
"""Points from the first up to the second (excluded)."""


class FoldRanges:
    """The ranges of all fold dimensions of a nest, each computed as soon as it is known."""

    def __init__(self, nest: NestOp, *, clips: bool = True):
        """`clips` says whether reads shorten the ranges."""
        self._nest = nest
        self._dims = range(len(nest.space.data), len(nest.extents))
        found = limits(nest) if clips else []
        self._limits = {dim: [limit for limit in found if limit.dim == dim] for dim in self._dims}
        self._known: dict[int, Range] = {}

    def copy(self) -> FoldRanges:
        """Return a copy of the ranges; what becomes known to the copy is not seen outside."""
        other = FoldRanges.__new__(FoldRanges)
        other.__dict__ |= self.__dict__
        other._known = dict(self._known)
        return other

    def advance(self, k: Loops, places: Places) -> None:
        """Compute the ranges for which all that they depend on is known now."""
        for dim in (dim for dim in self._dims if dim not in self._known):
            needed = {p for limit in self._limits[dim] for p in limit.index.without(dim).positions()}
            if all(places.knows(AffineExpr.dimension(p)) for p in needed):
                self._known[dim] = self._range(k, dim, places)

    def of(self, dim: int) -> Range:
        """The range of a fold dimension, which is known."""
        return self._known[dim]

    def taps(self, k: Loops) -> Value:
        """The number of fold points inside all ranges."""
        counts = [k.sub(end, begin) for begin, end in map(self._known.__getitem__, self._dims)]
        total: Value = 1
        for number, count in enumerate(counts, 1):
            total = k.mul(total, count, "taps" if number == len(counts) else None)
        return total

    def _range(self, k: Loops, dim: int, places: Places) -> Range:
        extent = self._nest.extents[dim]
        name = self._nest.fold.names[dim - self._dims.start]
        begin: Value = 0
        end: Value = extent
        for limit in self._limits[dim]:
            low, high = _ends(k, limit, places, extent, name)
            begin = low if isinstance(begin, int) and begin == 0 else k.max(begin, low)
            end = high if isinstance(end, int) and end == extent else k.min(end, high)
        return begin, end


def _ends(k: Loops, limit: Limit, places: Places, extent: int, name: str) -> Range:
    """Begin and end of the range that one clipped index leaves."""
    rest = places.value(k, limit.index.without(limit.dim))
    begin: Value = 0
    end: Value = extent
    if limit.step > 0:
        if limit.clips_low:
            begin = k.max(_ceil(k, k.sub(0, rest), limit.step), 0, f"{name}_begin")
        if limit.clips_high:
            end = k.min(_ceil(k, k.sub(limit.extent, rest), limit.step), extent, f"{name}_end")
        return begin, end
    # An index that counts down: it is low where the fold index is high.
    step = -limit.step
    if limit.clips_high:
        begin = _ceil(k, k.max(k.sub(rest, limit.extent - 1), 0), step)
    end = k.add(k.div(rest, step), 1)
    if limit.most_of_rest // step >= extent:
        end = k.min(end, extent)
    return begin, end


def _ceil(k: Loops, value: Value, divisor: int) -> Value:
    """The quotient rounded up; for negative values only something not positive (division truncates)."""
    return k.div(k.add(value, divisor - 1), divisor)
