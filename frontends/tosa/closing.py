"""Gives a TOSA module the extents that an import has found: other tools do not take open ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, IndexType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.nn.interfaces import shape_of
from ...dialects.operations import operations
from ...dialects.tosa.movement import ConstShapeOp, ReshapeOp, SliceOp
from .constants import typed


def close_shapes(function: FuncOp, values: Mapping[SSAValue, SSAValue]) -> None:
    """Write on every value of a function the shape of what stands for it.

    Args:
        function: on `tosa` operations.
        values: what stands for its values, with static shapes.
    """
    for given, made in values.items():
        type: Any = given.type
        if isinstance(type, TensorType) and any(extent < 0 for extent in type.get_shape()):
            closed = typed(type.get_element_type(), shape_of(made))
            given._type = closed  # pyright: ignore[reportPrivateUsage]  # nothing is derived from types of values
    for op in operations(function):
        if isinstance(op, ReshapeOp):
            _say(op, 1)
        elif isinstance(op, SliceOp):
            _say(op, 2)
    block = function.body.block
    last = block.last_op
    results = [] if last is None else [value.type for value in last.operands]
    function.properties["function_type"] = FunctionType.from_lists([value.type for value in block.args], results)


def _say(op: Operation, operand: int) -> None:
    """Let the operand that holds the result's shape be that shape."""
    owner, block, type = op.operands[operand].owner, op.parent_block(), op.results[0].type
    if not isinstance(owner, ConstShapeOp) or block is None or not isinstance(type, TensorType):
        return
    shape: Any = type.get_shape()
    values = DenseIntOrFPElementsAttr.from_list(TensorType(IndexType(), [len(shape)]), [int(one) for one in shape])
    if values != owner.values:
        made = ConstShapeOp.build(properties={"values": values}, result_types=[owner.output.type])
        block.insert_op_before(made, op)
        op.operands[operand] = made.output
