"""Operations of the `simd` dialect that read and write memory for lanes, and which bytes these are."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnitAttr,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..values import Value, flag
from .lanes import LANES, lanes


def shape_of(
    memref: SSAValue, indices: Sequence[SSAValue], elements: Sequence[Attribute], what: str
) -> tuple[int, ...]:
    """The shape of a memref whose elements lie side by side.

    Raises:
        VerifyException: it is another memref, or has another number of indices.
    """
    type = memref.type
    assert isinstance(type, MemRefType), "the operand is a memref"
    shape = type.get_shape()
    if type.element_type not in elements or not isinstance(type.layout, NoneAttr) or not shape:
        raise VerifyException(f"{what} lie side by side, not as in {type}")
    if len(indices) != len(shape):
        raise VerifyException(f"{len(indices)} indices for the {len(shape)} dimensions of {type}")
    return shape


def _check_row(memref: SSAValue, indices: Sequence[SSAValue], count: int) -> None:
    shape = shape_of(memref, indices, (i8, i16, i32), "elements of lanes")
    if not 1 <= count <= LANES or 0 <= shape[-1] < count:
        raise VerifyException(f"1 to {LANES} lanes are elements of a row, not {count} of {memref.type}")


def _row(memref: SSAValue, indices: Sequence[SSAValue], count: int, *, is_write: bool) -> Access:
    return Access(memref, is_write, tuple(indices), (*(1,) * (len(indices) - 1), count))


@irdl_op_definition
class LoadLanesOp(IRDLOperation):
    """`count` elements side by side along the last dimension, widened to a lane each; the other lanes are zero.

    Elements are i8, i16 or i32, and need no alignment beyond their own. Example:
    `simd.load_lanes %x[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VLDRB, VLDRH, VLDRW; predicated for fewer than four.
    """

    name = "simd.load_lanes"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    count = prop_def(IntegerAttr[I64])
    unsigned = opt_prop_def(UnitAttr)
    """Whether elements are widened without a sign."""
    result = result_def(lanes)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$memref `[` $indices `]` $count (`unsigned` $unsigned^)? attr-dict `:` type($memref)"

    def __init__(self, memref: Value, indices: Sequence[Value], count: int = LANES, *, unsigned: bool = False):
        super().__init__(
            operands=[memref, indices],
            result_types=[lanes],
            properties={"count": IntegerAttr(count, i64), "unsigned": flag(unsigned)},
        )

    def verify_(self) -> None:
        _check_row(self.memref, self.indices, self.count.value.data)


@answers_for(LoadLanesOp)
def _load_lanes(op: LoadLanesOp) -> Sequence[Access]:
    return (_row(op.memref, op.indices, op.count.value.data, is_write=False),)


@irdl_op_definition
class StoreLanesOp(IRDLOperation):
    """Stores the first `count` lanes side by side along the last dimension, the low bits of each.

    Example: `simd.store_lanes %v, %y[%i, %j] 4 : memref<3x8xi8>`.

    Arm: VSTRB, VSTRH, VSTRW; predicated for fewer than four.
    """

    name = "simd.store_lanes"
    value = operand_def(lanes)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    count = prop_def(IntegerAttr[I64])
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $memref `[` $indices `]` $count attr-dict `:` type($memref)"

    def __init__(self, value: Value, memref: Value, indices: Sequence[Value], count: int = LANES):
        super().__init__(operands=[value, memref, indices], properties={"count": IntegerAttr(count, i64)})

    def verify_(self) -> None:
        _check_row(self.memref, self.indices, self.count.value.data)


@answers_for(StoreLanesOp)
def _store_lanes(op: StoreLanesOp) -> Sequence[Access]:
    return (_row(op.memref, op.indices, op.count.value.data, is_write=True),)
