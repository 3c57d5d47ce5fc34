"""gemmlowp's fixed-point arithmetic on exact Python integers, for tables made at compile time.

Source: gemmlowp `fixedpoint/fixedpoint.h`. Values are raw int32; `Qm.n` has m integer and n fractional bits.
"""

from __future__ import annotations

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
    if a == 0:
        return INT32_MAX
    fraction_bits = 26
    quarter = 1 << (fraction_bits - 2)
    in_quarter = (a & (quarter - 1)) - quarter
    result = _exp_below_quarter(in_quarter << 5)
    # What remains is a multiple of 1/4: multiply by exp(-2**n) for each of its bits.
    remainder = in_quarter - a
    for bit, factor in enumerate(_EXP_MINUS_POWERS, fraction_bits - 2):
        if remainder >> bit & 1:
            result = rounding_doubling_high_mul(result, factor)
    return result
