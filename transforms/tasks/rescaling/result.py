"""What becomes of a sum, and the record with which a channel computes that.

Records are remembered: a network that is lowered whole, by rows and with less scratch memory has the same channels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from ....dialects.fx import RescaleOp, RescaleRealOp, RescaleWideOp
from ....dialects.fx.fixed_point import rescale, rescale_real, rescale_single
from ....dialects.fx.ops import Rescaling
from ....lowering.emit_c.index_bounds import Interval
from .records import Record, real_record, record, settled, settled_in_table, single_record

_MOST_KNOWN = 1 << 16
_DEFINITIONS: Mapping[type[Rescaling], Callable[[int, int, int], int]] = {
    RescaleOp: rescale,
    RescaleWideOp: rescale_single,
    RescaleRealOp: rescale_real,
}


@dataclass(frozen=True)
class Result:
    """A rescaling and what follows it."""

    kind: type[Rescaling]
    zero_point: int
    """What is added."""
    limits: Interval
    """Bounds that it is brought into."""

    @property
    def limited(self) -> bool:
        """Whether what is below the zero point is raised to it, or higher."""
        return self.limits.least >= self.zero_point

    def record(self, multiplier: int, shift: int, value: Interval, *, moves: bool = False) -> Record | None:
        """The numbers of the short form for a factor, for which with `moves` sums may start from others."""
        if self.kind is RescaleWideOp:
            return single_record(multiplier, shift, value, zero_point=self.zero_point)
        if self.kind is RescaleRealOp:
            return real_record(multiplier, shift, value, zero_point=self.zero_point, limits=self.limits, moves=moves)
        return record(multiplier, shift, value, zero_point=self.zero_point, limited=self.limited)


@lru_cache(_MOST_KNOWN)
def record_of_channel(
    result: Result, multiplier: int, shift: int, bounds: Interval, *, is_own: bool, in_table: bool
) -> Record | None:
    """The numbers of a channel.

    Args:
        result: what becomes of its sums.
        multiplier: of its factor.
        shift: of its factor.
        bounds: of its sums.
        is_own: whether the bounds are those of this channel alone: one with a single result needs no sum.
        in_table: whether tables of multipliers and shifts must say the same.
    """
    function = _DEFINITIONS[result.kind]
    floor = function is not rescale
    single = partial(settled, multiplier, shift, bounds, zero_point=result.zero_point, limited=result.limited)
    single = partial(single, floor=floor, function=function)
    kept = (single() if is_own else None) or result.record(multiplier, shift, bounds, moves=is_own and not in_table)
    kept = kept or (single(limits=result.limits) if is_own else None)
    if kept is None or not in_table or (kept.multiplier and kept.right > 0):
        return kept
    if kept.multiplier:
        return None
    is_zero_point = kept.nudge == 1 + 2 * result.zero_point
    return kept if is_zero_point else settled_in_table(kept, bounds, zero_point=result.zero_point)
