"""The operations inside of others, as lists: xDSL's `walk` passes each through a generator of every level around it."""

from __future__ import annotations

from collections.abc import Sequence
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
    is_one: dict[type[Operation], bool] = {}
    found: list[Kind] = []
    for op in operations(within):
        kind = op.__class__
        # Classes of operations are abstract ones, whose `isinstance` is slow.
        if kind not in is_one:
            is_one[kind] = issubclass(kind, kinds)
        if is_one[kind]:
            found.append(op)  # pyright: ignore[reportArgumentType]
    return found


def enclosing(op: Operation | None, kind: type[Kind]) -> Kind | None:
    """The operation itself, or the innermost one around it, that is of a class; None without one."""
    while op is not None and not isinstance(op, kind):
        op = op.parent_op()
    return op


def _add_inside(regions: Sequence[Region], found: list[Operation]) -> list[Operation]:
    for region in regions:
        for block in region.blocks:
            _add(block, found)
    return found


def _add(block: Block, found: list[Operation]) -> list[Operation]:
    op = block.first_op
    while op is not None:
        found.append(op)
        if op.regions:
            _add_inside(op.regions, found)
        op = op.next_op
    return found
