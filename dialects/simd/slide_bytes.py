"""The operation of the `simd` dialect that moves bytes within a buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr, i8, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value


@irdl_op_definition
class SlideBytesOp(IRDLOperation):
    """Moves all bytes of a buffer down by some places, or by one; the first ones are lost, the last ones stay.

    Example: `simd.slide_bytes %state : memref<4x8xi8>`, or `simd.slide_bytes %window by 60 : memref<540xi8>`.

    Arm: LDR and STR of words that need not be aligned, LDM and STM where they are and the way is long.
    """

    name = "simd.slide_bytes"
    memref = operand_def(MemRefType)
    by = opt_prop_def(IntegerAttr.constr(type=i64))
    """Places that each byte moves; one where it is left out."""
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$memref (`by` $by^)? attr-dict `:` type($memref)"

    def __init__(self, memref: Value, by: int | None = None):
        super().__init__(operands=[memref], properties={"by": None if by is None else IntegerAttr(by, i64)})

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
        if self.by is not None and not 0 < self.by.value.data < self.count:
            raise VerifyException(f"{self.count} bytes cannot move by {self.by.value.data}")


@answers_for(SlideBytesOp)
def _slide_bytes(op: SlideBytesOp) -> Sequence[Access]:
    return (Access(op.memref, False), Access(op.memref, True, is_sure=False))
