"""Who reads and writes the bytes of a memref, through views and calls."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, NoneAttr
from xdsl.ir import Operation, SSAValue, Use

from ....dialects.accesses import VIEWS, accesses
from .structure import callee, functions, size_of


def uses_through_views(value: SSAValue) -> Iterator[Use]:
    """All uses of a memref's bytes by operations that are no views."""
    for use in value.uses:
        if isinstance(use.operation, VIEWS):
            yield from uses_through_views(use.operation.results[0])
        else:
            yield use


class Writers:
    """Which uses write; calls are followed into the functions of the module."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._functions = functions(module)

    def is_write(self, use: Use, seen: frozenset[SSAValue] = frozenset()) -> bool:
        """Whether a use may write to the memref; operations that nobody knows may."""
        match op := use.operation:
            case func.CallOp():
                function = self._callee(op)
                if function.is_declaration:
                    return True
                argument = function.body.block.args[use.index]
                return argument not in seen and self.is_written(argument, seen | {argument})
            case _:
                value = op.operands[use.index]
                return any(access.is_write and access.memref is value for access in accesses(op))

    def _callee(self, call: func.CallOp) -> func.FuncOp:
        function = self._functions.get(call.callee.string_value())
        if function is None or function.parent is None:
            # Passes add functions, and remove them.
            self._functions = functions(self._module)
            function = callee(self._functions, call)
        return function

    def is_written(self, value: SSAValue, seen: frozenset[SSAValue] = frozenset()) -> bool:
        """Whether anything may write to the bytes of a memref."""
        return any(self.is_write(use, seen) for use in uses_through_views(value))


def dense_offset(value: SSAValue) -> int | None:
    """Where a memref's elements begin in the buffer that it is a view of, in bytes; None if they lie apart there."""
    owner = value.owner
    if not isinstance(owner, VIEWS):
        return 0
    source = owner.operands[0]
    begin = dense_offset(source)
    if begin is None or not _is_dense(value) or not _is_dense(source):
        return None
    match owner:
        case memref.ViewOp():
            shift = owner.byte_shift.owner
            number = shift.value if isinstance(shift, arith.ConstantOp) else None
            return begin + number.value.data if isinstance(number, IntegerAttr) else None
        case memref.ReinterpretCastOp():
            static = [int(offset) for offset in owner.static_offsets.get_values()]
            return begin if not owner.offsets and static == [0] else None
        case memref.SubviewOp():
            return None
        case _:
            return begin


def is_whole(value: SSAValue) -> bool:
    """Whether a memref names its buffer from the first byte on, all of it."""
    root = value
    while isinstance(owner := root.owner, VIEWS):
        root = owner.operands[0]
    return dense_offset(value) == 0 and _bytes(value) == _bytes(root)


def _is_dense(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType) and isinstance(value.type.layout, NoneAttr)


def _bytes(value: SSAValue) -> int:
    assert isinstance(value.type, MemRefType), "buffers are memrefs"
    return size_of(value.type)


def top_level(op: Operation, function: func.FuncOp) -> Operation:
    """The operation of the function's own block that an operation stands in."""
    while op.parent_op() is not function:
        parent = op.parent_op()
        assert parent is not None, "the operation stands in the function"
        op = parent
    return op
