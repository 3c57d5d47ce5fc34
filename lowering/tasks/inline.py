"""Copies of a region's operations in the place where a point of the domain is computed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region, SSAValue

from ...dialects.operations import operations
from ...dialects.task import IndexOp, TapsOp, YieldOp
from ..builder import Loops
from .point import Point


def inline(region: Region, k: Loops, point: Point, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Emit what a region does with `arguments` for its block's; returns what it yields."""
    known: dict[SSAValue, SSAValue] = dict(zip(region.block.args, arguments, strict=True))
    for op in region.block.ops:
        if isinstance(op, YieldOp):
            return [known.get(value, value) for value in op.values]
        if isinstance(op, IndexOp | TapsOp):
            known[op.result] = place(op, k, point)
            continue
        for inner in operations(op):
            if isinstance(inner, IndexOp | TapsOp):
                known[inner.result] = place(inner, k, point)
        copy = op.clone(value_mapper=known)
        _remove_places(copy, op, known)
        k.builder.insert(copy)
    raise AssertionError("verified: regions of nests end with a yield")


def place(op: IndexOp | TapsOp, k: Loops, point: Point) -> SSAValue:
    """Return the place for an operation that asks for the point."""
    return k.index(point.taps() if isinstance(op, TapsOp) else point.places.named(op.dim.data))


def _remove_places(copy: Operation, original: Operation, known: dict[SSAValue, SSAValue]) -> None:
    """Put the values of places into nested regions of a copy."""
    for new, old in zip(operations(copy), operations(original), strict=True):
        if isinstance(new, IndexOp | TapsOp) and isinstance(old, IndexOp | TapsOp):
            new.result.replace_all_uses_with(known[old.result])
            new.detach()
            new.erase()
