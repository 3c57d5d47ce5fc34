"""Tiles of four channels: sums of products of words, bytes of tiles over all channels, and words of two points.

Words have two lanes of 16 bits, or weights of two channels ("SWAR", SIMD within a register, for processors without
instructions for lanes). For bytes what is constant is one stream of words in the order of use, a block for four
channels: where their sums start; the packed weights, `[count][channel]` or in bytes `[count][two channels]`; and for
each channel a record (`rescaling`). With few words of points these stay in registers, and the stream has all of one
channel after the other.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import IndexType, UnitAttr, i8, i32
from xdsl.irdl import IRDLOperation, operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..strides import row_major
from .instruction import INTEGER
from .memory import (
    FOUR_SUMS,
    INTEGERS,
    SEGMENTS,
    ReadsMemory,
    WritesMemory,
    dense,
    lies_in,
    reach_in,
    side_by_side,
    type_of,
)
from .rescaling import RESCALED, Rescales
from .words import BYTES

TILE_CHANNELS = 4
TILE_POINTS = 2
SWAR_CHANNELS = 4
"""Channels whose sums are made side by side, those of two in a word."""
SWAR_POINTS = 2
"""After which the sums of a word are taken apart."""


class Unrolled(IRDLOperation, abc.ABC):
    """Base of the operations on `count` words, `unroll` of which are written out in one pass."""

    count = prop_def(INTEGER)
    unroll = prop_def(INTEGER)

    @property
    def passed(self) -> int:
        """Words in one pass of a loop; none without one."""
        count, unroll = self.count.value.data, self.unroll.value.data
        return unroll if unroll and count // unroll > 1 else 0

    @property
    def passes(self) -> int:
        """Passes of the loop; one without a loop."""
        return self.count.value.data // self.passed if self.passed else 1

    @property
    def after(self) -> int:
        """Words behind the loop, or all where there is none."""
        return self.count.value.data - self.passes * self.passed

    def check_words(self, blocks: int = 1) -> None:
        """Check that there are words, in so many blocks, and some of them are written out."""
        count, unroll = self.count.value.data, self.unroll.value.data
        if not 1 <= unroll <= count or blocks < 1:
            raise VerifyException(f"of one or more words at least one and at most all are written out, not {unroll}")


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
    memref = operand_def(dense(i32))
    first = operand_def(IndexType())
    weights = operand_def(dense(i32))
    first_weight = operand_def(IndexType())
    starts = operand_def(dense(i32))
    first_start = operand_def(IndexType())
    sums = operand_def(dense(i32))
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
        self.check_words()
        sums = type_of(self.sums)
        if sums.get_shape() not in [(points * TILE_CHANNELS,) for points in range(1, TILE_POINTS + 1)]:
            raise VerifyException(f"there are four sums, or eight of two points, not {sums}")
        super().verify_()

    def accesses(self) -> Sequence[Access]:
        count, shared = self.count.value.data, 1 if self.bytes is None else 2
        return (
            side_by_side(self.memref, [self.first], count * self.points),
            side_by_side(self.weights, [self.first_weight], count * TILE_CHANNELS // shared),
            side_by_side(self.starts, [self.first_start], TILE_CHANNELS),
            Access(self.sums, True),
        )


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
    memref = operand_def(dense(i32))
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    weights = operand_def(dense(i32))
    first_weight = operand_def(IndexType())
    sums = operand_def(FOUR_SUMS)
    """Sums of the four channels."""
    assembly_format = (
        "$memref `[` $first `]` $count `,` $weights `[` $first_weight `]` `,` $sums attr-dict `:` "
        "type($memref) `,` type($weights) `,` type($sums)"
    )

    def verify_(self) -> None:
        count = self.count.value.data
        if count < SWAR_POINTS or count % SWAR_POINTS:
            raise VerifyException(f"numbers come two by two, not {count} of them")
        super().verify_()

    def accesses(self) -> Sequence[Access]:
        count = self.count.value.data
        return (
            side_by_side(self.memref, [self.first], count),
            side_by_side(self.weights, [self.first_weight], count * SWAR_CHANNELS // 2),
            Access(self.sums, False),
            Access(self.sums, True),
        )


class TileBytesOp(Unrolled, Rescales, ReadsMemory, WritesMemory):
    """Bytes of `blocks` times four channels of a point, or of two: `count` dual products each, which wrap, rescaled.

    Words of points are `[count][point]`; the bytes of the channels lie side by side, those of the second point one
    step further `along` a dimension. Sums are rescaled as by `simd.scale_bytes`, with the same properties; `unroll` and
    `bytes` are those of `simd.dual_products`: with `bytes` two channels share a word, and sums are doubled before, but
    not with `zero_point`. Example:
    `simd.tile_bytes %x[%i] 8 unroll 8, %words[%k] 16, %y[%oy, %ox, %c] along 1 : memref<16xi32>, memref<768xi32>,
    memref<24x24x64xi8>`.

    Armv7E-M: LDM, LDRD, SMLAD, SMMLAR or SMMLA, ASR, SSAT or USAT, STRB; VCVT, VMLA, USAT16, STR.
    """

    name = "simd.tile_bytes"
    memref = operand_def(dense(i32))
    first = operand_def(IndexType())
    words = operand_def(dense(i32))
    first_word = operand_def(IndexType())
    blocks = prop_def(INTEGER)
    out = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    """Place of the first channel of the first point."""
    along = opt_prop_def(INTEGER)
    bytes = opt_prop_def(UnitAttr)
    held = opt_prop_def(UnitAttr)
    assembly_format = (
        f"(`held` $held^)? (`bytes` $bytes^)? {RESCALED}"
        "$memref `[` $first `]` $count `unroll` $unroll `,` $words `[` $first_word `]` $blocks `,` "
        "$out `[` $indices `]` (`along` $along^)? attr-dict `:` type($memref) `,` type($words) `,` type($out)"
    )

    @property
    def points(self) -> int:
        """Points that run side by side."""
        return 1 if self.along is None else 2

    @property
    def apart(self) -> int | None:
        """Bytes from the results of one point to those of the other; None of one point."""
        return None if self.along is None else row_major(type_of(self.out).get_shape())[self.along.value.data]

    def verify_(self) -> None:
        self.rescaling.verify()
        self.check_words(self.blocks.value.data)
        if self.held is not None and (self.unroll != self.count or self.bytes is not None):
            raise VerifyException("words of points that stay in registers are all written out, with a channel each")
        if self.along is not None and not 0 <= self.along.value.data < len(self.indices) - 1:
            raise VerifyException(f"two points lie along a dimension before the last one of {type_of(self.out)}")
        if (self.apart or 0) < 0:
            raise VerifyException(f"two points lie as far apart as is known, which {type_of(self.out)} does not say")
        super().verify_()

    def accesses(self) -> Sequence[Access]:
        count, blocks = self.count.value.data, self.blocks.value.data
        shared = 1 if self.bytes is None else 2
        of_block = TILE_CHANNELS * (1 + self.rescaling.record) + count * TILE_CHANNELS // shared
        box = [1] * (len(self.indices) - 1) + [TILE_CHANNELS * blocks]
        if self.along is not None:
            box[self.along.value.data] = self.points
        return (
            side_by_side(self.memref, [self.first], count * self.points),
            side_by_side(self.words, [self.first_word], blocks * of_block),
            Access(self.out, True, tuple(self.indices), tuple(box)),
        )


class UnpackPointsOp(Unrolled, ReadsMemory, WritesMemory):
    """Words of two lanes of two points, `[word][point]`, from the bytes of each: runs of `count` words of four bytes.

    Two words come of each four bytes: the first with the third, then the second with the fourth. Bytes need not be
    aligned, words are. Runs begin at `places`, in elements from the first one of each point, and lie in a box from
    there on; `unroll` says how many words of a run are written out in one pass, where there is one run. Words of two
    `singles` each, bytes that lie apart, follow; of an odd number the last one is a word of its own. With
    `unsigned` before all, bytes have no sign. Example, two runs of eight bytes and what is left of each:
    `simd.unpack_points %x[%i, %j], %x[%i, %k] [0, 24] 2 unroll 2 singles [8, 32] [2, 9], %lanes[%l] :
    memref<8x24xi8>, memref<8x24xi8>, memref<18xi32>`.

    Armv7E-M: LDR, SXTB16 or UXTB16, LDRSB or LDRB, PKHBT, STM.
    """

    name = "simd.unpack_points"
    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    """Indices of the first byte of the first point."""
    other = operand_def(dense(i8))
    other_indices = var_operand_def(IndexType())
    places = prop_def(INTEGERS)
    singles = opt_prop_def(INTEGERS)
    box = prop_def(INTEGERS)
    unsigned = opt_prop_def(UnitAttr)
    lanes = operand_def(dense(i32))
    """Memory that is written."""
    first = operand_def(IndexType())
    irdl_options = SEGMENTS
    assembly_format = (
        "(`unsigned` $unsigned^)? $memref `[` $indices `]` `,` $other `[` $other_indices `]` "
        "$places $count `unroll` $unroll (`singles` $singles^)? $box `,` $lanes `[` $first `]` attr-dict `:` "
        "type($memref) `,` type($other) `,` type($lanes)"
    )

    @property
    def single_places(self) -> tuple[int, ...]:
        """Return the places of single bytes."""
        return () if self.singles is None else self.singles.get_values()

    @property
    def _read(self) -> list[int]:
        """The places of all bytes that are read of a point."""
        run = range(BYTES * self.count.value.data)
        return [*(place + n for place in self.places.get_values() for n in run), *self.single_places]

    @property
    def after(self) -> int:
        """Words of runs behind the loop, or all where there is none."""
        return super().after * len(self.places.get_values())

    def verify_(self) -> None:
        count, unroll, places = self.count.value.data, self.unroll.value.data, self.places.get_values()
        if self.other.type != self.memref.type or len(self.other_indices) != len(self.indices):
            types = f"{self.memref.type} and {self.other.type}"
            raise VerifyException(f"both points lie in memrefs of one type, not in {types}")
        is_one = len(places) == 1 and self.singles is None
        if not 0 <= min(1, count) <= unroll <= count or (unroll < count and not is_one) or bool(count) != bool(places):
            raise VerifyException(f"of words in a row at least one and at most all are written out, not {unroll}")
        if not places and not self.single_places:
            raise VerifyException("nothing is read")
        super().verify_()
        reach = reach_in(self.memref, self.box.get_values())
        if not lies_in(self.memref, self.box.get_values(), self._read) or (self.passed and places[0]):
            raise VerifyException(f"what is read lies in the {reach} bytes from the first on, a loop begins there")

    def accesses(self) -> Sequence[Access]:
        box, words, singles = self.box.get_values(), self.count.value.data * len(self.places), len(self.single_places)
        is_all = prod(box) == len({*self._read})
        points = ((self.memref, self.indices), (self.other, self.other_indices))
        read = [Access(memref, False, tuple(indices), box, is_sure=is_all) for memref, indices in points]
        return *read, Access(self.lanes, True, (self.first,), (4 * words + 2 * -(-singles // 2),))
