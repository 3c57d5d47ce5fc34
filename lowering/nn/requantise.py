"""The way from an int32 accumulator to a quantised element, and the clamps of fused activations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.arith import FPToSIOp, SIToFPOp
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, f64, i8, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.fx import ops as fx
from ...dialects.fx.fixed_point import REAL_LIMIT
from ...dialects.nn import ClampAttr, RescaleAttr
from ...dialects.nn.integers import integer_range
from ...dialects.nn.interfaces import element_type_of
from ...dialects.nn.quantisation import Quantisation
from ...dialects.nn.rounding import Rounding
from ..builder import Loops
from .kernel import Kernel
from .nest import Place

INT32_MAX = 2**31 - 1

FLOAT32_LOWEST = -3.4028234663852886e38
"""The lowest finite float32, from which TensorFlow Lite's maxima start."""


def fits_int32(bound: int) -> bool:
    """Whether no value of at most this magnitude overflows int32: then additions are marked `nsw`."""
    return bound <= INT32_MAX


def largest_magnitude(element: Attribute, zero_point: int) -> int:
    """Largest magnitude of an element of this integer type less its zero point."""
    return max(abs(bound - zero_point) for bound in integer_range(element))


def steps(k: Loops, value: SSAValue, element: Attribute, zero_point: int, headroom: int = 1) -> tuple[SSAValue, int]:
    """An element less its zero point as i32, times `headroom`, and the largest magnitude of that."""
    bound = largest_magnitude(element, zero_point) * headroom
    return k.mul(k.sub(k.extend(value), zero_point), headroom, wraps=not fits_int32(bound)), bound


@dataclass(frozen=True)
class Factor:
    """Multiplier and shift as i32 values, and the largest value the shift may have."""

    multiplier: SSAValue
    shift: SSAValue
    max_shift: int
    rounding: Rounding = Rounding.DOUBLE

    @staticmethod
    def of(k: Loops, factors: RescaleAttr, number: int = 0) -> Factor:
        """A factor known at compile time."""
        shift = factors.shifts[number]
        return Factor(k.value(factors.multipliers[number], i32), k.value(shift, i32), shift, factors.rounding)

    def apply(self, k: Loops, value: SSAValue, bound: int) -> tuple[SSAValue, int]:
        """Emit `value * multiplier * 2**(shift - 31)`, rounded as the factor says.

        `bound` is the largest magnitude of the value; that of the result is returned (2**31: may be anything).
        """
        result = self._product(k, value)
        if self.rounding is Rounding.REAL:
            return result, REAL_LIMIT
        scaled = bound << self.max_shift if self.max_shift >= 0 else (bound >> -self.max_shift) + 1
        # A left shift that overflows wraps, so nothing is known of its result.
        return result, min(scaled, 2**31)

    def _product(self, k: Loops, value: SSAValue) -> SSAValue:
        match self.rounding:
            case Rounding.DOUBLE:
                made = fx.RescaleOp(value, self.multiplier, self.shift, right_only=self.max_shift <= 0)
            case Rounding.SINGLE:
                right = k.value(k.sub(31, self.shift), i32)
                made = fx.RescaleWideOp(k.extend(value, i64), self.multiplier, right)
            case Rounding.REAL:
                made = fx.RescaleRealOp(value, self.multiplier, self.shift)
        return k.emit(made)


@dataclass(frozen=True)
class WideFactor:
    """Factor of i64 values, like `Factor`: a multiplier of 16 bits and a right shift, with a single rounding."""

    multiplier: SSAValue
    shift: SSAValue
    max_shift: int

    @staticmethod
    def of(k: Loops, factors: RescaleAttr, number: int = 0) -> WideFactor:
        """A factor known at compile time."""
        multipliers, shifts = reduced(factors)
        return WideFactor(k.value(multipliers[number], i32), k.value(shifts[number], i32), factors.shifts[number])

    def apply(self, k: Loops, value: SSAValue, bound: int) -> tuple[SSAValue, int]:
        """Emit `value * multiplier / 2**shift` as i32; bounds as for `Factor.apply`."""
        result = k.emit(fx.RescaleWideOp(value, self.multiplier, self.shift))
        return result, min((bound << max(self.max_shift, 0)) + 1, 2**31)


def reduced(factors: RescaleAttr) -> tuple[list[int], list[int]]:
    """Multipliers of 16 bits and right shifts for 64-bit accumulators.

    Source: TensorFlow Lite `MultiplyByQuantizedMultiplier(int64_t, ...)`.
    """
    multipliers = [0x7FFF if m >= 0x7FFF0000 else (m + (1 << 15)) >> 16 for m in factors.multipliers]
    return multipliers, [15 - shift for shift in factors.shifts]


class Requantiser:
    """Rescales, adds the output's zero point, clamps and truncates; factors per channel come from tables."""

    def __init__(
        self,
        k: Kernel,
        factors: RescaleAttr,
        zero_point: int,
        clamp: ClampAttr,
        element: Attribute,
        accumulator: IntegerType = i32,
    ):
        self._factors = factors
        self._zero_point = zero_point
        self._clamp = clamp
        self._element = element
        self._kind, width = (WideFactor, np.int16) if accumulator == i64 else (Factor, np.int32)
        self._tables: tuple[SSAValue, SSAValue] | None = None
        if factors.is_per_channel:
            pairs = factors.multipliers, factors.shifts
            multipliers, shifts = reduced(factors) if accumulator == i64 else pairs
            self._tables = (
                k.table(np.array(multipliers, width), "multiplier"),
                k.table(np.array(shifts, np.int8), "shift"),
            )

    def apply(self, k: Kernel, acc: SSAValue, channel: Place, bound: int) -> SSAValue:
        """The element for accumulator `acc`, whose magnitude is at most `bound`."""
        rescaled, bound = self._factor(k, channel).apply(k, acc, bound)
        wraps = not fits_int32(bound + abs(self._zero_point))
        return k.narrow(clamp_integer(k, k.add(rescaled, self._zero_point, wraps=wraps), self._clamp), self._element)

    def _factor(self, k: Kernel, channel: Place) -> Factor | WideFactor:
        if self._tables is None:
            return self._kind.of(k, self._factors)
        multiplier, shift = (k.extend(k.load(table, [channel])) for table in self._tables)
        if self._kind is WideFactor:
            return WideFactor(multiplier, shift, max(self._factors.shifts))
        return Factor(multiplier, shift, max(self._factors.shifts), self._factors.rounding)


@dataclass(frozen=True)
class RealRequantiser:
    """Requantiser like `Requantiser` with a factor that is a double: products are rounded halves away from zero."""

    factor: float
    zero_point: int
    clamp: ClampAttr
    element: Attribute

    def apply(self, k: Kernel, acc: SSAValue, channel: Place, bound: int) -> SSAValue:
        """The element for accumulator `acc`; saturates whatever its magnitude."""
        real = k.mulf(k.emit(SIToFPOp(acc, f64)), k.floating(self.factor, f64))
        lower, upper = (int(limit) - self.zero_point for limit in self.clamp.bounds)
        steps = saturated_integer(k, k.round_half_away(real), lower, upper)
        return k.narrow(k.add(steps, self.zero_point), self.element)


def requantised(k: Kernel, value: SSAValue, bound: int, quantised: Quantisation, number: int) -> SSAValue:
    """The element of the operator's first result for an i32 of magnitude `bound`, by one of its factors."""
    factor, zero_point = quantised.rescale.factor(number), quantised.zero_points[-1]
    element = element_type_of(k.op.results[0])
    return Requantiser(k, factor, zero_point, quantised.clamp, element).apply(k, value, 0, bound)


def clamp_integer(k: Loops, value: SSAValue, clamp: ClampAttr) -> SSAValue:
    """Emit `min(max(value, lower), upper)` on i32."""
    lower, upper = clamp.bounds
    assert isinstance(lower, int), "verified: integer results have integer bounds"
    assert isinstance(upper, int), "verified: integer results have integer bounds"
    return k.min(k.max(value, lower), upper)


def clamp_in_range(k: Loops, value: SSAValue, clamp: ClampAttr | None, element: Attribute = i8) -> SSAValue:
    """Clamp like `clamp_integer` a value inside the range of `element`: emit nothing if the clamp is that range."""
    return value if clamp is None or clamp.bounds == integer_range(element) else clamp_integer(k, value, clamp)


def saturated_integer(k: Loops, value: SSAValue, lower: int, upper: int) -> SSAValue:
    """A whole float as i32 between two bounds; NaN gives the lower one.

    Saturates while still a float, so that the conversion is defined for every value.
    """
    assert isinstance(value.type, Float32Type | Float64Type), "only floats are converted"
    least, most = (k.floating(float(bound), value.type) for bound in (lower, upper))
    value = k.select(k.comparef("ogt", value, least), value, least)
    value = k.select(k.comparef("olt", value, most), value, most)
    return k.emit(FPToSIOp(value, i32))


def clamp_float(k: Loops, value: SSAValue, clamp: ClampAttr | None) -> SSAValue:
    """Emit C++'s `min(max(value, lower), upper)`: infinite bounds do nothing, NaN stays NaN."""
    if clamp is None:
        return value
    lower, upper = (float(bound) for bound in clamp.bounds)
    for bound, beyond in ((lower, "olt"), (upper, "ogt")):
        if not math.isinf(bound):
            limit = k.floating(bound)
            value = k.select(k.comparef(beyond, value, limit), limit, value)
    return value
