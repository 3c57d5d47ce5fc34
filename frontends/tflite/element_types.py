"""Element types of TFLite tensors: their names, widths and IR types."""

from __future__ import annotations

from enum import Enum

from xdsl.dialects.builtin import AnyFloat, IntegerType, Signedness, bf16, f16, f32, f64, i1, i8, i16, i32, i64


class ElementType(Enum):
    """`TensorType` of the TFLite schema; the value is the number in the file."""

    FLOAT32 = 0
    FLOAT16 = 1
    INT32 = 2
    UINT8 = 3
    INT64 = 4
    STRING = 5
    BOOL = 6
    INT16 = 7
    COMPLEX64 = 8
    INT8 = 9
    FLOAT64 = 10
    COMPLEX128 = 11
    UINT64 = 12
    RESOURCE = 13
    VARIANT = 14
    UINT32 = 15
    UINT16 = 16
    INT4 = 17
    BFLOAT16 = 18

    @property
    def bits(self) -> int | None:
        """Bits of one element in a buffer; None for types without a fixed size."""
        return _BITS.get(self)

    @property
    def ir(self) -> IntegerType | AnyFloat | None:
        """The element type in the IR, signed integers signless; None where the IR has none.

        Constants of 4 bits are unpacked to bytes.
        """
        return _IR.get(self)

    def buffer_bytes(self, elements: int) -> int | None:
        """Bytes that `elements` elements take in a file, sub-byte types packed; None without a fixed size."""
        return None if self.bits is None else (elements * self.bits + 7) // 8


_T = ElementType
_BITS = {
    _T.FLOAT32: 32,
    _T.FLOAT16: 16,
    _T.INT32: 32,
    _T.UINT8: 8,
    _T.INT64: 64,
    _T.BOOL: 8,
    _T.INT16: 16,
    _T.COMPLEX64: 64,
    _T.INT8: 8,
    _T.FLOAT64: 64,
    _T.COMPLEX128: 128,
    _T.UINT64: 64,
    _T.UINT32: 32,
    _T.UINT16: 16,
    _T.INT4: 4,
    _T.BFLOAT16: 16,
}
_IR: dict[ElementType, IntegerType | AnyFloat] = {
    _T.FLOAT32: f32,
    _T.FLOAT16: f16,
    _T.BFLOAT16: bf16,
    _T.FLOAT64: f64,
    _T.BOOL: i1,
    _T.UINT8: IntegerType(8, Signedness.UNSIGNED),
    _T.INT8: i8,
    _T.INT4: i8,
    _T.INT16: i16,
    _T.INT32: i32,
    _T.INT64: i64,
}
