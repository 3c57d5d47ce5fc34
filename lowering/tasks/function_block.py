"""The function around a task."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block
from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp


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
