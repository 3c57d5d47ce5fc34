"""Memrefs as views of bytes: what lies side by side in one buffer, and the buffer that it lies in."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, NoneAttr, i8, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects.pool.bytes import BytesOp
from ..dialects.pool.extent import buffer_bytes, dense_strides, element_bytes


def view_at(builder: Builder, bytes_: SSAValue, shift: int, type: MemRefType, name: str | None = None) -> SSAValue:
    """Values in a vector of bytes from a byte on, seen as a type."""
    at = builder.insert(arith.ConstantOp(IntegerAttr(shift, IndexType())))
    view = builder.insert(memref.ViewOp(bytes_, at, [], type))
    view.result.name_hint = name
    return view.result


def reshaped(builder: Builder, value: SSAValue, type: MemRefType) -> SSAValue:
    """Give dense elements another shape."""
    shape = type.get_shape()
    cast = builder.insert(memref.ReinterpretCastOp(value, [], [], [], [0], shape, dense_strides(type), type))
    cast.result.name_hint = value.name_hint
    return cast.result


def flat_bytes(builder: Builder, value: SSAValue) -> SSAValue:
    """The bytes of a dense memref in one dimension."""
    type = value.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    if type.element_type != i8:
        bytes_ = builder.insert(BytesOp(value)).result
        bytes_.name_hint = value.name_hint
        return bytes_
    flat = MemRefType(i8, [buffer_bytes(type)], NoneAttr(), type.memory_space)
    return value if type == flat else reshaped(builder, value, flat)


def made_of_bytes(alloc: memref.AllocOp) -> SSAValue:
    """A buffer of bytes in the place of one of other elements, of which all that used it sees a view.

    The old buffer is left without a use.
    """
    type = alloc.memref.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    alignment = max(element_bytes(type), 1 if alloc.alignment is None else alloc.alignment.value.data)
    made = memref.AllocOp([], [], MemRefType(i8, [buffer_bytes(type)]), IntegerAttr(alignment, i64))
    made.attributes |= alloc.attributes
    made.memref.name_hint = alloc.memref.name_hint
    builder = Builder(InsertPoint.before(alloc))
    builder.insert(made)
    alloc.memref.replace_all_uses_with(view_at(builder, made.memref, 0, type, alloc.memref.name_hint))
    return made.memref


def drop_unused(block: Block, *kinds: type[Operation]) -> None:
    """Remove the operations of these kinds, each with one result, that nothing in the block needs any more."""
    for op in reversed(list(block.ops)):
        if isinstance(op, kinds) and not op.results[0].uses:
            op.detach()
            op.erase()
