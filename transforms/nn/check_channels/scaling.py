"""Ends of ranges through a requantisation, in plain integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i64

from ....dialects.fx import fixed_point
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.attributes import RescaleAttr
from ....dialects.nn.quantised_sums import QuantisedSums
from ....dialects.nn.rounding import Rounding
from .reading import factor_of

Range = tuple[int, int]


def clamped(ends: Range, clamp: Any) -> Range:
    if clamp is None:
        return ends
    lower, upper = clamp.bounds
    return min(max(ends[0], lower), upper), min(max(ends[1], lower), upper)


def _fits(value: int) -> bool:
    return fixed_point.INT32_MIN <= value <= fixed_point.INT32_MAX


def rescaled(value: int, factors: RescaleAttr, number: int) -> int | None:
    """A product with a factor; None where a word of 32 bits would not hold it."""
    multiplier, shift = factor_of(factors, number)
    if not _fits(value):
        return None
    if factors.rounding is Rounding.REAL:
        return fixed_point.rescale_real(value, multiplier, shift)
    if factors.rounding is Rounding.SINGLE:
        found = fixed_point.rescale_single(value, multiplier, shift)
        return found if _fits(found) else None
    return fixed_point.rescale(value, multiplier, shift) if _fits(value << max(shift, 0)) else None


def _wide(value: int, factors: RescaleAttr, number: int) -> int | None:
    multiplier, shift = factor_of(factors, number)
    short = 0x7FFF if multiplier >= 0x7FFF0000 else (multiplier + (1 << 15)) >> 16
    right = 15 - shift
    found = (value * short + (1 << (right - 1))) >> right
    return found if abs(value) < 1 << 47 and _fits(found) else None


def _to_element(ends: Sequence[int | None], zero_point: int, clamp: Any) -> Range:
    known = [end + zero_point for end in ends if end is not None and _fits(end + zero_point)]
    if len(known) < 2:
        return int(clamp.bounds[0]), int(clamp.bounds[1])
    return clamped((known[0], known[1]), clamp)


def requantised(ends: Range, factors: RescaleAttr, number: int, zero_point: int, clamp: Any) -> Range:
    return _to_element([rescaled(end, factors, number) for end in ends], zero_point, clamp)


def of_sums(ends: Range, quantised: QuantisedSums, channel: int, op: Accumulate) -> Range:
    factor, zero_point, clamp = quantised.factor, quantised.output_zero_point, quantised.clamp
    if isinstance(factor, RescaleAttr):
        rule = _wide if quantised.accumulator == i64 else rescaled
        return _to_element([rule(end, factor, channel) for end in ends], zero_point, clamp)
    if not all(map(_fits, ends)) or not 0 <= factor < 2.0**31:
        return int(clamp.bounds[0]), int(clamp.bounds[1])
    reals = [end * factor for end in ends]
    return _to_element(sorted(map(_half_away, reals)), zero_point, clamp)


def _half_away(real: float) -> int:
    whole = math.trunc(real)
    return whole + (int(math.copysign(1, real)) if abs(real - whole) >= 0.5 else 0)
