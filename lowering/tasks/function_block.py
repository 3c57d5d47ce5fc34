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


def before_loops(nest: NestOp, k: Loops, alloc: Operation) -> None:
    """Insert an allocation outside of all loops around a nest, so that its buffer lives as long as these run."""
    outermost: Operation = nest
    while (parent := outermost.parent_op()) is not None and not isinstance(parent, func.FuncOp):
        outermost = parent
    if outermost is nest:
        k.emit(alloc)
    else:
        assert outermost.parent is not None, "it is inside a function"
        outermost.parent.insert_ops_before([alloc], outermost)
