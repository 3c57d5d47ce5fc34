"""Elements of memrefs without gaps, as those of one dimension."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, i64
from xdsl.ir import SSAValue

from ...dialects.strides import row_major
from .loops import Loops
from .scalars import Value


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
