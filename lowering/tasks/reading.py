"""How operands lie: without gaps, or as rows of words."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.strides import row_major
from ...dialects.task import NestOp
from ...dialects.task.syntax import Access
from ..builder import Loops, Value


def is_dense(access: Access, element: Attribute) -> bool:
    """Whether an operand is of elements of a type, without a layout of its own."""
    return access.type.element_type == element and access.is_dense


def flat(k: Loops, buffer: SSAValue, indices: Sequence[Value]) -> tuple[SSAValue, Value]:
    """A view of one dimension of a memref without gaps, and where an element lies in it."""
    type = buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    shape = type.get_shape()
    place = place_of(k, indices, row_major(shape))
    if len(shape) == 1:
        return buffer, place
    group = ArrayAttr([ArrayAttr([IntegerAttr(n, i64) for n in range(len(shape))])])
    view = memref.CollapseShapeOp(
        operands=[buffer],
        result_types=[MemRefType(type.element_type, [type.element_count()])],
        properties={"reassociation": group},
    )
    return k.emit(view, buffer.name_hint), place


def place_of(k: Loops, indices: Sequence[Value], strides: Sequence[int]) -> Value:
    """Where an element lies whose indices are so many elements apart."""
    place: Value = 0
    for index, stride in zip(indices, strides, strict=True):
        place = k.add(place, k.mul(index, stride))
    return place


def column(nest: NestOp, access: Access, channel: int) -> int | None:
    """Which word of a channel's row of i32 an access is; None if it is none, or there are others than the channels'."""
    if not access.indices or access.type.element_type != i32:
        return None
    row, *columns = (nest.form(index) for index in access.indices)
    is_row = row.terms == ((channel, 1),) and not row.constant and access.shape[0] == nest.extents[channel]
    if not is_row or len(columns) > 1 or any(column.terms for column in columns):
        return None
    return columns[0].constant if columns else 0
