"""Loads and stores of the `simd` dialect: a few elements side by side as one value; and bytes that move in memory."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, UnitAttr, i8, i16, i32
from xdsl.irdl import operand_def, opt_prop_def, prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .instruction import INTEGER
from .lanes import LANES, SIXTEEN, lanes, sixteen
from .memory import OnMemory, ReadsMemory, WritesMemory, dense, side_by_side, type_of
from .words import BYTES


class Move(OnMemory, abc.ABC):
    """Base of the loads and stores of elements that lie side by side along the last dimension."""

    memref = operand_def(dense(i8))
    indices = var_operand_def(IndexType())

    @property
    def moved(self) -> int:
        """Number of elements."""
        return BYTES

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, self.indices, self.moved, is_write=isinstance(self, WritesMemory)),)


class LoadBytesOp(Move, ReadsMemory):
    """A word of four elements that lie side by side along the last dimension, the first in the lowest byte.

    They need not be aligned. Example: `simd.load_bytes %x[%i, %j] : memref<3x8xi8>`.

    Arm: LDR.
    """

    name = "simd.load_bytes"
    result = result_def(i32)
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"


class StoreBytesOp(Move, WritesMemory):
    """Four bytes of a word, the lowest first, to elements that lie side by side along the last dimension.

    They need not be aligned. Example: `simd.store_bytes %word, %y[%i, %j] : memref<3x8xi8>`.

    Arm: STR.
    """

    name = "simd.store_bytes"
    word = operand_def(i32)
    assembly_format = "$word `,` $memref `[` $indices `]` attr-dict `:` type($memref)"


class MoveOfPart(Move, abc.ABC):
    """Base of the loads and stores of `count` elements of a vector, all or fewer."""

    MOST: ClassVar = SIXTEEN
    """Elements of a vector."""
    count = prop_def(INTEGER)

    @property
    def moved(self) -> int:
        """Number of elements."""
        return self.count.value.data

    def verify_(self) -> None:
        super().verify_()
        if self.moved > self.MOST:
            raise VerifyException(f"a vector has {self.MOST} elements, not {self.moved}")


class LoadLanesOp(MoveOfPart, ReadsMemory):
    """`count` elements side by side along the last dimension, widened to a lane each; the other lanes are zero.

    Elements are i8, i16 or i32, and need no alignment beyond their own. Example:
    `simd.load_lanes %x[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VLDRB, VLDRH, VLDRW; predicated for fewer than four.
    """

    name = "simd.load_lanes"
    MOST: ClassVar = LANES
    memref = operand_def(dense(i8, i16, i32))
    unsigned = opt_prop_def(UnitAttr)
    """Whether elements are widened without a sign."""
    result = result_def(lanes)
    assembly_format = "$memref `[` $indices `]` $count (`unsigned` $unsigned^)? attr-dict `:` type($memref)"


class StoreLanesOp(MoveOfPart, WritesMemory):
    """Stores the first `count` lanes side by side along the last dimension, the low bits of each.

    Example: `simd.store_lanes %v, %y[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VSTRB, VSTRH, VSTRW; predicated for fewer than four.
    """

    name = "simd.store_lanes"
    MOST: ClassVar = LANES
    value = operand_def(lanes)
    memref = operand_def(dense(i8, i16, i32))
    assembly_format = "$value `,` $memref `[` $indices `]` $count attr-dict `:` type($memref)"


class LoadSixteenOp(MoveOfPart, ReadsMemory):
    """`count` bytes, in memory one after the other; those that sixteen lack are zero.

    They need not be aligned. Example: `simd.load_sixteen %x[%i] 16 : memref<96xi8>`.

    Arm: VLDRB; predicated for fewer.
    """

    name = "simd.load_sixteen"
    result = result_def(sixteen)
    assembly_format = "$memref `[` $indices `]` $count attr-dict `:` type($memref)"


class StoreSixteenOp(MoveOfPart, WritesMemory):
    """The first `count` of sixteen bytes to memory. Example: `simd.store_sixteen %v, %x[%i] 9 : memref<96xi8>`.

    Arm: VSTRB; predicated for fewer.
    """

    name = "simd.store_sixteen"
    value = operand_def(sixteen)
    assembly_format = "$value `,` $memref `[` $indices `]` $count attr-dict `:` type($memref)"


class SlideBytesOp(ReadsMemory, WritesMemory):
    """Moves all bytes of a buffer down by some places, or by one; the first ones are lost, the last ones stay.

    Example: `simd.slide_bytes %state : memref<4x8xi8>`, or `simd.slide_bytes %window by 60 : memref<540xi8>`.

    Arm: LDR and STR of words that need not be aligned, LDM and STM where they are and the way is long.
    """

    name = "simd.slide_bytes"
    memref = operand_def(dense(i8))
    by = opt_prop_def(INTEGER)
    """Places that each byte moves; one where it is left out."""
    assembly_format = "$memref (`by` $by^)? attr-dict `:` type($memref)"

    @property
    def count(self) -> int:
        """Bytes of the buffer."""
        return type_of(self.memref).element_count()

    def verify_(self) -> None:
        type = type_of(self.memref)
        if not type.has_static_shape():
            raise VerifyException(f"as many bytes slide as are known, not those of {type}")
        if self.by is not None and not 0 < self.by.value.data < self.count:
            raise VerifyException(f"{self.count} bytes cannot move by {self.by.value.data}")

    def accesses(self) -> Sequence[Access]:
        return Access(self.memref, False), Access(self.memref, True, is_sure=False)
