"""The operations inside of others, as lists: xDSL's `walk` passes each through a generator of every level around it."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from xdsl.ir import Block, Operation, Region

Kind = TypeVar("Kind")


def operations(within: Operation | Region | Block) -> list[Operation]:
    """An operation and all inside of it, or all inside of a region or a block, in the order of `walk`.

    What is taken away meanwhile is visited all the same.
    """
    if isinstance(within, Block):
        return _add(within, [])
    if isinstance(within, Operation):
        return _add_inside(within.regions, [within])
    return _add_inside([within], [])


def all_of(within: Operation | Region | Block, *kinds: type[Kind]) -> list[Kind]:
    """The `operations` that are of one of some classes."""
    is_one = _kinds(kinds)
    return [op for op in operations(within) if is_one[op.__class__]]  # pyright: ignore[reportReturnType]


class _Kinds(dict[type[Operation], bool]):
    """Of classes of operations, whether they are some: they are abstract ones, whose `isinstance` is slow."""

    def __init__(self, kinds: tuple[type, ...]):
        super().__init__()
        self.kinds = kinds

    def __missing__(self, kind: type[Operation]) -> bool:
        found = self[kind] = issubclass(kind, self.kinds)
        return found


_kinds = cache(_Kinds)


def enclosing(op: Operation | None, kind: type[Kind]) -> Kind | None:
    """The operation itself, or the innermost one around it, that is of a class; None without one."""
    while op is not None and not isinstance(op, kind):
        op = op.parent_op()
    return op


def _add_inside(regions: Sequence[Region], found: list[Operation]) -> list[Operation]:
    for region in regions:
        block = region._first_block
        while block is not None:
            _add(block, found)
            block = block._next_block
    return found


def _add(block: Block, found: list[Operation]) -> list[Operation]:
    op = block._first_op
    while op is not None:
        found.append(op)
        if op.regions:
            _add_inside(op.regions, found)
        op = op._next_op
    return found
