"""The operation of the `simd` dialect that moves bytes within a buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, NoneAttr, i8
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value


@irdl_op_definition
class SlideBytesOp(IRDLOperation):
    """Moves all bytes of a buffer down by one place; the first one is lost, and the last one stays where it is, too.

    Example: `simd.slide_bytes %state : memref<4x8xi8>`.

    Arm: LDR and STR of words that need not be aligned.
    """

    name = "simd.slide_bytes"
    memref = operand_def(MemRefType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$memref attr-dict `:` type($memref)"

    def __init__(self, memref: Value):
        super().__init__(operands=[memref])

    @property
    def count(self) -> int:
        """Bytes of the buffer."""
        assert isinstance(self.memref.type, MemRefType), "the operand is a memref"
        return self.memref.type.element_count()

    def verify_(self) -> None:
        type = self.memref.type
        assert isinstance(type, MemRefType), "the operand is a memref"
        if type.element_type != i8 or not isinstance(type.layout, NoneAttr) or not type.has_static_shape():
            raise VerifyException(f"bytes side by side slide, as many as are known, not those of {type}")


@answers_for(SlideBytesOp)
def _slide_bytes(op: SlideBytesOp) -> Sequence[Access]:
    return (Access(op.memref, False), Access(op.memref, True, is_sure=False))
