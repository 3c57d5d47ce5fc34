"""The operation of the `simd` dialect that adds dot products of bytes to an array of sums, many channels at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import IndexType, MemRefType, i8, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..values import Value
from .instruction import INTEGER
from .memory import INTEGERS, ReadsMemory, WritesMemory, is_dense, row_read, type_of

CHANNELS = 16
"""Channels whose weights lie together."""
DOT = 4
"""Bytes of a dot product."""


@dataclass(frozen=True)
class Runs:
    """Runs of bytes in rows and columns."""

    extents: tuple[int, int]
    """Rows and columns."""
    steps: tuple[int, int]
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


def _check_row(memref: SSAValue, element: Attribute, least: int, what: str) -> None:
    type = type_of(memref)
    if type.get_num_dims() != 1 or not is_dense(memref, element) or type.get_shape()[0] < least:
        raise VerifyException(f"{what} are a row of at least {least} {element} side by side, not {type}")


@irdl_op_definition
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
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    extents = prop_def(INTEGERS)
    """Rows and columns."""
    steps = prop_def(INTEGERS)
    count = prop_def(INTEGER)
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    sums = operand_def(MemRefType)
    assembly_format = (
        "$memref `[` $first `]` $extents `by` $steps `of` $count `,` $weights `[` $first_weight `]` `,` $sums "
        "attr-dict `:` type($memref) `,` type($weights) `,` type($sums)"
    )

    def __init__(self, memref: Value, first: Value, window: Runs, weights: Value, first_weight: Value, sums: Value):
        super().__init__(memref, first, weights, first_weight, sums, **vars(window))

    @property
    def window(self) -> Runs:
        """Return the places of bytes."""
        rows, columns = self.extents.get_values()
        row, column = self.steps.get_values()
        return Runs((rows, columns), (row, column), self.count.value.data)

    @property
    def channels(self) -> int:
        """Sums there are."""
        return type_of(self.sums).get_shape()[0]

    @property
    def taken(self) -> int:
        """Weights that are read."""
        window = self.window
        return prod(window.extents) * window.padded * self.channels

    def verify_(self) -> None:
        if any(len(each.get_values()) != 2 for each in (self.extents, self.steps)):
            raise VerifyException("a window has rows and columns, and a step for each")
        window = self.window
        if window.count < 1 or min(window.extents) < 1 or min(window.steps) < 0:
            rows, columns = window.extents
            raise VerifyException(f"a window has runs of bytes, not {rows} x {columns} of {window.count}")
        _check_row(self.sums, i32, CHANNELS, "sums")
        if self.channels % CHANNELS:
            raise VerifyException(f"there are sums for a multiple of {CHANNELS} channels, not {self.channels}")
        _check_row(self.memref, i8, window.reach, "bytes")
        _check_row(self.weights, i8, self.taken, "weights")

    def accesses(self) -> Sequence[Access]:
        window = self.window
        is_all = window.reach == prod(window.extents) * window.count
        bytes = row_read(self.memref, self.first, window.reach, is_sure=is_all)
        weights = row_read(self.weights, self.first_weight, self.taken)
        return bytes, weights, Access(self.sums, False), Access(self.sums, True)
