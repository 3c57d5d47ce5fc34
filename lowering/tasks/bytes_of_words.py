"""Words of four bytes (a0, a1, a2, a3), and those of two lanes that they become: (a0, a2) and (a1, a3)."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i16, i32
from xdsl.ir import SSAValue

from ...dialects.simd import words
from ...dialects.simd.words import BYTES
from ..builder import Loops

UNPACKINGS = {
    True: (words.UnpackEvenOp, words.UnpackOddOp),
    False: (words.UnpackEvenUnsignedOp, words.UnpackOddUnsignedOp),
}
"""The operations that unpack the even and the odd bytes of a word, with their sign and without."""


def splat(byte: int) -> int:
    """The i32 all four bytes of which are one, whatever its sign."""
    return int.from_bytes(bytes([byte & 0xFF] * BYTES), "little", signed=True)


def both_lanes(number: int) -> int:
    """The word both of whose lanes are a number."""
    return int.from_bytes((number & 0xFFFF).to_bytes(2, "little") * 2, "little", signed=True)


def unpacked(k: Loops, word: SSAValue, *, is_odd: bool, added: int = 0, signed: bool = True) -> SSAValue:
    """Every other byte of a word, from the first or the second on, and a constant added to each."""
    hint, unpack = "odd" if is_odd else "even", UNPACKINGS[signed][is_odd]
    if not added:
        return k.emit(unpack(word), hint)
    if not signed:
        return k.emit(words.DualAddOp(k.emit(unpack(word)), k.value(both_lanes(added), i32)), hint)
    kind = words.UnpackOddAddOp if is_odd else words.UnpackEvenAddOp
    return k.emit(kind(word, k.value(both_lanes(added), i32)), hint)


def half(k: Loops, lanes: SSAValue, *, is_upper: bool) -> SSAValue:
    """The number in one of the lanes of a word."""
    if is_upper:
        return k.shift_right(lanes, 16)
    return k.emit(arith.ExtSIOp(k.emit(arith.TruncIOp(lanes, i16)), i32))
