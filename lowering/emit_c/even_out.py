"""Brings functions into a form in which constants that happen to be negative or zero look like any other, and back."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.dialects.emitc import EmitC_AddOp, EmitC_PointerType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import emitc
from ...dialects.operations import operations
from .literals import known


def even_out(function: emitc.FuncOp) -> None:
    """Add in place of subtracting a constant; add to pointers of which there is only another view, zero if need be."""
    for op in operations(function):
        if isinstance(op, emitc.SubOp) and (number := _number(op.rhs)) is not None:
            _replace(op, EmitC_AddOp(op.lhs, _constant(-number, op), i32))
    for argument in function.body.block.args:
        if isinstance(argument.type, EmitC_PointerType) and argument.has_one_use():
            (use,) = argument.uses
            if isinstance(use.operation, emitc.CastOp):
                moved = EmitC_AddOp(argument, _constant(0, use.operation), argument.type)
                Rewriter.insert_op(moved, InsertPoint.before(use.operation))
                use.operation.operands[use.index] = moved.result


def put_back(function: emitc.FuncOp) -> None:
    """The form that is read best."""
    for op in operations(function):
        if not isinstance(op, EmitC_AddOp) or (number := _number(op.rhs)) is None:
            continue
        if isinstance(op.lhs, BlockArgument) and number == 0 and isinstance(op.lhs.type, EmitC_PointerType):
            constant = op.rhs.owner
            op.result.replace_all_uses_with(op.lhs)
            Rewriter.erase_op(op)
            _drop(constant)
        elif number < 0 and op.result.type == i32:
            _replace(op, emitc.SubOp(op.lhs, _constant(-number, op), i32))


def _number(value: SSAValue) -> int | None:
    """A constant whose negation is one, too."""
    number = known(value) if value.type == i32 else None
    return None if number == -(1 << 31) else number


def _constant(number: int, before: Operation) -> SSAValue:
    made = emitc.ConstantOp(IntegerAttr(number, i32), i32)
    Rewriter.insert_op(made, InsertPoint.before(before))
    return made.result


def _replace(op: emitc.SubOp | EmitC_AddOp, made: emitc.SubOp | EmitC_AddOp) -> None:
    constant, hint = op.rhs.owner, op.result.name_hint
    Rewriter.replace_op(op, made)
    made.result.name_hint = hint
    _drop(constant)


def _drop(constant: object) -> None:
    if isinstance(constant, emitc.ConstantOp) and constant.result.first_use is None:
        Rewriter.erase_op(constant)
