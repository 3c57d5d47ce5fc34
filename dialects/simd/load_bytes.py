"""The operation of the `simd` dialect that reads memory, and which bytes it reads."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr, i8, i32
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def, var_operand_def
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value

BYTES = 4
"""Bytes of a word, each an element that is read or a channel of its own."""


@irdl_op_definition
class LoadBytesOp(IRDLOperation):
    """A word of four elements that lie side by side along the last dimension, the first in the lowest byte.

    They need not be aligned. Example: `simd.load_bytes %x[%i, %j] : memref<3x8xi8>`.

    Arm: LDR.
    """

    name = "simd.load_bytes"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    result = result_def(i32)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, memref: Value, indices: Sequence[Value]):
        super().__init__(operands=[memref, indices], result_types=[i32])

    def verify_(self) -> None:
        type = self.memref.type
        assert isinstance(type, MemRefType), "the operand is a memref"
        shape = type.get_shape()
        if type.element_type != i8 or not isinstance(type.layout, NoneAttr) or not shape or 0 <= shape[-1] < BYTES:
            raise VerifyException(f"a word is read of rows of {BYTES} i8 or more side by side, not of {type}")
        if len(self.indices) != len(shape):
            raise VerifyException(f"{len(self.indices)} indices for the {len(shape)} dimensions of {type}")


@answers_for(LoadBytesOp)
def _load_bytes(op: LoadBytesOp) -> Sequence[Access]:
    return (Access(op.memref, False, tuple(op.indices), (*(1,) * (len(op.indices) - 1), BYTES)),)
