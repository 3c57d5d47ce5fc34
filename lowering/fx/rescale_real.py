"""`fx.rescale_real` in integers: float32 has 24 bits, so that a product of two takes 48.

A product that does not lie near a half is rounded once: float32's roundings move a result below 256 by less than
2**-15. Else the magnitude is rounded to 24 bits, multiplied, the product rounded to 24 bits, and what lies behind the
point rounded; each time halves to even. Leading zeros say how many bits there are too many.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from ...dialects.fx import ops as fx
from ...dialects.fx.fixed_point import REAL_LIMIT
from ..builder import Loops, Scalars
from .helper import Helper

_BITS = 24
"""Bits of a float32's fraction, the leading one among them."""
_UNUSED = 31 - _BITS
"""Lowest bits of a multiplier, which are 0."""


def _round_to_even(k: Scalars, value: SSAValue, amount: SSAValue) -> SSAValue:
    """`value / 2**amount` of an i64 that is not negative, halves to even; `amount` is an i32 in [0, 32]."""
    wide = k.extend(amount, i64)
    mask = k.sub(k.shift_left(1, wide), 1, "mask")
    odd = k.bit_and(k.shift_right(value, wide), k.bit_and(k.value(mask, i64), 1), "odd")
    nudge = k.add(odd, k.shift_right(mask, 1), "nudge")
    return k.shift_right(k.value(k.add(value, nudge), i64), wide)


_MOST_RIGHT = 16
"""The quick way has 1 to so many bits behind the point."""
_NEAR = 14
"""Results are near a half up to 2 to minus this."""
_SMALL = 256
"""Results of the quick way are smaller."""


def _rescale_real(k: Loops, arguments: Sequence[SSAValue]) -> SSAValue:
    """One rounding where that is enough."""
    value, multiplier, shift = arguments
    right = k.value(k.sub(0, shift, "right"), i32)
    amount = k.bit_and(right, 31)
    product = k.value(k.mul(k.extend(value, i64), k.extend(multiplier, i64)), i64)
    scaled = k.narrow(k.shift_right(product, 31), i32)
    mask = k.value(k.sub(k.shift_left(k.value(1, i32), amount), 1, "mask", wraps=True), i32)
    half = k.add(k.shift_right(mask, 1), k.bit_and(mask, 1), "half", wraps=True)
    raised = k.value(k.add(scaled, half, "raised", wraps=True), i32)
    result = k.shift_right(raised, amount, "result")
    zone = k.value(k.add(k.shift_right(mask, _NEAR), 1, "zone", wraps=True), i32)
    place = k.bit_and(k.value(k.add(raised, zone, wraps=True), i32), mask, "place")
    is_near = k.compare("slt", place, k.shift_left(zone, 1))
    moved = k.value(k.add(result, _SMALL, wraps=True), i32)
    is_large = k.compare("ne", k.bit_and(moved, -2 * _SMALL), 0)
    other = k.value(k.sub(right, 1, wraps=True), i32)
    is_other = k.compare("ne", k.bit_and(other, -_MOST_RIGHT), 0)
    is_exact = k.bit_or(k.bit_or(is_near, is_large), is_other)
    return k.either(is_exact, lambda: [_in_steps(k, arguments)], [result])[0]


def _in_steps(k: Scalars, arguments: Sequence[SSAValue]) -> SSAValue:
    """Every rounding of float32."""
    value, multiplier, shift = arguments
    sign = k.shift_right(value, 31, "sign")
    magnitude = k.value(k.sub(k.bit_xor(value, sign), sign, "magnitude", wraps=True), i32)
    excess = k.value(k.max(k.sub(32 - _BITS, k.emit(fx.CountLeadingZerosOp(magnitude))), 0, "excess"), i32)
    rounded = _round_to_even(k, k.extend_unsigned(magnitude, i64), excess)
    product = k.value(k.mul(rounded, k.extend(k.shift_right(multiplier, _UNUSED), i64), "product"), i64)
    upper = k.narrow(k.shift_right(product, _BITS), i32)
    further = k.value(k.sub(32, k.emit(fx.CountLeadingZerosOp(upper)), "further"), i32)
    real = _round_to_even(k, product, further)
    exponent = k.sub(k.add(k.add(excess, further), shift), _BITS, "exponent")
    right = k.value(k.min(k.max(k.sub(0, exponent), 0), 32, "right"), i32)
    left = k.value(k.min(k.max(exponent, 0), _BITS + 7, "left"), i32)
    whole = k.shift_left(_round_to_even(k, real, right), k.extend(left, i64))
    result = k.narrow(k.value(k.min(whole, REAL_LIMIT), i64), i32)
    return k.value(k.sub(k.bit_xor(result, sign), sign), i32)


RESCALE_REAL = Helper(
    "fx_rescale_real",
    ("value", "multiplier", "shift"),
    "value * multiplier * 2^(shift - 31) as float32 rounds it, to an integer with halves to even (ONNX QLinearConv)",
    _rescale_real,
)
