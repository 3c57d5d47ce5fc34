"""The function around a task, and where buffers stand in it."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.operations import enclosing
from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from ...dialects.task import NestOp


def function_around(nest: NestOp) -> func.FuncOp:
    """The function around a nest.

    Raises:
        PassFailedException: it is inside no function.
    """
    function = enclosing(nest, func.FuncOp)
    if function is None:
        raise PassFailedException(f"'{nest.name}' op must be inside a function to be lowered")
    return function


def function_block(nest: NestOp) -> Block:
    """The first block of the function around a nest, where constants stand; raises as `function_around`."""
    return function_around(nest).body.blocks[0]


def outermost(nest: NestOp) -> Operation:
    """The outermost loop around a nest, or the nest: in front of it buffers live as long as all of these run."""
    found: Operation = nest
    while (parent := found.parent_op()) is not None and not isinstance(parent, func.FuncOp):
        found = parent
    return found


def scratch_alloc(type: MemRefType, name: str) -> memref.AllocOp:
    """An allocation of scratch memory, which stands nowhere yet."""
    alloc = memref.AllocOp([], [], type)
    keys.NAME.put(alloc.attributes, name)
    keys.KIND.put(alloc.attributes, BufferKind.SCRATCH)
    alloc.memref.name_hint = name
    return alloc


def scratch(nest: NestOp, element: Attribute, count: int, name: str) -> SSAValue:
    """So many elements of scratch memory, allocated outside of all loops around a nest."""
    alloc = scratch_alloc(MemRefType(element, [count]), name)
    Rewriter.insert_op(alloc, InsertPoint.before(outermost(nest)))
    return alloc.memref
