"""Bytes of a tile over all of its channels: sums of dual products, rescaled, of one point or of two side by side.

What is constant is one stream of words in the order of use, a block for four channels: where their sums start; the
packed weights, `[count][channel]` or in bytes `[count][two channels]`; and for each channel a record (`rescaling`).
With few words of points these stay in registers, and the stream has all of one channel after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, MemRefType, NoneAttr, UnitAttr, i8, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value
from .dual_products import MOST_WRITTEN, TILE_CHANNELS
from .lane_memory import shape_of
from .rescaling import Rescaling
from .row_of_words import check_words

MOST_HELD = 8
"""Words of points for which there are registers."""


def holds(count: int, points: int, rescaling: Rescaling, *, bytes: bool) -> bool:
    """Whether words of points may stay in registers: one more would be needed for signs, and to take bytes apart."""
    return count * points <= MOST_HELD and not (rescaling.signed or bytes or rescaling.is_real)


def most_written(points: int, rescaling: Rescaling, *, bytes: bool) -> int:
    """How many words may be written out for so many points: C99 lets a string have 4,095 characters."""
    less = rescaling.signed + bytes
    if rescaling.is_real:
        less = 2 if bytes else rescaling.lift % 2
    return MOST_WRITTEN - (less if points > 1 else 0)


def loads_one_record(rescaling: Rescaling) -> bool:
    """Whether there are registers for the record of one channel only, not for those of two."""
    return rescaling.signed or rescaling.shift is None


def words_of_block(count: int, record: int, *, bytes: bool) -> int:
    """Words of the stream for four channels that sum so many dual products each, and have records of so many words."""
    return TILE_CHANNELS * (1 + record) + count * (TILE_CHANNELS // 2 if bytes else TILE_CHANNELS)


@irdl_op_definition
class TileBytesOp(IRDLOperation):
    """Bytes of `blocks` times four channels of a point, or of two: `count` dual products each, which wrap, rescaled.

    Words of points are `[count][point]`; the bytes of the channels lie side by side, those of the second point one
    step further `along` a dimension. They are `saturate((high(sum, multiplier) + added) >> shift)` as for
    `simd.scale_bytes`, with the same `signed`, `unsigned`, `shift` and `floor`; `unroll` and `bytes` are those of
    `simd.dual_products`: with `bytes` two channels share a word, and sums are doubled before. With `zero_point` they
    are `saturate(scale_real(sum, factor) + zero_point)`: products of floats, less than 2**15, of sums that are not
    doubled. Example:
    `simd.tile_bytes %x[%i] 8 unroll 8, %words[%k] 16, %y[%oy, %ox, %c] along 1 : memref<16xi32>, memref<768xi32>,
    memref<24x24x64xi8>`.

    Armv7E-M: LDM, LDRD, SMLAD, SMMLAR or SMMLA, ASR, SSAT or USAT, STRB; VCVT, VMLA, USAT16, STR.
    """

    name = "simd.tile_bytes"
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(IntegerAttr[I64])
    unroll = prop_def(IntegerAttr[I64])
    words = operand_def(MemRefType)
    first_word = operand_def(IndexType())
    blocks = prop_def(IntegerAttr[I64])
    out = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    """Place of the first channel of the first point."""
    along = opt_prop_def(IntegerAttr[I64])
    signed = opt_prop_def(UnitAttr)
    unsigned = opt_prop_def(UnitAttr)
    shift = opt_prop_def(IntegerAttr[I64])
    floor = opt_prop_def(UnitAttr)
    zero_point = opt_prop_def(IntegerAttr[I64])
    bytes = opt_prop_def(UnitAttr)
    held = opt_prop_def(UnitAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "(`held` $held^)? (`bytes` $bytes^)? "
        "(`signed` $signed^)? (`unsigned` $unsigned^)? (`floor` $floor^)? (`shift` $shift^)? "
        "(`zero_point` $zero_point^)? "
        "$memref `[` $first `]` $count `unroll` $unroll `,` $words `[` $first_word `]` $blocks `,` "
        "$out `[` $indices `]` (`along` $along^)? attr-dict `:` type($memref) `,` type($words) `,` type($out)"
    )

    def __init__(
        self,
        points: tuple[Value, Value],
        count: int,
        unroll: int,
        words: tuple[Value, Value],
        blocks: int,
        out: Value,
        indices: Sequence[Value],
        *,
        along: int | None,
        rescaling: Rescaling,
        bytes: bool = False,
        held: bool = False,
    ):
        """`points` and `words` are memrefs with the index where they begin."""
        super().__init__(
            operands=[*points, *words, out, indices],
            properties={
                "count": IntegerAttr(count, i64),
                "unroll": IntegerAttr(unroll, i64),
                "blocks": IntegerAttr(blocks, i64),
                "along": None if along is None else IntegerAttr(along, i64),
                "bytes": UnitAttr() if bytes else None,
                "held": UnitAttr() if held else None,
                **rescaling.properties,
            },
        )

    @property
    def rescaling(self) -> Rescaling:
        """How sums become bytes."""
        return Rescaling.of(self.signed, self.unsigned, self.shift, self.floor, self.zero_point)

    @property
    def points(self) -> int:
        """Points that run side by side."""
        return 1 if self.along is None else 2

    @property
    def taken(self) -> tuple[int, int]:
        """Words of points and of the stream that are read."""
        count = self.count.value.data
        of_block = words_of_block(count, self.rescaling.record, bytes=self.bytes is not None)
        return count * self.points, self.blocks.value.data * of_block

    def verify_(self) -> None:
        self.rescaling.verify()
        count, unroll, blocks = self.count.value.data, self.unroll.value.data, self.blocks.value.data
        if count < 1 or not 1 <= unroll <= count or blocks < 1:
            raise VerifyException(f"of one or more words at least one and at most all are written out, not {unroll}")
        most = most_written(self.points, self.rescaling, bytes=self.bytes is not None)
        if unroll + (count % unroll if count > unroll else 0) > most:
            raise VerifyException(f"{unroll} words in a loop, and {count % unroll} after it: at most {most}")
        is_held = holds(count, self.points, self.rescaling, bytes=self.bytes is not None) and unroll == count
        if self.held is not None and not is_held:
            raise VerifyException(
                f"at most {MOST_HELD} words of points stay in registers, all written out, where no sign is added"
            )
        type, shape = self.out.type, shape_of(self.out, self.indices, (i8,), "bytes")
        assert isinstance(type, MemRefType), "the operand is a memref"
        if not isinstance(type.layout, NoneAttr) or 0 <= shape[-1] < TILE_CHANNELS * blocks:
            raise VerifyException(
                f"{TILE_CHANNELS * blocks} bytes are written side by side, which {type} has no room for"
            )
        if self.along is not None and not 0 <= self.along.value.data < len(shape) - 1:
            raise VerifyException(f"two points lie along a dimension before the last one of {type}")
        for memref, least in zip((self.memref, self.words), self.taken, strict=True):
            check_words(memref, least)


@answers_for(TileBytesOp)
def _tile_bytes(op: TileBytesOp) -> Sequence[Access]:
    of_points, of_words = op.taken
    box = [1] * (len(op.indices) - 1) + [TILE_CHANNELS * op.blocks.value.data]
    if op.along is not None:
        box[op.along.value.data] = op.points
    return (
        Access(op.memref, False, (op.first,), (of_points,)),
        Access(op.words, False, (op.first_word,), (of_words,)),
        Access(op.out, True, tuple(op.indices), tuple(box)),
    )
