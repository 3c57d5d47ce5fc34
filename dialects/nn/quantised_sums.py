"""How sums of products of quantised elements become results, and the ranges of these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import IntegerType, i64

from ..fx import fixed_point_arrays as arrays
from .attributes import ClampAttr, RescaleAttr
from .ranges import Ends, Ranges, bounded, requantised


@dataclass(frozen=True)
class QuantisedSums:
    """How a sum of products of quantised elements becomes the result."""

    input_zero_point: int
    filter_zero_point: int
    output_zero_point: int
    accumulator: IntegerType
    factor: RescaleAttr | float
    """In fixed point for the tensor or by channel, or as a double."""
    clamp: ClampAttr

    def anything(self, channels: int) -> Ranges:
        """Results of which nothing more is known."""
        return Ranges.clamped(self.clamp, channels)


def of_sums(sums: Ranges, quantised: QuantisedSums) -> Ranges:
    """Elements made of the accumulators of a product, whatever they are requantised with."""
    factor, is_wide = quantised.factor, quantised.accumulator == i64
    if isinstance(factor, RescaleAttr):
        return requantised(sums, factor, quantised.output_zero_point, quantised.clamp, is_wide=is_wide)
    reals = [end.astype(np.float64) * factor for end in (sums.least, sums.most)]
    steps = np.sort([_half_away(real) for real in reals], axis=0)
    steps = np.clip(steps, -(2.0**40), 2.0**40).astype(np.int64) + quantised.output_zero_point
    known = arrays.within_int32(sums.least) & arrays.within_int32(sums.most)
    return bounded(Ranges(steps[0], steps[1]), known & _is_small(factor), quantised.clamp)


def _half_away(reals: Ends) -> Ends:
    whole = np.trunc(reals)
    return whole + np.where(np.abs(reals - whole) >= 0.5, np.sign(reals), 0)


def _is_small(factor: float) -> bool:
    """Whether a factor that is a double is one of quantised scales: not negative and finite."""
    return 0 <= factor < 2.0**31
