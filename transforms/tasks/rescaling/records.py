"""Requantisation in the fewest steps that are exact for a range of values.

The definition rounds twice: `high = (value * multiplier + 2**30) >> 31`, then `high / 2**right`, halves away from zero.

- For `-2**30 <= value < 2**30` the first is the high half of `2 * value * multiplier`, rounded, halves up.
- The second is `(high + half + sign) >> right` with `half = 2**(right - 1)` and `sign = high >> 31`, if `right >= 1`.
  The sign of the value does as well: it differs from that of `high` only where `high` is zero, and then the result is
  zero with both.
- A zero point is added as `zero_point << right` before the shift.
- Where the result is limited from below by a number that is not below the zero point, as after ReLU, no sign is needed:
  it matters for negative `high` only, which give at most the zero point with it and without.

A single rounding, halves up, is the same with a high half that is rounded down: `(floor(x) + half) >> right` with
`x = 2 * value * multiplier / 2**32`. ONNX's rounding is this where that is proved for all values (`single_form`).

Source of the definition: TensorFlow Lite `kernels/internal/common.h`, `MultiplyByQuantizedMultiplier`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ....dialects.fx.fixed_point import rescale
from ....dialects.fx.single_form import single_line
from ....lowering.emit_c.index_bounds import Interval

_DOUBLED = Interval(-(2**30), 2**30 - 1)
"""Values whose double is an i32."""
_CONSTANTS = Interval(-(2**29), 2**29)
_MOST_RESULTS = 1 << 16
"""More are not compared one by one."""
_I32 = Interval(-(2**31), 2**31 - 1)


@dataclass(frozen=True)
class Record:
    """`(high(2 * value, multiplier) + nudge + (value >> 31 if signed)) >> right` is the result.

    `high` is rounded, halves up, or down with `floor`.
    """

    multiplier: int
    nudge: int
    right: int
    signed: bool
    moved: int = 0
    """Difference from the value before."""
    floor: bool = False

    @property
    def form(self) -> tuple[bool, bool]:
        """Form that the records of a nest have in common."""
        return self.signed, self.floor


def record(
    multiplier: int, shift: int, value: Interval, *, zero_point: int = 0, limited: bool = False
) -> Record | None:
    """The numbers with which the short form computes `rescale(value, multiplier, shift) + zero_point`.

    Args:
        multiplier: Q0.31, not negative.
        shift: what the definition shifts by, to the left if positive.
        value: all values to rescale.
        zero_point: what is added.
        limited: whether results below the zero point may be anything that is not above it.

    Returns:
        None where the short form may differ, or leave 32 bits.
    """
    right = -shift if multiplier else 1
    if not value.within(_DOUBLED) or not 0 <= multiplier <= _I32.most or not 0 <= right <= 31:
        return None
    signed = not limited and right > 0
    nudge = ((1 << right) >> 1) + (zero_point << right)
    least, most = ((bound * multiplier + (1 << 30)) >> 31 for bound in value)
    sums = Interval(least + nudge - signed, most + nudge)
    if not sums.within(_I32) or not Interval(nudge - signed, nudge).within(_I32):
        return None
    return Record(multiplier, nudge, right, signed)


def single_record(
    multiplier: int, shift: int, value: Interval, *, zero_point: int = 0, moved: int = 0, added: int = 0
) -> Record | None:
    """The numbers with which the short form computes `rescale_single(value, multiplier, shift) + zero_point`.

    Args:
        multiplier: as of `record`.
        shift: as of `record`.
        value: as of `record`, before it is moved.
        zero_point: what is added to results.
        moved: what is added to values, and
        added: to high halves.

    Returns:
        None where the short form may leave 32 bits, or cannot round.
    """
    right, value = -shift if multiplier else 1, Interval(value.least + moved, value.most + moved)
    if not value.within(_DOUBLED) or not 0 <= multiplier <= _I32.most or not 1 <= right <= 31:
        return None
    nudge = ((1 << right) >> 1) + (zero_point << right) + added
    sums = Interval(*(((bound * multiplier) >> 31) + nudge for bound in value))
    fits = sums.within(_I32) and Interval(nudge, nudge).within(_I32)
    return Record(multiplier, nudge, right, False, moved, floor=True) if fits else None


def real_record(
    multiplier: int, shift: int, value: Interval, *, zero_point: int, limits: Interval, moves: bool = False
) -> Record | None:
    """Record for `rescale_real`, where the results are brought into `limits`; None where it is not proved, either.

    With `moves` the values may be moved, and what is added need not be half a step.
    """
    if not multiplier:
        return single_record(0, shift, value, zero_point=zero_point)
    if limits.most - limits.least > _MOST_RESULTS:
        return None
    factor = np.float32(math.ldexp(multiplier, shift - 31))
    ends = limits.least - zero_point, limits.most - zero_point
    line = single_line(factor, *ends, value.least, value.most, moves=moves)
    if line is None:
        return None
    return single_record(line.multiplier, -line.right, value, zero_point=zero_point, moved=line.moved, added=line.added)


def settled(
    multiplier: int,
    shift: int,
    value: Interval,
    *,
    zero_point: int = 0,
    limited: bool = False,
    limits: Interval = _I32,
    floor: bool = False,
    function: Callable[[int, int, int], int] = rescale,
) -> Record | None:
    """Record as of `record`, where all values of a range give the same result of a monotone function within `limits`.

    Channels whose weights are nearly zero are such: they shift so far that no zero point can be added before.
    """
    if multiplier < 0 or shift > 0:
        return None
    ends = (function(bound, multiplier, shift) + zero_point for bound in value)
    least, most = (min(max(end, limits.least), limits.most) for end in ends)
    if least != most or not Interval(least, least).within(_CONSTANTS):
        return None
    return Record(0, 1 + 2 * least, 1, not (limited or floor), floor=floor)


def settled_in_table(one: Record, value: Interval, *, zero_point: int = 0) -> Record | None:
    """A settled record as one whose nudge follows from its shift: a power of two for a factor, and moved values.

    The moved values lie closer around the result than half a step. A table holds its multiplier and its shift.

    Args:
        one: what `settled` gives.
        value: all values before they move.
        zero_point: what is added to results.

    Returns:
        None where the moved values would be too large.
    """
    steps, spread = (one.nudge >> 1) - zero_point, value.most - value.least
    bits = (2 * spread + 4).bit_length()
    moved = (steps << bits) - (value.least + value.most) // 2
    if not Interval(value.least + moved, value.most + moved).within(_DOUBLED):
        return None
    right = bits - 1
    return Record(2**30, (1 << right >> 1) + (zero_point << right), right, one.signed, moved, one.floor)
