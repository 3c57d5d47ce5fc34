"""The ranges of fold dimensions, in loops: constant where no point is clipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir.affine import AffineExpr

from ...dialects.task import NestOp
from ...dialects.task.clipping import Limit, limits
from ..builder import Loops, Value
from .places import Place

Range: TypeAlias = tuple[Value, Value]
"""Points from the first up to the second (excluded)."""


def limits_of(nest: NestOp, *, clips: bool) -> dict[int, list[Limit]]:
    """What shortens the range of each fold dimension; `clips` says whether reads do."""
    found = limits(nest) if clips else []
    folds = range(len(nest.space.data), len(nest.extents))
    return {dim: [limit for limit in found if limit.dim == dim] for dim in folds}


def range_of(place: Place, dim: int, limits: Sequence[Limit]) -> Range | None:
    """The range that some limits leave of a fold dimension; None where it depends on what is not known yet."""
    needed = {p for limit in limits for p in limit.index.without(dim).positions()}
    if not all(place.knows(AffineExpr.dimension(p)) for p in needed):
        return None
    k, extent = place.k, place.nest.extents[dim]
    begin: Value = 0
    end: Value = extent
    for limit in limits:
        low, high = _ends(place, limit)
        begin = low if isinstance(begin, int) and begin == 0 else k.max(begin, low)
        end = high if isinstance(end, int) and end == extent else k.min(end, high)
    return begin, end


def _ends(place: Place, limit: Limit) -> Range:
    """Begin and end of the range that one clipped index leaves."""
    k, extent, name = place.k, place.nest.extents[limit.dim], place.nest.index_names[limit.dim]
    rest = place.value(limit.index.without(limit.dim))
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
