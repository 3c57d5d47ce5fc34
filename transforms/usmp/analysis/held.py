"""Memory of functions before buffers have places: how much each has of its own, and is in use around its calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, SSAValue

from ....dialects.accesses import storage
from ....dialects.operations import all_of, operations
from ....dialects.pool.extent import element_bytes


def held_bytes(function: func.FuncOp) -> int:
    """The most bytes of a function's own buffers that are in use at a time; a loop uses its buffers all the time."""
    lives = [one for one in _lives(function) if isinstance(one.root.owner, memref.AllocOp)]
    return max((_in_use(lives, one.first) for one in lives), default=0)


@dataclass(frozen=True)
class InUse:
    """Bytes that a network uses while its functions run, scratch apart; how buffers will overlap is not known yet."""

    least: int
    """Bytes that it needs without scratch: what is in use before or after an operator."""
    around: dict[str, int]
    """Bytes of arguments and results and of all that waits, the most of all calls, by function."""

    @staticmethod
    def of(module: ModuleOp) -> InUse:
        """Return the bytes that the entry functions of a module have in use."""
        around: dict[str, int] = {}
        least = 0
        for entry in (op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks):
            lives = _lives(entry)
            for at, op in enumerate(entry.body.block.ops):
                names = [call.callee.string_value() for call in all_of(op, func.CallOp)]
                if not names:
                    continue
                least = max(least, _in_use(lives, at - 1, at), _in_use(lives, at, at + 1))
                around |= {name: max(around.get(name, 0), _in_use(lives, at)) for name in names}
        return InUse(least, around)


def room_for_scratch(module: ModuleOp, more: int) -> dict[str, int]:
    """Bytes of scratch that called functions may have, so that a network needs at most `more` bytes of workspace more.

    How buffers will overlap is not known yet: without scratch a network needs at least what is in use before or after
    an operator, and an operator at most that with its results.
    """
    in_use = InUse.of(module)
    return {name: max(more, in_use.least + more - bytes) for name, bytes in in_use.around.items()}


@dataclass(frozen=True)
class _Life:
    root: SSAValue
    first: int
    last: int
    """Positions of the first and the last operation of a function that uses it."""
    bytes: int


def _in_use(lives: Sequence[_Life], *places: int) -> int:
    """Bytes of what is in use at all of some operations, by their positions."""
    return sum(one.bytes for one in lives if all(one.first <= at <= one.last for at in places))


def _lives(function: func.FuncOp) -> list[_Life]:
    """Return the lives of a function's own buffers and its arguments."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for position, op in enumerate(function.body.block.ops):
        for operand in (operand for inner in operations(op) for operand in inner.operands):
            root = storage(operand)
            if isinstance(root.type, MemRefType) and isinstance(root.owner, memref.AllocOp | Block):
                first.setdefault(root, position)
                last[root] = position
    return [_Life(root, at, last[root], bytes_of(root.type)) for root, at in first.items()]


def constant_bytes(module: ModuleOp) -> int:
    """Bytes of all constants of a module."""
    return sum(bytes_of(op.type) for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None)


def bytes_of(type: Attribute) -> int:
    """Bytes of the elements of a memref."""
    assert isinstance(type, MemRefType), "buffers and constants are memrefs"
    return type.element_count() * element_bytes(type)
