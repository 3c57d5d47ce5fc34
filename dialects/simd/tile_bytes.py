"""Bytes of a tile over all of its channels: sums of dual products, rescaled, of one point or of two side by side.

What is constant is one stream of words in the order of use, a block for four channels: where their sums start; the
packed weights, `[count][channel]` or in bytes `[count][two channels]`; and for each channel a record (`rescaling`).
With few words of points these stay in registers, and the stream has all of one channel after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, UnitAttr
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .instruction import INTEGER
from .memory import (
    MOST_WRITTEN,
    SEGMENTS,
    ReadsMemory,
    Unrolled,
    WritesMemory,
    check_row,
    check_words,
    row_read,
    type_of,
)
from .rescaling import RESCALED, Rescales, Rescaling
from .word_products import TILE_CHANNELS

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
class TileBytesOp(Unrolled, Rescales, ReadsMemory, WritesMemory):
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
    words = operand_def(MemRefType)
    first_word = operand_def(IndexType())
    blocks = prop_def(INTEGER)
    out = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    """Place of the first channel of the first point."""
    along = opt_prop_def(INTEGER)
    bytes = opt_prop_def(UnitAttr)
    held = opt_prop_def(UnitAttr)
    irdl_options = SEGMENTS
    assembly_format = (
        f"(`held` $held^)? (`bytes` $bytes^)? {RESCALED}"
        "$memref `[` $first `]` $count `unroll` $unroll `,` $words `[` $first_word `]` $blocks `,` "
        "$out `[` $indices `]` (`along` $along^)? attr-dict `:` type($memref) `,` type($words) `,` type($out)"
    )

    @property
    def points(self) -> int:
        """Points that run side by side."""
        return 1 if self.along is None else 2

    def verify_(self) -> None:
        rescaling, bytes, blocks = self.rescaling, self.bytes is not None, self.blocks.value.data
        rescaling.verify()
        self.check_written(most_written(self.points, rescaling, bytes=bytes), blocks)
        count = self.count.value.data
        is_whole = self.unroll.value.data == count
        if self.held is not None and not (is_whole and holds(count, self.points, rescaling, bytes=bytes)):
            raise VerifyException(
                f"at most {MOST_HELD} words of points stay in registers, all written out, where no sign is added"
            )
        check_row(self.out, self.indices, TILE_CHANNELS * blocks)
        if self.along is not None and not 0 <= self.along.value.data < len(self.indices) - 1:
            raise VerifyException(f"two points lie along a dimension before the last one of {type_of(self.out)}")
        check_words(*self.accesses()[:2])

    def accesses(self) -> Sequence[Access]:
        count, blocks = self.count.value.data, self.blocks.value.data
        of_block = words_of_block(count, self.rescaling.record, bytes=self.bytes is not None)
        box = [1] * (len(self.indices) - 1) + [TILE_CHANNELS * blocks]
        if self.along is not None:
            box[self.along.value.data] = self.points
        return (
            row_read(self.memref, self.first, count * self.points),
            row_read(self.words, self.first_word, blocks * of_block),
            Access(self.out, True, tuple(self.indices), tuple(box)),
        )
