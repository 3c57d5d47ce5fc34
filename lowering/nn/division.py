"""Integer division that is defined for every operand, and division by fixed-point reciprocals."""

from __future__ import annotations

from xdsl.dialects.arith import RemSIOp
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.fx import ops as fx
from ..builder import Loops

MAX = 2**31 - 1


def _safe(k: Loops, divisor: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """A divisor that is neither 0 nor -1 (1 instead), and whether it was 0 or -1."""
    zero, minus_one = k.compare("eq", divisor, 0), k.compare("eq", divisor, -1)
    safe = k.select(zero, 1, k.select(minus_one, 1, divisor), type=divisor.type)
    return safe, zero, minus_one


def divide(k: Loops, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`lhs / rhs` rounded toward zero; 0 if `rhs` is 0, and the least value by -1 stays what it is."""
    safe, zero, minus_one = _safe(k, rhs)
    negated = k.sub(0, lhs, wraps=True)
    quotient = k.select(minus_one, negated, k.div(lhs, safe), type=lhs.type)
    return k.select(zero, 0, quotient, type=lhs.type)


def floor_divide(k: Loops, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`lhs / rhs` rounded toward minus infinity; 0 if `rhs` is 0."""
    safe, _, _ = _safe(k, rhs)
    rest = k.emit(RemSIOp(lhs, safe))
    return k.sub(divide(k, lhs, rhs), k.select(_opposed(k, rest, rhs), 1, 0, type=lhs.type))


def floor_remainder(k: Loops, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Return the remainder of `floor_divide`, with the sign of `rhs`; 0 if `rhs` is 0."""
    safe, _, _ = _safe(k, rhs)
    rest = k.emit(RemSIOp(lhs, safe))
    return k.select(_opposed(k, rest, rhs), k.add(rest, rhs, wraps=True), rest, type=lhs.type)


def _opposed(k: Loops, rest: SSAValue, divisor: SSAValue) -> SSAValue:
    """Whether a remainder is not 0 and has another sign than the divisor."""
    signs = k.compare("slt", k.bit_xor(rest, divisor), 0)
    return k.bit_and(signs, k.compare("ne", rest, 0))


def reciprocal_product(k: Loops, dividend: SSAValue, divisor: SSAValue, multiplier: int, shift: int) -> SSAValue:
    """`dividend / divisor * multiplier * 2**(shift - 31)` of i32 whose magnitudes are below 2**16.

    Source: TensorFlow Lite `reference_ops::DivElementwise` with `GetReciprocal`, which makes divisors positive first; a
    divisor of 0 counts as 1. Where the reference shifts by more than a word has, as it does for every dividend of 0,
    the result is what its formula gives on x86-64, where shifts count modulo 32: its rounding then adds 1 to what is
    not negative.
    """
    divisor = k.select(k.compare("eq", divisor, 0), 1, divisor)
    negative = k.compare("slt", divisor, 0)
    # The dividend first: of a power of two the bits for its sign depend on it, and with them where roundings fall.
    dividend = k.select(negative, k.sub(0, dividend), dividend)
    magnitude = k.select(negative, k.sub(0, divisor), divisor)
    zeros = k.emit(fx.CountLeadingZerosOp(magnitude))
    fraction = k.bit_and(k.shift_left(magnitude, zeros), MAX)
    inverse = k.emit(fx.OneOverOnePlusOp(fraction))
    headroom = _leading_sign_bits(k, dividend)
    quotient = k.emit(fx.RoundingDoublingHighMulOp(k.shift_left(dividend, headroom), inverse))
    scaled = k.emit(fx.RoundingDoublingHighMulOp(quotient, k.value(multiplier, i32)))
    # The quotient is 2**(headroom + 31 - zeros) too large.
    right = k.sub(k.add(headroom, 31 - shift), zeros)
    rounded = k.emit(fx.RoundingShiftRightOp(scaled, k.max(k.min(right, 31), 0)))
    shifted = k.shift_right(scaled, k.bit_and(right, 31))
    beyond = k.add(shifted, k.select(k.compare("slt", scaled, 0), 0, 1), wraps=True)
    return k.select(k.compare("sgt", right, 31), beyond, rounded)


def _leading_sign_bits(k: Loops, value: SSAValue) -> SSAValue:
    """Bits by which an i32 can be shifted to the left and keep its value (`CountLeadingSignBits`)."""
    flipped = k.select(k.compare("slt", value, 0), k.sub(-1, value), value)
    return k.sub(k.emit(fx.CountLeadingZerosOp(flipped)), 1)
