"""Functions that make one row, from the functions that make whole tensors."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, MemRefType
from xdsl.ir import BlockArgument
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.task import JoinOp
from .layout import RowLayout
from .rewrite import changed
from .sliding import Sliding, nests_of


def sliding_function(
    sliding: Sliding, layouts: Mapping[int, RowLayout], apart: frozenset[int], row: int
) -> func.FuncOp:
    """The function that makes a row; rows that are made alike have equal functions.

    An operand whose rows lie `apart` is as many arguments as the row needs, one behind the other; of another the
    argument is the part from the first row that is needed to the last.
    """
    function = sliding.function.clone()
    changes = [one.change(row, apart) for one in sliding.nests]
    for nest, change in zip(nests_of(function), changes, strict=True):
        Rewriter.replace_op(nest, changed(nest, change))
    parts = sliding.parts(row) | dict.fromkeys(sliding.results, (row,))
    for number in sorted(parts, reverse=True):
        argument, rows = function.body.block.args[number], parts[number]
        if number in apart:
            _divide(argument, layouts[number], len(rows))
        else:
            assert isinstance(argument.type, MemRefType), "tensors are memrefs"
            count = max(rows) - min(rows) + 1
            Rewriter.replace_value_with_new_type(argument, layouts[number].row_type(argument.type, count))
    return _retyped(function)


def _divide(argument: BlockArgument, layout: RowLayout, count: int) -> None:
    """Let an argument be some rows of its tensor, each an argument of its own."""
    type = argument.type
    assert isinstance(type, MemRefType), "tensors are memrefs"
    axis = layout.axis_of(type)
    assert axis is not None, "operands by rows have them along a dimension"
    block, row = argument.block, layout.row_type(type)
    if count == 1:
        Rewriter.replace_value_with_new_type(argument, row)
        return
    parts = [block.insert_arg(row, argument.index + n) for n in range(count)]
    for number, part in enumerate(parts):
        part.name_hint = f"{argument.name_hint or 'row'}_{number}"
    join = JoinOp(parts, axis.dim)
    join.result.name_hint = argument.name_hint
    Rewriter.insert_op(join, InsertPoint.at_start(block))
    argument.replace_all_uses_with(join.result)
    block.erase_arg(argument)


def _retyped(function: func.FuncOp) -> func.FuncOp:
    """The function with the type that its arguments give it, and without attributes of arguments that are no more."""
    types = [argument.type for argument in function.body.block.args]
    function.properties["function_type"] = FunctionType.from_lists(types, [])
    function.properties.pop("arg_attrs", None)
    return function
