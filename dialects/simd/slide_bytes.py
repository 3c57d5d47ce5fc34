"""The operation of the `simd` dialect that moves bytes within a buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, i8
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..values import Value
from .fields import INTEGER
from .memory import ReadsMemory, WritesMemory, is_dense, type_of


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
