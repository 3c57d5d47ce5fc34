"""Functions of 8-bit elements as tables of all 256 results, by the arithmetic of TFLite's reference kernels.

The float forms use float32 where the kernels do; library functions are evaluated in double and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...dialects.fx.fixed_point import (
    inverse_square_root,
    logistic,
    rescale,
    rounding_shift_right,
    saturating_shift_left,
    tanh,
)
from ...dialects.fx.interpolation import table
from .quantisation import QuantisationError, float32_product, quantize_multiplier, round_half_away


@dataclass(frozen=True)
class Scales:
    """Quantisation of a function's input and result."""

    input_scale: float
    input_zero_point: int
    output_scale: float
    output_zero_point: int
    range: tuple[int, int]
    """Least and largest element."""

    def steps(self) -> range:
        """Every input less the zero point, in order."""
        lower, upper = self.range
        return range(lower - self.input_zero_point, upper - self.input_zero_point + 1)

    def clamped(self, value: int) -> int:
        """The nearest element."""
        return max(self.range[0], min(value, self.range[1]))

    def results(self, function: Callable[[int], int]) -> list[int]:
        """The table of a function from steps above zero to steps above zero."""
        return [self.clamped(self.output_zero_point + function(steps)) for steps in self.steps()]


def real_function(scales: Scales, function: Callable[[float], float]) -> list[int]:
    """The table of a function of reals (`LUTPopulate`, `PopulateLookupTable`)."""
    inverse = np.float32(1) / np.float32(scales.output_scale)

    def entry(steps: int) -> int:
        real = float32_product(scales.input_scale, steps)
        with np.errstate(over="ignore"):
            result = float(np.float32(function(real)))
        if math.isinf(result) or math.isnan(result):
            return 1 << 20 if result > 0 else -(1 << 20)
        with np.errstate(over="ignore"):
            rounded = float(np.float32(result) * inverse)
        return round_half_away(max(-1e6, min(rounded, 1e6)))

    return scales.results(entry)


def exponential(x: float) -> float:
    """`exp`; infinite where a double is."""
    return math.exp(x) if x < 700 else math.inf


def exponential16(scales: Scales) -> list[int]:
    """EXP of int16."""
    return _interpolated(scales, exponential)


def logarithm16(scales: Scales) -> list[int]:
    """LOG of int16; the lowest result stands for what has no logarithm."""
    lowest = float32_product(scales.output_scale, scales.range[0] - scales.output_zero_point)
    return _interpolated(scales, lambda x: math.log(x) if x > 0 else lowest)


def _interpolated(scales: Scales, function: Callable[[float], float]) -> list[int]:
    with np.errstate(over="ignore", invalid="ignore"):
        entries = table(
            function, scales.input_scale, scales.input_zero_point, scales.output_scale, scales.output_zero_point
        )
    return [int(entry) for entry in entries]


def rescaled(scales: Scales, factor: float, function: Callable[[int], int] = lambda steps: steps) -> list[int]:
    """The table of a function on integers, rescaled by a factor."""
    multiplier, shift = quantize_multiplier(factor)
    return scales.results(lambda steps: rescale(function(steps), multiplier, shift))


def two_slopes(scales: Scales, positive: float, negative: float) -> list[int]:
    """The table of a function of two slopes, of which the negative side's may be negative."""
    multiplier, shift = quantize_multiplier(positive)
    other, right = quantize_multiplier(abs(negative))
    sign = -1 if negative < 0 else 1

    def entry(steps: int) -> int:
        return rescale(steps, multiplier, shift) if steps >= 0 else rescale(steps, sign * other, right)

    return scales.results(entry)


def _sigmoid(scales: Scales, function: Callable[[int], int], fraction_bits: int) -> list[int]:
    """The table of a fixed-point function of Q4.27 that saturates outside of a radius."""
    _, shift = math.frexp(scales.input_scale * 2.0**27)
    radius = math.floor(15 * 2.0**27 / 2.0**shift)
    # Without a radius nothing is left to multiply.
    multiplier, shift = quantize_multiplier(scales.input_scale * 2.0**27) if radius else (0, 0)

    def entry(steps: int) -> int:
        if abs(steps) >= radius:
            return (1 << 20) if steps > 0 else -(1 << 20)
        return rounding_shift_right(function(rescale(steps, multiplier, shift)), 31 - fraction_bits)

    return scales.results(entry)


def logistic_table(scales: Scales) -> list[int]:
    """LOGISTIC; the output has the scale 1/256."""
    return _sigmoid(scales, logistic, 8)


def tanh_table(scales: Scales) -> list[int]:
    """TANH; the output has the scale 1/128."""
    return _sigmoid(scales, tanh, 7)


def _high_mul_16(a: int, b: int) -> int:
    """Gemmlowp's `SaturatingRoundingDoublingHighMul` of two int16."""
    return (1 << 15) - 1 if a == b == -(1 << 15) else (a * b + (1 << 14)) >> 15


def _truncated(product: int) -> int:
    """A product of two Q0.15, rounded toward zero."""
    return product >> 15 if product >= 0 else -(-product >> 15)


def hard_swish_table(scales: Scales) -> list[int]:
    """HARD_SWISH in 16-bit fixed point (`reference_ops::HardSwish`)."""
    with np.errstate(all="ignore"):
        fine = np.float32(1 / 128) * np.float32(scales.input_scale)
        to_output = float(fine / np.float32(scales.output_scale))
        to_unit = float(fine / (np.float32(3) / np.float32(32768)))
    output_multiplier, output_shift = _sixteen_bits(to_output)
    unit_multiplier, unit_shift = _sixteen_bits(to_unit)
    if output_shift > 0:
        raise QuantisationError(f"the output scale {scales.output_scale:g} is too small for the input's")

    def entry(steps: int) -> int:
        wide = steps * 128
        before_shift = _high_mul_16(wide, output_multiplier)
        unit = saturating_shift_left(wide, unit_shift - 1, 16) if unit_shift > 0 else wide
        unit = _high_mul_16(unit, unit_multiplier)
        if unit_shift > 0:
            unit = saturating_shift_left(unit, 1, 16)
        else:
            unit = rounding_shift_right(unit, -unit_shift)
        return rounding_shift_right(_truncated(((unit + (1 << 15)) >> 1) * before_shift), -output_shift)

    return scales.results(entry)


def _sixteen_bits(factor: float) -> tuple[int, int]:
    """A factor as Q0.15 multiplier and left shift (`DownScaleInt32ToInt16Multiplier`)."""
    multiplier, shift = quantize_multiplier(factor)
    return min((multiplier + (1 << 15)) >> 16, (1 << 15) - 1), shift


def rsqrt_factor(scales: Scales) -> tuple[int, int]:
    """Multiplier and shift of RSQRT's results."""
    return quantize_multiplier(1.0 / (math.sqrt(scales.input_scale) * scales.output_scale))


def rsqrt_table(scales: Scales) -> list[int]:
    """RSQRT (`RsqrtEvalQuantized`); what is not positive gives the largest element, as 0 does in the reference."""
    multiplier, shift = rsqrt_factor(scales)

    def entry(steps: int) -> int:
        if steps <= 0:
            return 1 << 20
        inverse, right = inverse_square_root(steps)
        return rescale(rescale(1, inverse, 20 - right), multiplier, shift - 20)

    return scales.results(entry)


def leaky_relu_table(scales: Scales, alpha: float, *, in_float32: bool) -> list[int]:
    """LEAKY_RELU; TensorFlow Lite Micro computes its factors in double, TensorFlow Lite in float32."""
    real = np.float32 if in_float32 else np.float64
    with np.errstate(all="ignore"):
        input_scale, output_scale = real(scales.input_scale), real(scales.output_scale)
        return two_slopes(scales, float(input_scale / output_scale), float(input_scale * real(alpha) / output_scale))
