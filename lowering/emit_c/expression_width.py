"""Width of the C text of an expression, so that long ones can be split before they are printed."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.emitc import EmitC_CallOpaqueOp, EmitC_OpaqueType, EmitC_PointerType
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc

LIMIT = 104
"""Columns that a statement may have, roughly: names are guessed where the printer will make them."""

_ASSIGNMENT = 12
"""Columns for the type, the name and the `=` in front of a value that gets a variable."""

_INDENT = 2
_NAME = 3
_SHORT = 14
"""Nothing narrower than this is worth a name."""


class Widths:
    """Widths of the operations of one block, which are added in their order."""

    def __init__(self) -> None:
        self._widths: dict[Operation, int] = {}
        self._room: int | None = None

    def add(self, op: Operation, *, folded: bool) -> list[Operation]:
        """Measure an operation; returns the operations in it that should get names for it to fit.

        `folded` says that the operation is written where its value is used.
        """
        room = self._room_in(op)
        parts = [part for part in _parts(op) if part in self._widths]
        named: list[Operation] = []
        while (width := self._measure(op)) > room and parts:
            longest = max(parts, key=lambda part: self._widths[part])
            if self._widths[longest] < _SHORT:
                break
            parts.remove(longest)
            del self._widths[longest]
            named.append(longest)
        if folded:
            self._widths[op] = width
        return named

    def _room_in(self, op: Operation) -> int:
        if self._room is None:
            depth = 0
            parent = op.parent_op()
            while parent is not None:
                depth += 1
                parent = parent.parent_op()
            self._room = LIMIT - _ASSIGNMENT - _INDENT * depth
        return self._room

    def _measure(self, op: Operation) -> int:
        operands = [self._of(value) for value in op.operands]
        match op:
            case emitc.ConstantOp():
                return len(_literal(op))
            case emitc.LoadOp():
                return operands[0]
            case emitc.CastOp():
                # Taking off or adding `const` needs no cast in C.
                silent = isinstance(op.source.type, EmitC_OpaqueType | EmitC_PointerType)
                return operands[0] + (0 if silent else 11)
            case emitc.CallOp() | EmitC_CallOpaqueOp():
                callee = op.callee.data if isinstance(op, EmitC_CallOpaqueOp) else op.callee.string_value()
                return len(callee) + 2 * len(operands) + sum(operands)
            case _:
                # Operators with blanks around them, and parentheses on the average.
                return sum(operands) + 4 * len(operands) - 3

    def _of(self, value: SSAValue) -> int:
        owner = value.owner
        if isinstance(owner, Operation) and owner in self._widths:
            return self._widths[owner]
        if isinstance(owner, emitc.SubscriptOp):
            return sum(self._of(operand) for operand in owner.operands) + 2
        if isinstance(owner, emitc.GetGlobalOp):
            return len(owner.symbol_name)
        return _NAME if value.name_hint is None else len(value.name_hint)


def _parts(op: Operation) -> list[Operation]:
    """The operations that are written in this one: its operands, and the indices of an element that it loads."""
    owners = [value.owner for value in op.operands]
    indices = [value.owner for owner in owners if isinstance(owner, emitc.SubscriptOp) for value in owner.operands]
    return [owner for owner in (*owners, *indices) if isinstance(owner, Operation)]


def _literal(op: emitc.ConstantOp) -> str:
    value = op.value
    return str(value.value.data) if isinstance(value, IntegerAttr | FloatAttr) else str(value)
