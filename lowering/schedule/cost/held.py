"""Memory of functions: how much each has of its own, and how much is in use around its calls."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, SSAValue

from ....dialects.accesses import storage
from ....dialects.pool.extent import element_bytes


def held_bytes(function: func.FuncOp) -> int:
    """The most bytes of a function's own buffers that are in use at a time; a loop uses its buffers all the time."""
    lives = [one for one in _lives(function) if isinstance(one.root.owner, memref.AllocOp)]
    in_use = (sum(one.bytes for one in lives if one.first <= at <= one.last) for at in {one.first for one in lives})
    return max(in_use, default=0)


def room_for_scratch(module: ModuleOp, more: int) -> dict[str, int]:
    """Bytes of scratch that called functions may have, so that a network needs at most `more` bytes of workspace more.

    How buffers will overlap is not known yet: without scratch a network needs at least what is in use before or after
    an operator, and an operator at most that with its results.

    Args:
        module: of tasks.
        more: bytes.
    """
    found: dict[str, int] = {}
    for entry in (op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks):
        lives, operations = _lives(entry), list(entry.body.block.ops)
        calls = [
            (at, call.callee.string_value())
            for at, op in enumerate(operations)
            for call in op.walk()
            if isinstance(call, func.CallOp)
        ]
        around = [
            max(
                sum(one.bytes for one in lives if one.first < at <= one.last),
                sum(one.bytes for one in lives if one.first <= at < one.last),
            )
            for at, _ in calls
        ]
        least = max(around, default=0)
        for at, name in calls:
            in_use = sum(one.bytes for one in lives if one.first <= at <= one.last)
            found[name] = min(found.get(name, least + more), max(more, least + more - in_use))
    return found


@dataclass(frozen=True)
class _Life:
    root: SSAValue
    first: int
    last: int
    """Positions of the first and the last operation of a function that uses it."""
    bytes: int


def _lives(function: func.FuncOp) -> list[_Life]:
    """Return the lives of a function's own buffers and its arguments."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for position, op in enumerate(function.body.block.ops):
        for operand in (operand for inner in op.walk() for operand in inner.operands):
            root = storage(operand)
            if isinstance(root.type, MemRefType) and isinstance(root.owner, memref.AllocOp | Block):
                first.setdefault(root, position)
                last[root] = position
    return [_Life(root, at, last[root], _bytes(root)) for root, at in first.items()]


def _bytes(buffer: SSAValue) -> int:
    assert isinstance(buffer.type, MemRefType), "buffers are memrefs"
    return buffer.type.element_count() * element_bytes(buffer.type)
