"""Functions that make one row, from the functions that make whole tensors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FunctionType, MemRefType
from xdsl.ir import BlockArgument
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.task import JoinOp, NestOp
from .by_row import NotByRows
from .layout import RowLayout
from .rewrite import Change, changed


def nests_of(function: func.FuncOp) -> list[NestOp]:
    """The tasks of a function of nothing but tasks and constants.

    Raises:
        NotByRows: it has anything else.
    """
    nests = [op for op in function.body.block.ops if isinstance(op, NestOp)]
    others = [op for op in function.body.block.ops if not isinstance(op, NestOp | arith.ConstantOp | func.ReturnOp)]
    if not nests or others or any(0 in nest.extents for nest in nests):
        raise NotByRows("it does more than tasks")
    return nests


def function_of_row(
    function: func.FuncOp,
    changes: Sequence[Change | None],
    parts: Mapping[int, tuple[int, ...]],
    others: Collection[int],
    layouts: Mapping[int, RowLayout],
    apart: frozenset[int],
) -> func.FuncOp:
    """The function with a change for each of its tasks; without those for which there is none, and some arguments.

    `parts` are the rows of arguments that it is passed, `others` are arguments that it is not.
    """
    function = function.clone()
    for nest, change in zip(nests_of(function), changes, strict=True):
        if change is None:
            Rewriter.erase_op(nest)
        else:
            Rewriter.replace_op(nest, changed(nest, change))
    arguments = list(function.body.block.args)
    for number in sorted(parts, reverse=True):
        argument, rows = arguments[number], parts[number]
        if number in apart:
            _divide(argument, layouts[number], len(rows))
        else:
            assert isinstance(argument.type, MemRefType), "tensors are memrefs"
            count = max(rows) - min(rows) + 1
            Rewriter.replace_value_with_new_type(argument, layouts[number].row_type(argument.type, count))
    for number in others:
        function.body.block.erase_arg(arguments[number])
    return retyped(function)


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


def retyped(function: func.FuncOp) -> func.FuncOp:
    """The function with the type that its arguments give it, and without attributes of arguments that are no more."""
    types = [argument.type for argument in function.body.block.args]
    function.properties["function_type"] = FunctionType.from_lists(types, [])
    function.properties.pop("arg_attrs", None)
    return function
