"""Calls of C functions that compute an operation: what they are given, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import SSAValue

from ...dialects.simd.memory import OnMemory
from .buffers import address, flat_index
from .lowering import Lowering


def pointer(memref: SSAValue, indices: Sequence[SSAValue], at: Lowering, *, const: bool) -> SSAValue:
    """Pointer to an element of a memref."""
    buffer, type = at.buffer(memref)
    computed, constant = flat_index(at.build, buffer.strides, [at.value(i) for i in indices], type.get_shape())
    return address(at.build, buffer.moved(at.build, constant, computed, buffer.strides), type, const=const)


def pointers(op: OnMemory, at: Lowering) -> list[SSAValue]:
    """Pointers to what an operation touches, in the order of its accesses; one to what it reads and writes."""
    found: dict[SSAValue, SSAValue] = {}
    for each in op.accesses():
        if each.indices is None:
            found[each.memref] = at.value(each.memref)
        else:
            found[each.memref] = pointer(each.memref, each.indices, at, const=not each.is_write)
    return list(found.values())


def call(at: Lowering, function: str, *arguments: SSAValue | int) -> None:
    """Call a function that has no result; numbers become constants."""
    values = [at.build.constant(each, i32) if isinstance(each, int) else each for each in arguments]
    at.build.add(EmitC_CallOpaqueOp(function, values, []))
