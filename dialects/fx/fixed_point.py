"""gemmlowp's fixed-point arithmetic on exact Python integers, for tables made at compile time; other roundings, too.

Source: gemmlowp `fixedpoint/fixedpoint.h`. Values are raw int32; `Qm.n` has m integer and n fractional bits.
"""

from __future__ import annotations

import math

import numpy as np

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1


def rounding_doubling_high_mul(a: int, b: int) -> int:
    """`SaturatingRoundingDoublingHighMul` of two int32."""
    return INT32_MAX if a == b == INT32_MIN else (a * b + (1 << 30)) >> 31


def rounding_shift_right(value: int, amount: int) -> int:
    """`RoundingDivideByPOT`: halves away from zero."""
    if amount == 0:
        return value
    magnitude = (abs(value) + (1 << (amount - 1))) >> amount
    return magnitude if value >= 0 else -magnitude


def rescale(value: int, multiplier: int, shift: int) -> int:
    """`value * multiplier * 2**(shift - 31)`, rounded twice; the value must not leave int32 when shifted left."""
    return rounding_shift_right(rounding_doubling_high_mul(value << max(shift, 0), multiplier), max(-shift, 0))


def rescale_single(value: int, multiplier: int, shift: int) -> int:
    """`value * multiplier * 2**(shift - 31)`, rounded once, halves up."""
    right = 31 - shift
    return (value * multiplier + (1 << (right - 1))) >> right


REAL_LIMIT = 1 << 30
"""Where results of `rescale_real` saturate."""


def rescale_real(value: int, multiplier: int, shift: int) -> int:
    """`value * multiplier * 2**(shift - 31)` in float32, rounded to an integer, halves to even."""
    product = np.float32(value) * np.float32(math.ldexp(multiplier, shift - 31))
    return max(-REAL_LIMIT, min(int(np.rint(product)), REAL_LIMIT))


# exp(-1/8) and 1/3 in Q0.31.
_EXP_MINUS_EIGHTH, _THIRD = 1895147668, 715827883

# exp(-2**n) in Q0.31 for n = -2 ... 4.
_EXP_MINUS_POWERS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)


def _exp_below_quarter(a: int) -> int:
    """exp(a) for a in [-1/4, 0), both Q0.31: a Taylor polynomial of degree 4 around -1/8."""
    x = a + (1 << 28)
    x2 = rounding_doubling_high_mul(x, x)
    x3 = rounding_doubling_high_mul(x2, x)
    x4_over_4 = rounding_shift_right(rounding_doubling_high_mul(x2, x2), 2)
    x4_over_24_plus_x3_over_6 = rounding_doubling_high_mul(x4_over_4 + x3, _THIRD)
    higher_terms = rounding_shift_right(x4_over_24_plus_x3_over_6 + x2, 1)
    return _EXP_MINUS_EIGHTH + rounding_doubling_high_mul(_EXP_MINUS_EIGHTH, x + higher_terms)


def exp_on_negative_values(a: int) -> int:
    """exp(a) in Q0.31 for a <= 0 in Q5.26; 1 saturates to the largest int32."""
    return _exp_on_negative_values(a, 26)


def _exp_on_negative_values(a: int, fraction_bits: int) -> int:
    """exp(a) as `exp_on_negative_values` for a word with `fraction_bits` fractional bits."""
    if a == 0:
        return INT32_MAX
    quarter = 1 << (fraction_bits - 2)
    in_quarter = (a & (quarter - 1)) - quarter
    result = _exp_below_quarter(in_quarter << (31 - fraction_bits))
    # What remains is a multiple of 1/4: multiply by exp(-2**n) for each of its bits.
    remainder = in_quarter - a
    for bit, factor in enumerate(_EXP_MINUS_POWERS, fraction_bits - 2):
        if remainder >> bit & 1:
            result = rounding_doubling_high_mul(result, factor)
    return result


def saturating_shift_left(value: int, amount: int, bits: int = 32) -> int:
    """`SaturatingRoundingMultiplyByPOT` for positive amounts, in a word of `bits`."""
    most = (1 << (bits - 1)) - 1
    return max(-most - 1, min(value << amount, most))


_48_OVER_17, _MINUS_32_OVER_17 = 1515870810, -1010580540
"""48/17 and -32/17 in Q2.29."""


def _half_reciprocal(a: int) -> int:
    """2 / (1 + a) in Q2.29 for `a` in [0, 1) in Q0.31, by three Newton steps from a linear start."""
    half_denominator = (a + INT32_MAX + 1) >> 1
    x = _48_OVER_17 + rounding_doubling_high_mul(half_denominator, _MINUS_32_OVER_17)
    for _ in range(3):
        rest = (1 << 29) - rounding_doubling_high_mul(half_denominator, x)
        x += saturating_shift_left(rounding_doubling_high_mul(x, rest), 2)
    return x


def one_over_one_plus(a: int) -> int:
    """1 / (1 + a) for `a` in [0, 1), both Q0.31."""
    return saturating_shift_left(_half_reciprocal(a), 1)


def _one_minus_over_one_plus(a: int) -> int:
    """(1 - a) / (1 + a) for `a` in [0, 1), both Q0.31."""
    return saturating_shift_left(_half_reciprocal(a) - (1 << 29), 2)


def logistic(a: int) -> int:
    """1 / (1 + exp(-a)) as Q0.31 for `a` in Q4.27."""
    if a == 0:
        return 1 << 30
    positive = one_over_one_plus(_exp_on_negative_values(-abs(a), 27))
    return positive if a > 0 else INT32_MAX - positive


def tanh(a: int) -> int:
    """The hyperbolic tangent as Q0.31 of `a` in Q4.27."""
    if a == 0:
        return 0
    # Twice the number has the same word with one integer bit more.
    magnitude = _one_minus_over_one_plus(_exp_on_negative_values(-abs(a), 26))
    return magnitude if a > 0 else -magnitude


def inverse_square_root(value: int) -> tuple[int, int]:
    """Multiplier and right shift of `1 / sqrt(value)`: Q0.31 times `2**-shift`.

    Source: TensorFlow Lite `GetInvSqrtQuantizedMultiplierExp`: five Newton steps.
    """
    if value <= 1:
        return INT32_MAX, 0
    shift = 11
    while value >= 1 << 29:
        value, shift = value // 4, shift + 1
    pairs = (32 - value.bit_length() - 1) // 2 - 1
    shift -= pairs
    half = rounding_shift_right((value << 2 * pairs) >> 1, 1)
    x = 1 << 28
    for _ in range(5):
        square = rounding_doubling_high_mul(x, x)
        cube = saturating_shift_left(rounding_doubling_high_mul(square, x), 6)
        step = rounding_doubling_high_mul((1 << 28) + (1 << 27), x) - rounding_doubling_high_mul(half, cube)
        x = saturating_shift_left(step, 3)
    # sqrt(2) / 2 in Q0.31.
    x = rounding_doubling_high_mul(x, 1518500250)
    return (x << -shift, 0) if shift < 0 else (x, shift)
