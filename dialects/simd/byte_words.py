"""Operations of the `simd` dialect on words of four bytes, and on bytes times factors; their loads and stores."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, i8, i32
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..function import Function
from ..values import Value
from .instruction import INTEGER, instruction, operands
from .memory import ReadsMemory, WritesMemory, check_room, is_dense, side_by_side, type_of

BYTES = 4
"""Bytes of a word, each an element that is read or a channel of its own."""


_HALF = operands("lanes", "factor", "acc")


class OfBytes(Function, abc.ABC):
    """Base of the functions of the four bytes of two words, each with its neighbour in the other word."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)


MaximumBytesOp = instruction(OfBytes, "maximum_bytes", "The larger bytes, with their sign.", "SSUB8, SEL")
MinimumBytesOp = instruction(OfBytes, "minimum_bytes", "The smaller bytes, with their sign.", "SSUB8, SEL")
MaximumUnsignedBytesOp = instruction(
    OfBytes, "maximum_unsigned_bytes", "The larger bytes, without a sign.", "USUB8, SEL"
)
MinimumUnsignedBytesOp = instruction(
    OfBytes, "minimum_unsigned_bytes", "The smaller bytes, without a sign.", "USUB8, SEL"
)


class ScaleByte(Function, abc.ABC):
    """Base of the products of a number of 8 bits, with its sign, with a factor."""

    byte = operand_def(i32)
    factor = operand_def(i32)
    acc = operand_def(i32)


ScaleByteAddOp = instruction(
    ScaleByte,
    "scale_byte_add",
    "`acc` plus `byte * factor / 2**8`, rounded down, of a number of 8 bits with its sign; the sum wraps around.",
    "SMLAWB of the number times 2**8",
)


ScaleLowAddOp = instruction(
    _HALF,
    "scale_low_add",
    "`acc` plus the low half, with its sign, times `factor / 2**16`, rounded down; the sum wraps around.",
    "SMLAWB",
)
ScaleHighAddOp = instruction(
    _HALF,
    "scale_high_add",
    "`acc` plus the high half, with its sign, times `factor / 2**16`, rounded down; the sum wraps around.",
    "SMLAWT",
)


@irdl_op_definition
class LoadBytesOp(ReadsMemory):
    """A word of four elements that lie side by side along the last dimension, the first in the lowest byte.

    They need not be aligned. Example: `simd.load_bytes %x[%i, %j] : memref<3x8xi8>`.

    Arm: LDR.
    """

    name = "simd.load_bytes"
    RESULTS: ClassVar = (i32,)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    result = result_def(i32)
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def verify_(self) -> None:
        type = type_of(self.memref)
        shape = type.get_shape()
        if not is_dense(self.memref, i8) or not shape or 0 <= shape[-1] < BYTES:
            raise VerifyException(f"a word is read of rows of {BYTES} i8 or more side by side, not of {type}")
        if len(self.indices) != len(shape):
            raise VerifyException(f"{len(self.indices)} indices for the {len(shape)} dimensions of {type}")

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, self.indices, BYTES, is_write=False),)


@irdl_op_definition
class StoreBytesOp(WritesMemory):
    """Four bytes of a word, the lowest first, to elements that lie side by side along the last dimension.

    They need not be aligned. Example: `simd.store_bytes %word, %y[%i, %j] : memref<3x8xi8>`.

    Arm: STR.
    """

    name = "simd.store_bytes"
    word = operand_def(i32)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    assembly_format = "$word `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def verify_(self) -> None:
        check_room(self.memref, self.indices, BYTES)

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, self.indices, BYTES, is_write=True),)


@irdl_op_definition
class SlideBytesOp(ReadsMemory, WritesMemory):
    """Moves all bytes of a buffer down by some places, or by one; the first ones are lost, the last ones stay.

    Example: `simd.slide_bytes %state : memref<4x8xi8>`, or `simd.slide_bytes %window by 60 : memref<540xi8>`.

    Arm: LDR and STR of words that need not be aligned, LDM and STM where they are and the way is long.
    """

    name = "simd.slide_bytes"
    memref = operand_def(MemRefType)
    by = opt_prop_def(INTEGER)
    """Places that each byte moves; one where it is left out."""
    assembly_format = "$memref (`by` $by^)? attr-dict `:` type($memref)"

    def __init__(self, memref: Value, by: int | None = None):
        super().__init__(memref, by=by)

    @property
    def count(self) -> int:
        """Bytes of the buffer."""
        return type_of(self.memref).element_count()

    def verify_(self) -> None:
        type = type_of(self.memref)
        if not is_dense(self.memref, i8) or not type.has_static_shape():
            raise VerifyException(f"bytes side by side slide, as many as are known, not those of {type}")
        if self.by is not None and not 0 < self.by.value.data < self.count:
            raise VerifyException(f"{self.count} bytes cannot move by {self.by.value.data}")

    def accesses(self) -> Sequence[Access]:
        return Access(self.memref, False), Access(self.memref, True, is_sure=False)
