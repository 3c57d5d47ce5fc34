"""What instructions on words mean: numbers, lanes of 16 bits and bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, i8, i16, i32, i64
from xdsl.ir import Operation, SSAValue

from ...dialects.simd import words
from ...dialects.simd.moves import LoadBytesOp, SlideBytesOp, StoreBytesOp
from ...dialects.simd.words import BYTES, NIBBLES
from ..builder import Loops
from .meaning import Array, means

_HALF = 16
"""Bits of a lane."""
_OF_LANES = 0xFF00FF
"""A byte in each lane."""
_HIGH_BITS = -0x0FFF1000
"""The highest four bits of each lane: 0xf000f000."""

_Binary: TypeAlias = Callable[[Loops, SSAValue, SSAValue], SSAValue]


def lanes_of(k: Loops, word: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Both lanes of a word, with their sign."""
    return k.extend(k.narrow(word, i16)), k.shift_right(word, _HALF)


def word_of(k: Loops, low: SSAValue, high: SSAValue) -> SSAValue:
    """The word of two lanes, the low bits of numbers."""
    return k.bit_or(k.bit_and(low, 0xFFFF), k.shift_left(high, _HALF))


def byte_of(k: Loops, word: SSAValue, number: int, *, signed: bool = True) -> SSAValue:
    """One of the bytes of a word."""
    place = 8 * number
    if not signed:
        return k.bit_and(k.shift_right(word, place) if place else word, 0xFF)
    return k.extend(k.narrow(k.shift_right(word, place) if place else word, i8))


def _wrapped(k: Loops, *values: SSAValue) -> SSAValue:
    """The sum of several numbers, which wraps around."""
    first, *others = values
    for other in others:
        first = k.add(first, other, wraps=True)
    return first


def _wide_product(k: Loops, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return k.mul(k.extend(lhs, i64), k.extend(rhs, i64), "product")


def _added_part(k: Loops, acc: SSAValue, product: SSAValue, right: int, *, half: bool = False) -> SSAValue:
    """The sum with a product, without so many of its lowest bits; with `half` it is rounded, halves up."""
    if half:
        product = k.add(product, 1 << (right - 1))
    return _wrapped(k, acc, k.narrow(k.shift_right(product, right), i32))


def _unpack(k: Loops, word: SSAValue, lanes: SSAValue | None = None, *, first: int) -> SSAValue:
    """Two bytes with their sign, from the first one on every other, plus lanes."""
    bytes = [byte_of(k, word, number) for number in (first, first + 2)]
    if lanes is not None:
        bytes = [k.add(*both) for both in zip(bytes, lanes_of(k, lanes), strict=True)]
    return word_of(k, *bytes)


def _unpack_nibbles(k: Loops, word: SSAValue, place: int) -> SSAValue:
    left = 4 * (NIBBLES - 1 - place)
    return k.bit_and(k.shift_left(word, left) if left else word, _HIGH_BITS)


def _dual_multiply_add(k: Loops, lhs: SSAValue, rhs: SSAValue, acc: SSAValue) -> SSAValue:
    products = [k.mul(*both) for both in zip(lanes_of(k, lhs), lanes_of(k, rhs), strict=True)]
    return _wrapped(k, acc, *products)


def _of_lanes(k: Loops, lhs: SSAValue, rhs: SSAValue, *, lane: _Binary) -> SSAValue:
    """A function of each lane of two words."""
    return word_of(k, *(lane(k, *both) for both in zip(lanes_of(k, lhs), lanes_of(k, rhs), strict=True)))


def _of_bytes(k: Loops, lhs: SSAValue, rhs: SSAValue, *, byte: _Binary, signed: bool) -> SSAValue:
    """A function of each byte of two words."""
    made = [byte(k, *(byte_of(k, each, n, signed=signed) for each in (lhs, rhs))) for n in range(BYTES)]
    return _joined(k, [k.bit_and(each, 0xFF) for each in made])


def _joined(k: Loops, bytes: Sequence[SSAValue]) -> SSAValue:
    """The word of four bytes without a sign."""
    word, *others = bytes
    for number, byte in enumerate(others, 1):
        word = k.bit_or(word, k.shift_left(byte, 8 * number))
    return word


def _scale_real(k: Loops, value: SSAValue, factor: SSAValue) -> SSAValue:
    product = k.mulf(k.to_float(value), k.emit(arith.BitcastOp(factor, f32)))
    return k.emit(arith.FPToSIOp(k.round_half_even(product), i32))


def _nearest(k: Loops, value: SSAValue, least: int, most: int) -> SSAValue:
    return k.min(k.max(value, least, "raised"), most)


def _saturate(k: Loops, value: SSAValue, bits: int) -> SSAValue:
    return _nearest(k, value, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)


_LARGER: _Binary = lambda k, lhs, rhs: k.max(lhs, rhs)  # noqa: E731
_SMALLER: _Binary = lambda k, lhs, rhs: k.min(lhs, rhs)  # noqa: E731
_INSTRUCTIONS: dict[type[Operation], Callable[..., SSAValue]] = {
    words.PackOp: word_of,
    words.PackHighOp: lambda k, low, high: k.bit_or(
        k.bit_and(k.shift_right(low, _HALF), 0xFFFF), k.bit_and(high, -0x10000)
    ),
    words.UnpackEvenOp: partial(_unpack, first=0),
    words.UnpackEvenAddOp: partial(_unpack, first=0),
    **dict.fromkeys((words.UnpackOddOp, words.UnpackOddAddOp, words.UnpackNextOp), partial(_unpack, first=1)),
    words.UnpackEvenUnsignedOp: lambda k, word: k.bit_and(word, _OF_LANES),
    words.UnpackOddUnsignedOp: lambda k, word: k.bit_and(k.shift_right(word, 8), _OF_LANES),
    words.UnpackNibblesOp: _unpack_nibbles,
    words.DualAddOp: partial(_of_lanes, lane=lambda k, lhs, rhs: k.add(lhs, rhs)),
    words.DualSubtractOp: partial(_of_lanes, lane=lambda k, lhs, rhs: k.sub(lhs, rhs)),
    words.DualMultiplyAddOp: _dual_multiply_add,
    words.MultiplyHighAddOp: lambda k, lhs, rhs, acc: _added_part(k, acc, _wide_product(k, lhs, rhs), 32, half=True),
    words.MultiplyHighFloorAddOp: lambda k, lhs, rhs, acc: _added_part(k, acc, _wide_product(k, lhs, rhs), 32),
    words.ScaleNarrowAddOp: lambda k, lhs, rhs, acc: _added_part(k, acc, _wide_product(k, lhs, rhs), 31, half=True),
    words.ScaleByteAddOp: lambda k, byte, factor, acc: _added_part(k, acc, _wide_product(k, factor, byte), 8),
    words.ScaleLowAddOp: lambda k, lanes, factor, acc: _added_part(
        k, acc, _wide_product(k, factor, lanes_of(k, lanes)[0]), _HALF
    ),
    words.ScaleHighAddOp: lambda k, lanes, factor, acc: _added_part(
        k, acc, _wide_product(k, factor, lanes_of(k, lanes)[1]), _HALF
    ),
    words.ScaleRealOp: _scale_real,
    words.MaximumBytesOp: partial(_of_bytes, byte=_LARGER, signed=True),
    words.MinimumBytesOp: partial(_of_bytes, byte=_SMALLER, signed=True),
    words.MaximumUnsignedBytesOp: partial(_of_bytes, byte=_LARGER, signed=False),
    words.MinimumUnsignedBytesOp: partial(_of_bytes, byte=_SMALLER, signed=False),
    words.SaturateOp: _saturate,
    words.SaturateUnsignedOp: lambda k, value, bits: _nearest(k, value, 0, (1 << bits) - 1),
    words.ShiftSaturateOp: lambda k, value, right, bits: _saturate(k, k.shift_right(value, right, "shifted"), bits),
}
for _kind, _meaning in _INSTRUCTIONS.items():
    means(_kind)(_meaning)


@means(LoadBytesOp, lambda op: {"bytes": op.memref})
def load_bytes(k: Loops, op: LoadBytesOp, bytes: Array) -> SSAValue:
    """Byte by byte."""
    return _joined(k, [bytes.wide(n, signed=False) for n in range(BYTES)])


@means(StoreBytesOp, lambda op: {"bytes": op.memref, "word": op.word})
def store_bytes(k: Loops, op: StoreBytesOp, bytes: Array, word: SSAValue) -> None:
    """Byte by byte."""
    for n in range(BYTES):
        bytes.store(k.narrow(k.shift_right(word, 8 * n) if n else word, i8), n)


@means(SlideBytesOp, lambda op: {"bytes": op.memref})
def slide_bytes(k: Loops, op: SlideBytesOp, bytes: Array) -> None:
    """From the first byte on."""
    by = 1 if op.by is None else op.by.value.data
    with k.loop("n", 0, op.count - by) as n:
        bytes.store(bytes.load(k.add(n, by)), n)
