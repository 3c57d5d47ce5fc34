"""What sums of products of words mean, and bytes of them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ...dialects.simd import words as instructions
from ...dialects.simd.rescaling import Rescales
from ...dialects.simd.tiles import (
    SWAR_CHANNELS,
    SWAR_POINTS,
    TILE_CHANNELS,
    DualProductsOp,
    SwarProductsOp,
    TileBytesOp,
)
from ..builder import Loops, Value
from .meaning import Array, Operand, means
from .words import lanes_of

_SHARED = 2
"""Channels that share a word."""
_HALF = 16
"""Bits of a channel in such a word."""

_Weight = Callable[[Value], SSAValue]
"""Both lanes of a channel's weight, by the number of the word."""


def _over_channels(k: Loops, words: Array, *, shares: bool, body: Callable[[Value, _Weight], None]) -> None:
    """For each channel of a tile its number, and its weights: `[word][channel]`, or `[word][two channels]`."""
    if not shares:
        with k.loop("c", 0, TILE_CHANNELS) as c:
            body(c, lambda n: words.load(k.add(k.mul(n, TILE_CHANNELS), c), "weight"))
        return
    of_word = TILE_CHANNELS // _SHARED

    def both(pair: Value, n: Value) -> SSAValue:
        return words.load(k.add(k.mul(n, of_word), pair), "both")

    with k.loop("pair", 0, of_word) as pair:
        body(k.mul(pair, _SHARED), lambda n: k.emit(instructions.UnpackEvenOp(both(pair, n)), "weight"))
        body(k.add(k.mul(pair, _SHARED), 1, "c"), lambda n: _upper(k, both(pair, n)))


def _upper(k: Loops, both: SSAValue) -> SSAValue:
    """The lanes of the second of two channels, of `lower + 256 * upper`."""
    lower = lanes_of(k, k.emit(instructions.UnpackEvenOp(both), "lower"))
    parts = [k.shift_right(k.sub(*each), 8) for each in zip(lanes_of(k, both), lower, strict=True)]
    return k.emit(instructions.PackOp(*parts), "weight")


def _total(k: Loops, width: Value, points: Array, p: Value, count: Value, start: SSAValue, weight: _Weight) -> SSAValue:
    """A sum of products of words, in each of which there are `width` points."""

    def add(n: Value, total: SSAValue) -> SSAValue:
        point = points.load(k.add(k.mul(n, width), p), "point")
        return k.emit(instructions.DualMultiplyAddOp(point, weight(n), total), "sum")

    return k.reduce("n", 0, count, start, add, "sum")


@means(
    DualProductsOp,
    lambda op: {
        "points": op.memref,
        "count": op.count,
        "weights": op.weights,
        "starts": op.starts,
        "sums": op.sums,
    },
)
def dual_products(
    k: Loops, op: DualProductsOp, points: Array, count: Value, weights: Array, starts: Array, sums: Array
) -> None:
    """Each sum by itself."""

    def channel(c: Value, weight: _Weight) -> None:
        with k.loop("p", 0, op.points) as p:
            total = _total(k, op.points, points, p, count, starts.load(c, "sum"), weight)
            sums.store(total, k.add(k.mul(c, op.points), p))

    _over_channels(k, weights, shares=op.bytes is not None, body=channel)


def _operands(op: TileBytesOp) -> dict[str, Operand]:
    """All that tiles of one kind differ in."""
    given = {"points": op.memref, "count": op.count, "words": op.words, "blocks": op.blocks, "bytes": op.out}
    return {**given, "width": op.points, "apart": op.apart or 0, **rescaling_of(op)}


@means(TileBytesOp, _operands)
def tile_bytes(
    k: Loops,
    op: TileBytesOp,
    points: Array,
    count: Value,
    words: Array,
    blocks: Value,
    bytes: Array,
    width: Value,
    apart: Value,
    **numbers: Value,
) -> None:
    """Each byte by itself."""
    rescaling, shares = op.rescaling, op.bytes is not None
    of_word = TILE_CHANNELS // _SHARED if shares else TILE_CHANNELS

    def channel(c: Value, weight: _Weight, start: SSAValue, record: Array, out: Array) -> None:
        with k.loop("p", 0, width) as p:
            total = _total(k, width, points, p, count, start, weight)
            doubled = k.mul(total, 2, "doubled", wraps=True) if shares and not rescaling.is_real else total
            out.store(rescaled(k, op, record, doubled, total, **numbers), k.add(c, k.mul(p, apart)))

    def held(block: Array, out: Array) -> None:
        with k.loop("c", 0, TILE_CHANNELS) as c:
            own = block.behind(k.mul(c, k.add(count, 1 + rescaling.record)), "own")
            weights = own.behind(1)
            channel(c, lambda n: weights.load(n, "weight"), own.load(0, "start"), weights.behind(count, "record"), out)

    def in_words(block: Array, out: Array) -> None:
        weights = block.behind(TILE_CHANNELS, "weights")
        records = weights.behind(k.mul(count, of_word), "records")

        def one(c: Value, weight: _Weight) -> None:
            record = records.behind(k.mul(c, rescaling.apart), "record")
            channel(c, weight, block.load(c, "start"), record, out)

        _over_channels(k, weights, shares=shares, body=one)

    with k.loop("b", 0, blocks) as b:
        size = k.add(k.mul(count, of_word), TILE_CHANNELS * (1 + rescaling.record))
        own = words.behind(k.mul(b, size), "block"), bytes.behind(k.mul(b, TILE_CHANNELS), "first")
        (in_words if op.held is None else held)(*own)


def rescaling_of(op: Rescales) -> dict[str, int]:
    """The number that all channels of an operation have in common, by name, if there is one."""
    given = {"shift": op.rescaling.shift, "zero_point": op.rescaling.zero_point}
    return {name: number for name, number in given.items() if number is not None}


def rescaled(
    k: Loops, op: Rescales, record: Array, value: SSAValue, total: SSAValue, shift: Value = 0, zero_point: Value = 0
) -> SSAValue:
    """The byte that becomes of a value, which has the sign of a total, by a channel's record."""
    rescaling = op.rescaling
    saturate = instructions.SaturateUnsignedOp if rescaling.unsigned else instructions.SaturateOp
    if rescaling.is_real:
        product = k.emit(instructions.ScaleRealOp(value, record.load(0, "factor")), "product")
        return k.narrow(k.emit(saturate(k.add(product, k.index_to_i32(zero_point)), bits=8)), i8)
    added = record.load(1, "added")
    if rescaling.signed:
        added = k.add(added, k.shift_right(total, 31), "added")
    kind = instructions.MultiplyHighFloorAddOp if rescaling.floor else instructions.MultiplyHighAddOp
    high = k.emit(kind(value, record.load(0, "multiplier"), added), "high")
    by = record.load(2, "shift") if rescaling.shift is None else k.index_to_i32(shift)
    return k.narrow(k.emit(saturate(k.shift_right(high, by), bits=8)), i8)


@means(
    SwarProductsOp,
    lambda op: {"numbers": op.memref, "count": op.count, "words": op.weights, "sums": op.sums},
)
def swar_products(k: Loops, op: SwarProductsOp, numbers: Array, count: Value, words: Array, sums: Array) -> None:
    """Windows of two numbers, of which a word has the products of two channels."""
    with k.loop("window", 0, k.div(count, SWAR_POINTS)) as n:
        own = numbers.behind(k.mul(n, SWAR_POINTS))
        taken = words.behind(k.mul(n, SWAR_POINTS * SWAR_CHANNELS // _SHARED))
        with k.loop("pair", 0, SWAR_CHANNELS // _SHARED) as pair:
            first, second = (
                k.mul(own.load(m, "number"), taken.load(k.add(k.mul(pair, SWAR_POINTS), m), "word"))
                for m in range(SWAR_POINTS)
            )
            both = k.add(first, second, "both")
            upper = k.shift_right(k.add(both, 1 << (_HALF - 1)), _HALF, "upper")
            for m, part in enumerate((k.sub(both, k.mul(upper, 1 << _HALF)), upper)):
                at = k.add(k.mul(pair, _SHARED), m)
                sums.store(k.add(sums.load(at, "sum"), part, wraps=True), at)
