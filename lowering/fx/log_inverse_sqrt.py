"""Logarithm and inverse square root in fixed point; `Qm.n` has m integer and n fractional bits.

Source: TensorFlow Lite `kernels/internal/common.h`, `log_x_for_x_greater_than_or_equal_to_1` and
`GetInvSqrtQuantizedMultiplierExp`, on gemmlowp's `FixedPoint`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.fx import ops as fx
from ..builder import Scalars, Value
from .helper import Helper

_INT32_MAX = 2**31 - 1

_LOG_2, _SQRT_HALF, _FOURTH_ROOT_HALF = 1488522236, 1518500250, 1805811301
"""ln 2, 2**-1/2 and 2**-1/4 in Q0.31."""

_QUARTER = 1 << 23
"""A quarter in Q6.25."""


def _high_mul(k: Scalars, lhs: Value, rhs: Value) -> SSAValue:
    return k.emit(fx.RoundingDoublingHighMulOp(k.value(lhs, i32), k.value(rhs, i32)))


def _shift_left(k: Scalars, value: SSAValue, amount: Value) -> SSAValue:
    """`value << amount` of a value that is not negative, saturated."""
    most = k.value(_INT32_MAX, i32)
    bound = k.shift_right(most, amount)
    shifted = k.shift_left(value, amount)
    return k.select(k.compare("sgt", value, bound), _INT32_MAX, shifted)


def _log(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Splits off a power of 2 (two ways, of which the one nearer to 2**-1/4 counts), then a rational function."""
    (value,) = arguments
    zeros = k.emit(fx.CountLeadingZerosOp(value), "zeros")
    full = k.shift_left(value, k.sub(zeros, 1))
    mantissa_a = _shift_left(k, _high_mul(k, full, _SQRT_HALF), 1)
    power_a = k.add(k.mul(k.sub(12, zeros), 1 << 25), _QUARTER, "power")
    lower = _high_mul(k, value, _SQRT_HALF)
    headroom = k.sub(k.emit(fx.CountLeadingZerosOp(lower)), 1, "headroom")
    mantissa_b = _shift_left(k, value, headroom)
    power_b = k.sub(k.mul(k.sub(12, headroom), 1 << 25), _QUARTER)
    r = k.min(mantissa_a, mantissa_b, "mantissa")
    power = k.max(power_a, power_b, "power")
    # (r + 2**-1/4 + 1) / 2: the constant with its nudge is even.
    p = k.add(k.shift_right(r, 1), (_FOURTH_ROOT_HALF + 1) // 2, "p")
    q = k.mul(k.sub(r, _FOURTH_ROOT_HALF), 2, "q")
    square = _high_mul(k, q, q)
    numerator = k.add(_high_mul(k, q, r), _high_mul(k, _high_mul(k, q, square), 117049297), "numerator")
    inner = k.add(k.add(q, 1057819769), _high_mul(k, square, 127690142))
    denominator = k.add(_high_mul(k, p, inner), _high_mul(k, q, 638450708), "denominator")
    scaled = k.emit(fx.RoundingShiftRightOp(numerator, k.value(6, i32)))
    fraction = _high_mul(k, scaled, k.emit(fx.OneOverOnePlusOp(denominator)))
    return k.mul(k.add(_high_mul(k, power, _LOG_2), fraction), 2)


def _inverse_sqrt(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Five Newton steps on Q3.28 numbers from 1, then the unit of the operand, 2**-29, less a half."""
    (value,) = arguments
    half = k.emit(fx.RoundingShiftRightOp(k.shift_right(value, 1), k.value(1, i32)), "half")
    x = k.value(1 << 28, i32)
    for _ in range(5):
        cube = _shift_left(k, _high_mul(k, _high_mul(k, x, x), x), 6)
        step = k.sub(_high_mul(k, x, (1 << 28) + (1 << 27)), _high_mul(k, half, cube))
        x = k.mul(step, 8, "x")
    return _high_mul(k, x, _SQRT_HALF)


LOG = Helper(
    "fx_log",
    ("value",),
    "ln(value) in Q5.26 of at least 1 in Q12.19 (TensorFlow Lite log_x_for_x_greater_than_or_equal_to_1)",
    _log,
)
INVERSE_SQRT = Helper(
    "fx_inverse_sqrt",
    ("value",),
    "2^42 / sqrt(value) for values from 2^27 to 2^29 (TensorFlow Lite GetInvSqrtQuantizedMultiplierExp)",
    _inverse_sqrt,
)
