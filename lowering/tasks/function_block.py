"""The function around a task, and where buffers stand in it."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, Operation
from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp
from ..builder import Loops


def function_block(nest: NestOp) -> Block:
    """The first block of the function around a nest, where constants stand.

    Raises:
        PassFailedException: it is inside no function.
    """
    parent = nest.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    if parent is None:
        raise PassFailedException(f"'{nest.name}' op must be inside a function to be lowered")
    return parent.body.blocks[0]


def outermost(nest: NestOp) -> Operation:
    """The outermost loop around a nest, or the nest: in front of it buffers live as long as all of these run."""
    found: Operation = nest
    while (parent := found.parent_op()) is not None and not isinstance(parent, func.FuncOp):
        found = parent
    return found


def before_loops(nest: NestOp, k: Loops, alloc: Operation) -> None:
    """Insert an allocation outside of all loops around a nest."""
    loop = outermost(nest)
    if loop is nest:
        k.emit(alloc)
    else:
        assert loop.parent is not None, "it is inside a function"
        loop.parent.insert_ops_before([alloc], loop)
