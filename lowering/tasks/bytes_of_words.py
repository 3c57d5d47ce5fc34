"""Words of four bytes (a0, a1, a2, a3), and those of two lanes that they become: (a0, a2) and (a1, a3)."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i16, i32
from xdsl.ir import SSAValue

from ...dialects.simd import BYTES, UnpackEvenAddOp, UnpackEvenOp, UnpackOddAddOp, UnpackOddOp
from ..builder import Loops
from .dual.unpack import both_lanes


def splat(byte: int) -> int:
    """The i32 all four bytes of which are one, whatever its sign."""
    return int.from_bytes(bytes([byte & 0xFF] * BYTES), "little", signed=True)


def unpacked(k: Loops, word: SSAValue, *, is_odd: bool, added: int = 0) -> SSAValue:
    """Every other byte of a word with its sign, from the first or the second on, and a constant added to each."""
    hint = "odd" if is_odd else "even"
    if not added:
        return k.emit((UnpackOddOp if is_odd else UnpackEvenOp)(word), hint)
    kind = UnpackOddAddOp if is_odd else UnpackEvenAddOp
    return k.emit(kind(word, k.value(both_lanes(added), i32)), hint)


def half(k: Loops, lanes: SSAValue, *, is_upper: bool) -> SSAValue:
    """The number in one of the lanes of a word."""
    if is_upper:
        return k.shift_right(lanes, 16)
    return k.emit(arith.ExtSIOp(k.emit(arith.TruncIOp(lanes, i16)), i32))
