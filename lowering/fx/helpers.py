"""The functions that compute `fx` operations, in `arith` on i32 and i64.

Sources: gemmlowp `fixedpoint/fixedpoint.h`, TensorFlow Lite `kernels/internal/common.h`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from ...dialects.fx import ops as fx
from ..builder import Scalars
from .helper import Helper
from .log_inverse_sqrt import INVERSE_SQRT, LOG
from .rescale_real import RESCALE_REAL

INT32_MAX = 2**31 - 1


def _wide_high_mul(k: Scalars, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`(lhs * rhs + 2**30) >> 31` as i64; it fits i32 unless both are the lowest int32."""
    product = k.mul(k.extend(lhs, i64), k.extend(rhs, i64), "product")
    return k.shift_right(k.add(product, 1 << 30), 31)


def _high_mul(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    return k.narrow(k.min(_wide_high_mul(k, *arguments), INT32_MAX), i32)


def _high_mul_by_multiplier(k: Scalars, value: SSAValue, multiplier: SSAValue) -> SSAValue:
    """Multiply like `_high_mul`, by a multiplier that is not negative: nothing saturates."""
    high = k.narrow(_wide_high_mul(k, value, multiplier), i32)
    high.name_hint = "high"
    return high


def _shift_right(k: Scalars, value: SSAValue, amount: SSAValue) -> SSAValue:
    mask = k.shift_right(INT32_MAX, k.sub(31, amount), "mask")
    is_negative = k.extend_unsigned(k.compare("slt", value, 0))
    half = k.add(k.shift_right(mask, 1), is_negative, "half")
    remainder = k.bit_and(value, mask, "remainder")
    round_up = k.extend_unsigned(k.compare("sgt", remainder, half))
    return k.add(k.shift_right(value, amount), round_up)


def _rescale_right(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    value, multiplier, shift = arguments
    return _shift_right(k, _high_mul_by_multiplier(k, value, multiplier), k.sub(0, shift))


def _rescale(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    value, multiplier, shift = arguments
    left, right = k.max(shift, 0, "left"), k.max(k.sub(0, shift), 0, "right")
    return _shift_right(k, _high_mul_by_multiplier(k, k.shift_left(value, left), multiplier), right)


def _rescale_wide(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Wraps where the reference's behaviour is undefined: with values of 48 bits and more."""
    value, multiplier, shift = arguments
    product = k.mul(value, k.extend(multiplier, i64), "product", wraps=True)
    right = k.extend(shift, i64)
    half = k.shift_left(1, k.sub(right, 1), "half")
    rounded = k.add(product, half, wraps=True)
    return k.narrow(k.shift_right(rounded, right), i32)


def _leading_zeros(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Halve the part that may hold the highest one bit; what is left is that bit or zero."""
    (value,) = arguments
    count = k.value(0, i32)
    for step in (16, 8, 4, 2, 1):
        is_small = k.compare("ult", value, _signed(1 << (32 - step)))
        count = k.add(count, k.select(is_small, step, 0), "count")
        shifted = k.shift_left(value, step)
        value = k.select(is_small, shifted, value, "value")
    return k.add(count, k.extend_unsigned(k.compare("sge", value, 0)))


def _signed(bits: int) -> int:
    """The int32 with the given bits."""
    return bits - (1 << 32) if bits > INT32_MAX else bits


def _one_over_one_plus(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Newton-Raphson for 1 / d with d = (1 + value) / 2 in [1/2, 1): d is Q0.31, the estimate x is Q2.29.

    Nothing saturates before the end: x stays below 4 and 1 - d * x small.
    """
    (value,) = arguments
    d = k.add(k.shift_right(value, 1), 1 << 30, "half_denominator")
    product = k.emit(fx.RoundingDoublingHighMulOp(d, k.value(-1010580540, i32)))
    x = k.add(product, 1515870810, "estimate")
    for _ in range(3):
        error = k.sub(1 << 29, k.emit(fx.RoundingDoublingHighMulOp(d, x)), "error")
        # A product of two Q2.29 is Q4.27.
        correction = k.mul(k.emit(fx.RoundingDoublingHighMulOp(x, error)), 4)
        x = k.add(x, correction, "estimate")
    # 1 / (1 + value) = x / 2: Q2.29 to Q0.31 of half the value is a shift by one.
    largest = (1 << 30) - 1
    # A sum, not a choice: GCC would extend both ends of that to 64 bits before products, and find no short one.
    doubled = k.mul(k.min(x, largest), 2)
    return k.add(doubled, k.extend_unsigned(k.compare("sgt", x, largest)))


RESCALE = Helper(
    "fx_rescale",
    ("value", "multiplier", "shift"),
    "value * multiplier * 2^(shift - 31), rounded twice (TensorFlow Lite MultiplyByQuantizedMultiplier)",
    _rescale,
)
RESCALE_RIGHT = Helper(
    "fx_rescale_right",
    ("value", "multiplier", "shift"),
    "value * multiplier * 2^(shift - 31) for shift <= 0, rounded twice (TensorFlow Lite MultiplyByQuantizedMultiplier)",
    _rescale_right,
)
RESCALE_WIDE = Helper(
    "fx_rescale_wide",
    ("value", "multiplier", "shift"),
    "value * multiplier / 2^shift, rounded once (TensorFlow Lite MultiplyByQuantizedMultiplier, 64-bit values)",
    _rescale_wide,
    (i64, i32, i32),
)
HIGH_MUL = Helper(
    "fx_rounding_doubling_high_mul",
    ("lhs", "rhs"),
    "lhs * rhs / 2^31, rounded, saturated (gemmlowp SaturatingRoundingDoublingHighMul)",
    _high_mul,
)
SHIFT_RIGHT = Helper(
    "fx_rounding_shift_right",
    ("value", "amount"),
    "value / 2^amount, halves away from zero (gemmlowp RoundingDivideByPOT)",
    lambda k, arguments: _shift_right(k, *arguments),
)
LEADING_ZEROS = Helper("fx_count_leading_zeros", ("value",), "zero bits above the highest one bit", _leading_zeros)
ONE_OVER_ONE_PLUS = Helper(
    "fx_one_over_one_plus",
    ("value",),
    "1 / (1 + value) in Q0.31 (gemmlowp one_over_one_plus_x_for_x_in_0_1)",
    _one_over_one_plus,
)

HELPERS: Mapping[type[Operation], Helper] = {
    fx.RescaleWideOp: RESCALE_WIDE,
    fx.RescaleRealOp: RESCALE_REAL,
    fx.RoundingDoublingHighMulOp: HIGH_MUL,
    fx.RoundingShiftRightOp: SHIFT_RIGHT,
    fx.CountLeadingZerosOp: LEADING_ZEROS,
    fx.OneOverOnePlusOp: ONE_OVER_ONE_PLUS,
    fx.LogOp: LOG,
    fx.InverseSqrtOp: INVERSE_SQRT,
}
"""Which one computes an operation; `fx.rescale` has two."""


def helper_of(op: Operation) -> Helper | None:
    """The helper that computes `op`, if `op` is of the `fx` dialect and not an instruction of C."""
    if isinstance(op, fx.RescaleOp):
        return RESCALE if op.right_only is None else RESCALE_RIGHT
    return HELPERS.get(type(op))
