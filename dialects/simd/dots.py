"""Operations of the `simd` dialect that add products of bytes to sums of many channels at once, or of four in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import IndexType, i8, i32
from xdsl.irdl import operand_def, prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .instruction import INTEGER
from .lanes import LANES, SIXTEEN, lanes
from .memory import INTEGERS, ReadsMemory, WritesMemory, dense, lies_in, reach_in, side_by_side, type_of

CHANNELS = 16
"""Channels whose weights lie together."""
DOT = 4
"""Bytes of a dot product."""


@dataclass(frozen=True)
class Runs:
    """Runs of bytes in rows and columns."""

    extents: tuple[int, ...]
    """Rows and columns."""
    steps: tuple[int, ...]
    """Bytes from one row to the next, and from one column."""
    count: int
    """Bytes of a run."""

    @property
    def reach(self) -> int:
        """Bytes from the first to the last."""
        return self.count + sum((extent - 1) * step for extent, step in zip(self.extents, self.steps, strict=True))

    @property
    def padded(self) -> int:
        """Bytes of a run, and those that its last four lack."""
        return -(-self.count // DOT) * DOT


class AddDotProductsOp(ReadsMemory, WritesMemory):
    """Adds to each sum the products of a window's bytes with weights of the sum's own; sums wrap around.

    The window has rows and columns of runs of `count` bytes, and steps from one row or column to the next. Weights are
    in blocks of sixteen sums; in a block there are, for every four bytes of a run, four weights of each of the sums.
    Those that the last four bytes of a run lack are zero. Example, three rows of one run of 30 bytes, 96 bytes apart:
    `simd.add_dot_products %x[%i] [3, 1] by [96, 0] of 30, %w[%k], %sums
    : memref<512xi8>, memref<1536xi8>, memref<16xi32>`.

    x86: VPDPBUSD, VPMADDWD. Arm: SDOT.
    """

    name = "simd.add_dot_products"
    memref = operand_def(dense(i8))
    first = operand_def(IndexType())
    extents = prop_def(INTEGERS)
    """Rows and columns."""
    steps = prop_def(INTEGERS)
    count = prop_def(INTEGER)
    weights = operand_def(dense(i8))
    first_weight = operand_def(IndexType())
    sums = operand_def(dense(i32))
    assembly_format = (
        "$memref `[` $first `]` $extents `by` $steps `of` $count `,` $weights `[` $first_weight `]` `,` $sums "
        "attr-dict `:` type($memref) `,` type($weights) `,` type($sums)"
    )

    @property
    def window(self) -> Runs:
        """The places of bytes."""
        return self.described(Runs)

    @property
    def channels(self) -> int:
        """Sums there are."""
        return type_of(self.sums).element_count()

    def verify_(self) -> None:
        window = self.window
        if not len(window.extents) == len(window.steps) == 2:
            raise VerifyException("a window has rows and columns, and a step for each")
        if window.count < 1 or min(window.extents) < 1 or min(window.steps) < 0:
            rows, columns = window.extents
            raise VerifyException(f"a window has runs of bytes, not {rows} x {columns} of {window.count}")
        if not type_of(self.sums).has_static_shape() or self.channels % CHANNELS:
            raise VerifyException(f"there are sums for a multiple of {CHANNELS} channels, not {type_of(self.sums)}")
        super().verify_()

    def accesses(self) -> Sequence[Access]:
        window = self.window
        runs, (rows, columns), (row, column) = prod(window.extents), window.extents, window.steps
        # Neither gaps nor bytes that are read twice.
        is_all = (columns == 1 or column == window.count) and (rows == 1 or row == columns * window.count)
        bytes = side_by_side(self.memref, [self.first], window.reach, is_sure=is_all)
        weights = side_by_side(self.weights, [self.first_weight], runs * window.padded * self.channels)
        return bytes, weights, Access(self.sums, False), Access(self.sums, True)


class SumProductsOp(ReadsMemory):
    """Add to a number for each of four channels the products of `count` bytes with the channel's weights; sums wrap
    around.

    The bytes lie one after the other. For every sixteen of them there are sixteen weights of each of the four channels;
    those that the last sixteen lack are zero. Example:
    `simd.sum_products %x[%i] 20, %w[%k], %a, %b, %c, %d : memref<96xi8>, memref<256xi8>`.

    Arm: VMLADAVA.
    """

    name = "simd.sum_products"
    memref = operand_def(dense(i8))
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    weights = operand_def(dense(i8))
    first_weight = operand_def(IndexType())
    starts = var_operand_def(i32)
    """One for each channel."""
    result = result_def(lanes)
    assembly_format = (
        "$memref `[` $first `]` $count `,` $weights `[` $first_weight `]` `,` $starts attr-dict `:` "
        "type($memref) `,` type($weights)"
    )

    def verify_(self) -> None:
        if len(self.starts) != LANES:
            raise VerifyException(f"there are sums of {LANES} channels, not of {len(self.starts)}")
        super().verify_()

    def accesses(self) -> Sequence[Access]:
        count = self.count.value.data
        weights = side_by_side(self.weights, [self.first_weight], -(-count // SIXTEEN) * SIXTEEN * LANES)
        return side_by_side(self.memref, [self.first], count), weights


class SumWindowOp(ReadsMemory):
    """`sum` and the products of every point of a window over channels, four bytes side by side, with weights.

    The window has `extents` points, `steps` elements of the memref apart; it lies in the box of `shape`
    elements from the indices on. The weights lie one after the other in the order of the points. Sums wrap around.
    Example, three by three points of eight channels:
    `simd.sum_window %x[%y, %i, %c] [3, 3] [48, 8] [3, 3, 4], %w[%k], %sum : memref<6x6x8xi8>, memref<72xi8>`.

    Arm: VLDRB, VMUL, VADD.
    """

    name = "simd.sum_window"
    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())
    extents = prop_def(INTEGERS)
    """Rows and columns."""
    steps = prop_def(INTEGERS)
    """Elements from one to the next."""
    shape = prop_def(INTEGERS)
    """Elements along each dimension of the memref, from the first to the last of four channels."""
    weights = operand_def(dense(i8))
    first_weight = operand_def(IndexType())
    sum = operand_def(lanes)
    result = result_def(lanes)
    assembly_format = (
        "$memref `[` $indices `]` $extents $steps $shape `,` $weights `[` $first_weight `]` `,` $sum attr-dict `:` "
        "type($memref) `,` type($weights)"
    )

    @property
    def _places(self) -> set[int]:
        """Elements that are read, counted from the first one."""
        (rows, columns), (row, column) = self.extents.get_values(), self.steps.get_values()
        return {r * row + c * column + n for r in range(rows) for c in range(columns) for n in range(LANES)}

    def verify_(self) -> None:
        extents, steps, box = (part.get_values() for part in (self.extents, self.steps, self.shape))
        is_window = len(extents) == len(steps) == 2 and min(extents) > 0
        if is_window:
            super().verify_()
        is_full = is_window and box[-1:] == (LANES,) and max(self._places) + 1 == reach_in(self.memref, box)
        if not is_full or not lies_in(self.memref, box, self._places):
            raise VerifyException(f"a window has rows and columns that fill its box of {'x'.join(map(str, box))}")

    def accesses(self) -> Sequence[Access]:
        box = self.shape.get_values()
        read = Access(self.memref, False, tuple(self.indices), box, is_sure=prod(box) == len(self._places))
        return read, side_by_side(self.weights, [self.first_weight], prod(self.extents.get_values()) * LANES)
