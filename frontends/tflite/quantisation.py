"""Fixed-point parameters from scales, as TensorFlow Lite's kernels prepare them.

Source: TensorFlow Lite `kernels/internal/quantization_util.cc`, `kernels/kernel_util.cc` and the `Prepare` functions of
TFLite Micro's kernels. Scales are float32 in the file; every product is formed in double unless a function says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...dialects.nn.attributes import RescaleAttr

SOFTMAX_INTEGER_BITS = 5
"""Integer bits of the fixed-point format in which softmax exponentiates differences."""

_ONLY_EQUALS = 2.0**30 - 0.25
"""Softmax factors whose reference shift is 31: only a difference of 0 counts then, and any factor keeps that 0."""


class QuantisationError(Exception):
    """Scales that TensorFlow Lite's kernels do not accept together; the message is for the user."""


def round_half_away(value: float) -> int:
    """The nearest integer, halves away from zero (C's `round`); exact for every double."""
    magnitude = abs(value)
    whole = math.floor(magnitude)
    rounded = whole + (magnitude - whole >= 0.5)
    return -rounded if value < 0 else rounded


def quantize_multiplier(factor: float) -> tuple[int, int]:
    """`factor` as `multiplier * 2**(shift - 31)`: a Q0.31 multiplier in [2**30, 2**31) or 0, and a left shift.

    Factors below 2**-32 become 0. Source: `QuantizeMultiplier`.

    Raises:
        QuantisationError: the factor is 2**30 or more, where the reference's shift overflows.
    """
    fraction, shift = math.frexp(factor)
    multiplier = round_half_away(fraction * 2**31) if math.isfinite(fraction) else 2**31
    if multiplier == 2**31:
        multiplier, shift = 2**30, shift + 1
    if shift < -31:
        return 0, 0
    if shift > 30 or not math.isfinite(fraction):
        raise QuantisationError(f"the scales give a factor of {factor:g}, more than 2**30")
    return multiplier, shift


def rescale(factors: Sequence[float]) -> RescaleAttr:
    """Fixed-point form of several factors."""
    pairs = [quantize_multiplier(factor) for factor in factors]
    return RescaleAttr.get([multiplier for multiplier, _ in pairs], [shift for _, shift in pairs])


def rescale_per_channel(input_scale: float, filter_scales: Sequence[float], output_scale: float) -> RescaleAttr:
    """Sums of products: one factor per filter scale, of doubles (`PopulateConvolutionQuantizationParams`).

    TensorFlow Lite's source has a float32 for matrices with one scale. What TFLite Micro computes of them has none.
    """
    return rescale([input_scale * scale / output_scale for scale in filter_scales])


def float32_product(a: float, b: float) -> float:
    """The product of two float32 values rounded to float32."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(a) * np.float32(b))


def float32_quotient(a: float, b: float) -> float:
    """The quotient of two float32 values rounded to float32."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(a) / np.float32(b))


def rescale_add(lhs_scale: float, rhs_scale: float, output_scale: float, left_shift: int) -> RescaleAttr:
    """The three factors of ADD: operands to twice the larger operand scale, the sum to the output's scale.

    Raises:
        QuantisationError: the output scale is so small that the last factor is not below 1.
    """
    common = 2 * max(lhs_scale, rhs_scale)
    last = common / ((1 << left_shift) * output_scale)
    if not last < 1:
        raise QuantisationError(f"the output scale {output_scale:g} is too small beside the operands' {common / 2:g}")
    return rescale([lhs_scale / common, rhs_scale / common, last])


def rescale_squared_difference(lhs_scale: float, rhs_scale: float, output_scale: float, left_shift: int) -> RescaleAttr:
    """The three factors of SQUARED_DIFFERENCE: operands as in ADD, their squared difference to the output's scale."""
    common = 2 * max(lhs_scale, rhs_scale)
    last = common * common / (float(1 << 2 * left_shift) * output_scale)
    return rescale([lhs_scale / common, rhs_scale / common, last])


def rescale_mul(lhs_scale: float, rhs_scale: float, output_scale: float, *, single: bool) -> RescaleAttr:
    """The factor of MUL; `single`: formed in float32, as LiteRT forms it of uint8, which TFLite Micro has not."""
    if single:
        return rescale([float32_quotient(float32_product(lhs_scale, rhs_scale), output_scale)])
    return rescale([lhs_scale * rhs_scale / output_scale])


def rescale_div(lhs_scale: float, rhs_scale: float, output_scale: float, *, single: bool) -> RescaleAttr:
    """The factor of DIV; `single`: formed in float32, as LiteRT forms it of uint8, which TFLite Micro has not."""
    if single:
        return rescale([float32_quotient(lhs_scale, float32_product(rhs_scale, output_scale))])
    return rescale([lhs_scale / (rhs_scale * output_scale)])


def rescale_prelu(input_scale: float, slope_scale: float, output_scale: float, *, single: bool) -> RescaleAttr:
    """The two factors of PRELU: of positive inputs, and of negative ones times their slope; `single` as of MUL."""
    if single:
        negative = float32_quotient(float32_product(input_scale, slope_scale), output_scale)
        return rescale([float32_quotient(input_scale, output_scale), negative])
    return rescale([input_scale / output_scale, input_scale * slope_scale / output_scale])


def rescale_leaky_relu(input_scale: float, alpha: float, output_scale: float) -> RescaleAttr:
    """The two factors of LEAKY_RELU: of positive inputs and of negative ones.

    Raises:
        QuantisationError: `alpha` is negative or a factor too large.
    """
    if alpha < 0:
        raise QuantisationError(f"a negative slope {alpha:g} of 16-bit elements cannot be compiled")
    return rescale([input_scale / output_scale, input_scale * alpha / output_scale])


def rescale_comparison(scales: Sequence[float]) -> RescaleAttr:
    """The factors of compared operands: their scales.

    Raises:
        QuantisationError: a scale is not below 1, as the reference kernels demand.
    """
    if max(scales) >= 1:
        raise QuantisationError(f"compared tensors must have scales below 1, got {max(scales):g}")
    return rescale(scales)


def sigmoid_parameters(input_scale: float, *, tanh: bool) -> tuple[int, int]:
    """Multiplier and right shift that bring int16 to the steps of the sigmoid table: `scale * 3 * 4096`.

    Source: TensorFlow Lite Micro `logistic_common.cc`, `tanh.cc`. Scales of (nearly) powers of two are exact.
    """
    if not input_scale:
        raise QuantisationError("the input scale 0 is outside of what the 16-bit table serves")
    exponent = math.log2(input_scale)
    rounded = math.floor(exponent + 0.5)
    shift = 12 + rounded
    if abs(exponent - rounded) < 1e-3 and (shift == 0 or (tanh and shift == 1)):
        return 3 << shift, 0
    multiplier, shift = input_scale * 4096.0 * 3.0, 0
    while multiplier <= 32767.0 / 2.0 and shift <= 30:
        multiplier, shift = multiplier * 2.0, shift + 1
    if not 1 <= multiplier <= 32767:
        raise QuantisationError(f"the input scale {input_scale:g} is outside of what the 16-bit table serves")
    return int(multiplier), shift


def softmax_parameters(input_scale: float, beta: float) -> tuple[RescaleAttr, int]:
    """The factor that takes differences to Q5.26, and the least difference that still counts.

    Source: `PreprocessSoftmaxScaling`, `CalculateInputRadius`.

    Raises:
        QuantisationError: the factor is not above 1.
    """
    factor = min(beta * input_scale * 2.0 ** (31 - SOFTMAX_INTEGER_BITS), 2.0**31 - 1)
    if not factor > 1:
        raise QuantisationError(f"softmax with beta {beta:g} and input scale {input_scale:g} loses every difference")
    if factor >= _ONLY_EQUALS:
        return RescaleAttr.get([2**31 - 1], [30]), 0
    multiplier, shift = quantize_multiplier(factor)
    radius = ((1 << SOFTMAX_INTEGER_BITS) - 1) * 2.0 ** (31 - SOFTMAX_INTEGER_BITS) / 2.0**shift
    return RescaleAttr.get([multiplier], [shift]), -math.floor(radius)


def log_softmax_parameters(input_scale: float) -> tuple[RescaleAttr, int]:
    """Parameters as of `softmax_parameters` with beta 1; the second factor takes Q5.26 back to differences.

    Source: `PreprocessLogSoftmaxScalingExp`.
    """
    forward, diff_min = softmax_parameters(input_scale, 1.0)
    multiplier, shift = forward.multipliers[0], forward.shifts[0]
    back, back_shift = quantize_multiplier((1 << (31 - shift)) / multiplier)
    return RescaleAttr.get([multiplier, back], [shift, back_shift]), diff_min


def softmax16_parameters(input_scale: float, beta: float) -> RescaleAttr:
    """The factor that takes differences of int16 to a scale at which 65535 steps are 10.

    Source: TFLite Micro `CalculateSoftmaxParams`.

    Raises:
        QuantisationError: the factor is 2**30 or more, or not positive.
    """
    factor = input_scale * beta / (10.0 / 65535.0)
    if factor <= 0:
        raise QuantisationError(f"softmax with beta {beta:g} loses every difference")
    return rescale([factor])


def quantize_real(value: float, scale: float, zero_point: int) -> int:
    """The integer that stands for a real number: float32 division, halves away from zero, not saturated.

    Raises:
        QuantisationError: it does not fit 32 bits.
    """
    with np.errstate(over="ignore"):
        steps = float(np.float32(value) / np.float32(scale))
    if not -(2.0**31) <= steps < 2.0**31:
        raise QuantisationError(f"the scale {scale:g} is too small for the activation's bound {value:g}")
    return zero_point + round_half_away(steps)
