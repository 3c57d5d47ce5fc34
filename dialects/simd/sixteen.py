"""Operations of the `simd` dialect on sixteen bytes at once: they are copied, and multiplied with constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i8, i32, i64
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..function import Function
from ..values import Value
from .instruction import INTEGER
from .lanes import LANES, lanes
from .memory import ReadsMemory, WritesMemory, row_read, shape_of, side_by_side

SIXTEEN = 16
"""Bytes of a vector."""


@irdl_attr_definition
class SixteenType(ParametrizedAttribute, TypeAttribute):
    """Sixteen i8. Example: `!simd.sixteen`."""

    name = "simd.sixteen"


sixteen = SixteenType()


def _check_bytes(memref: SSAValue, first: SSAValue, count: int, most: int) -> None:
    (*outer, size) = shape_of(memref, [first], (i8,), "bytes")
    if outer or not 1 <= count <= most or 0 <= size < count:
        raise VerifyException(f"1 to {most} bytes are taken of a row of as many, not {count} of {memref.type}")


@irdl_op_definition
class SixteenOfOp(Function):
    """One byte sixteen times. Example: `simd.sixteen_of -5`.

    Arm: VDUP.
    """

    name = "simd.sixteen_of"
    RESULT: ClassVar[Attribute] = sixteen
    byte = prop_def(INTEGER)
    result = result_def(sixteen)
    assembly_format = "$byte attr-dict"

    def __init__(self, byte: int):
        super().__init__(properties={"byte": IntegerAttr(byte, i64)})

    def verify_(self) -> None:
        if not -128 <= self.byte.value.data <= 127:
            raise VerifyException(f"{self.byte.value.data} is no signed byte")


@irdl_op_definition
class LoadSixteenOp(ReadsMemory):
    """`count` bytes, in memory one after the other; those that sixteen lack are zero.

    They need not be aligned. Example: `simd.load_sixteen %x[%i] 16 : memref<96xi8>`.

    Arm: VLDRB; predicated for fewer.
    """

    name = "simd.load_sixteen"
    RESULTS: ClassVar = (sixteen,)
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    result = result_def(sixteen)
    assembly_format = "$memref `[` $first `]` $count attr-dict `:` type($memref)"

    def __init__(self, memref: Value, first: Value, count: int = SIXTEEN):
        super().__init__(memref, first, count=count)

    def verify_(self) -> None:
        _check_bytes(self.memref, self.first, self.count.value.data, SIXTEEN)

    def accesses(self) -> Sequence[Access]:
        return (row_read(self.memref, self.first, self.count.value.data),)


@irdl_op_definition
class StoreSixteenOp(WritesMemory):
    """The first `count` of sixteen bytes to memory. Example: `simd.store_sixteen %v, %x[%i] 9 : memref<96xi8>`.

    Arm: VSTRB; predicated for fewer.
    """

    name = "simd.store_sixteen"
    value = operand_def(sixteen)
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    assembly_format = "$value `,` $memref `[` $first `]` $count attr-dict `:` type($memref)"

    def __init__(self, value: Value, memref: Value, first: Value, count: int = SIXTEEN):
        super().__init__(value, memref, first, count=count)

    def verify_(self) -> None:
        _check_bytes(self.memref, self.first, self.count.value.data, SIXTEEN)

    def accesses(self) -> Sequence[Access]:
        return (side_by_side(self.memref, [self.first], self.count.value.data, is_write=True),)


@irdl_op_definition
class SumProductsOp(ReadsMemory):
    """Add to a number for each of four channels the products of `count` bytes with the channel's weights; sums wrap
    around.

    The bytes lie one after the other. For every sixteen of them there are sixteen weights of each of the four channels;
    those that the last sixteen lack are zero. Example:
    `simd.sum_products %x[%i] 20, %w[%k], %a, %b, %c, %d : memref<96xi8>, memref<256xi8>`.

    Arm: VMLADAVA.
    """

    name = "simd.sum_products"
    RESULTS: ClassVar = (lanes,)
    memref = operand_def(MemRefType)
    first = operand_def(IndexType())
    count = prop_def(INTEGER)
    weights = operand_def(MemRefType)
    first_weight = operand_def(IndexType())
    starts = var_operand_def(i32)
    """One for each channel."""
    result = result_def(lanes)
    assembly_format = (
        "$memref `[` $first `]` $count `,` $weights `[` $first_weight `]` `,` $starts attr-dict `:` "
        "type($memref) `,` type($weights)"
    )

    def __init__(
        self, memref: Value, first: Value, count: int, weights: Value, first_weight: Value, starts: Sequence[Value]
    ):
        super().__init__(memref, first, weights, first_weight, starts, count=count)

    @property
    def taken(self) -> int:
        """Weights that are read."""
        return -(-self.count.value.data // SIXTEEN) * SIXTEEN * LANES

    def verify_(self) -> None:
        if len(self.starts) != LANES:
            raise VerifyException(f"there are sums of {LANES} channels, not of {len(self.starts)}")
        count = self.count.value.data
        _check_bytes(self.memref, self.first, count, max(1, count))
        _check_bytes(self.weights, self.first_weight, self.taken, max(1, self.taken))

    def accesses(self) -> Sequence[Access]:
        bytes = row_read(self.memref, self.first, self.count.value.data)
        return bytes, row_read(self.weights, self.first_weight, self.taken)
