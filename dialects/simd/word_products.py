"""Sums of products of words for four channels: of two 16-bit lanes each, or of two channels in one ("SWAR").

SWAR is SIMD within a register, for processors without instructions for lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, UnitAttr
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .instruction import INTEGER
from .memory import MOST_WRITTEN, ReadsMemory, Unrolled, WritesMemory, check_words, row_read, type_of

TILE_CHANNELS = 4
TILE_POINTS = 2
SWAR_CHANNELS = 4
"""Channels whose sums are made side by side, those of two in a word."""
SWAR_POINTS = 2
"""After which the sums of a word are taken apart."""


@irdl_op_definition
class DualProductsOp(Unrolled, ReadsMemory, WritesMemory):
    """Sums of `count` dual products for each of four channels with one point or each of two; sums wrap around.

    Words hold two lanes of 16 bits. Those of points are `[count][point]`, those of weights `[count][channel]`; all
    points of a channel start from one number, and the sums are written as `[channel][point]`: of four sums there is one
    point, of eight there are two. Words and sums are aligned. With `bytes` two channels share the lanes of weights,
    `lower + 256 * upper` of a byte each: the sum of the upper channel is what is left above that of the lower one, and
    has to fit 24 bits. `unroll` says how many words of a channel are written out in one pass. Example:
    `simd.dual_products %x[%i] 32 unroll 8, %w[%k], %starts[%c], %sums : memref<64xi32>, memref<256xi32>, memref<8xi32>,
    memref<8xi32>`.

    Arm: LDRD, LDM, SMLAD.
    """

    name = "simd.dual_products"
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    starts = operand_def(MemRefType)
    first_start = operand_def(IndexType())
    sums = operand_def(MemRefType)
    bytes = opt_prop_def(UnitAttr)
    assembly_format = (
        "$memref `[` $first `]` $count `unroll` $unroll (`bytes` $bytes^)? `,` $weights `[` $first_weight `]` `,` "
        "$starts `[` $first_start `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($weights) `,` type($starts) `,` type($sums)"
    )

    @property
    def points(self) -> int:
        """Number of points that run side by side."""
        return type_of(self.sums).get_shape()[0] // TILE_CHANNELS

    def verify_(self) -> None:
        self.check_written(MOST_WRITTEN)
        sums = type_of(self.sums)
        if sums.get_shape() not in [(points * TILE_CHANNELS,) for points in range(1, TILE_POINTS + 1)]:
            raise VerifyException(f"there are four sums, or eight of two points, not {sums}")
        check_words(*self.accesses())

    def accesses(self) -> Sequence[Access]:
        count, channels = self.count.value.data, TILE_CHANNELS if self.bytes is None else TILE_CHANNELS // 2
        return (
            row_read(self.memref, self.first, count * self.points),
            row_read(self.weights, self.first_weight, count * channels),
            row_read(self.starts, self.first_start, TILE_CHANNELS),
            Access(self.sums, True),
        )


@irdl_op_definition
class SwarProductsOp(ReadsMemory, WritesMemory):
    """Adds products of `count` numbers with weights of four channels to the sums of these; sums wrap around.

    A word of weights is that of the first channel of two plus 65536 times that of the second, so that one
    multiplication makes both products. For each two numbers there are the words of the first two channels, then those
    of the other two. Whoever writes the weights sees to it that the sum of two products fits 16 bits with its sign,
    whatever the numbers. Numbers and weights are four bytes each, aligned. Example:
    `simd.swar_products %x[%i] 4, %w[%k], %sums : memref<96xi32>, memref<64xi32>, memref<4xi32>`.

    Source of the name: R. Fisher, H. Dietz, "Compiling for SIMD within a register" (LCPC 1998).

    Armv6-M: LDM, MULS, ADDS, and ASRS, whose carry rounds what ADCS adds to the upper sum.
    """

    name = "simd.swar_products"
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    sums = operand_def(MemRefType)
    """Sums of the four channels."""
    assembly_format = (
        "$memref `[` $first `]` $count `,` $weights `[` $first_weight `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($weights) `,` type($sums)"
    )

    def verify_(self) -> None:
        count = self.count.value.data
        if count < SWAR_POINTS or count % SWAR_POINTS:
            raise VerifyException(f"numbers come two by two, not {count} of them")
        check_words(*self.accesses())

    def accesses(self) -> Sequence[Access]:
        count = self.count.value.data
        return (
            row_read(self.memref, self.first, count),
            row_read(self.weights, self.first_weight, count * SWAR_CHANNELS // 2),
            Access(self.sums, False),
            Access(self.sums, True),
        )
