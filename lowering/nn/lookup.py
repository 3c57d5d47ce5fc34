"""Functions of 16-bit fixed-point numbers by table and linear interpolation.

Source: TensorFlow Lite `kernels/internal/common.h`, `LUTLookup`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i16
from xdsl.ir import SSAValue

from ...dialects.fx.interpolation import STEPS
from ..builder import Loops


def lookup(k: Loops, entries: SSAValue, value: SSAValue, *, is_steep: bool = False) -> SSAValue:
    """The function of an i32 in the range of int16, as i32; `entries` is the table's memref.

    Neighbouring entries are less than 2**15 apart, unless it `is_steep`: then their difference wraps as an int16.
    """
    base, delta = _between(k, entries, value, is_steep=is_steep)
    return k.add(base, k.shift_right(k.add(delta, 64), 7))


def lookup_exact(k: Loops, entries: SSAValue, value: SSAValue, *, is_steep: bool = False) -> SSAValue:
    """Look up like `lookup`, without a rounding: the result is 128 times the function.

    Source: TOSA's TABLE of int16.
    """
    base, delta = _between(k, entries, value, is_steep=is_steep)
    return k.value(k.add(k.mul(base, 128), delta), base.type)


def _between(k: Loops, entries: SSAValue, value: SSAValue, *, is_steep: bool) -> tuple[SSAValue, SSAValue]:
    """The entry at or below a value, and 128 times what is to be added."""
    at = k.i32_to_index(k.add(k.shift_right(value, 7), STEPS // 2))
    base, following = (k.extend(k.load(entries, [i])) for i in (at, k.add(at, 1)))
    offset = k.bit_and(value, 127, "offset")
    slope = k.sub(following, base)
    if is_steep:
        slope = k.extend(k.narrow(slope, i16))
    return base, k.value(k.mul(slope, offset), base.type)
