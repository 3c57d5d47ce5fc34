"""How much memory of its own a function has."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.ir import SSAValue

from ...dialects.accesses import storage
from ...dialects.pool.extent import element_bytes


def held_bytes(function: func.FuncOp) -> int:
    """The most bytes of a function's own buffers that are in use at a time; a loop uses its buffers all the time."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for position, op in enumerate(function.body.block.ops):
        for operand in (operand for inner in op.walk() for operand in inner.operands):
            if isinstance((root := storage(operand)).owner, memref.AllocOp):
                first.setdefault(root, position)
                last[root] = position
    in_use = ([root for root in first if first[root] <= at <= last[root]] for at in {*first.values()})
    return max((sum(map(_bytes, roots)) for roots in in_use), default=0)


def _bytes(buffer: SSAValue) -> int:
    assert isinstance(buffer.owner, memref.AllocOp), "buffers of a function are allocated in it"
    type = buffer.owner.memref.type
    return type.element_count() * element_bytes(type)
