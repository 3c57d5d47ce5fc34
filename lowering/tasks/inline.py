"""Copies of a region's operations in the place where a point of the domain is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.operations import all_of
from ...dialects.task import IndexOp, TapsOp, YieldOp
from .point import Point

Known: TypeAlias = dict[SSAValue, SSAValue]
"""What values of a region are where it is copied."""


def inline(region: Region, point: Point, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Emit what a region does with `arguments` for its block's; returns what it yields."""
    return inline_known(region, point, dict(zip(region.block.args, arguments, strict=True)), lambda op: False)


def inline_known(region: Region, point: Point, known: Known, instead: Callable[[Operation], bool]) -> list[SSAValue]:
    """Emit what a region does, and return what it yields.

    Args:
        region: of a nest.
        point: where it is computed.
        known: the arguments of its block that are used; what is emitted is added.
        instead: emits something in the place of an operation, or leaves it out; false where it is to be copied.
    """
    for op in region.block.ops:
        if isinstance(op, YieldOp):
            return [known.get(value, value) for value in op.values]
        if isinstance(op, IndexOp | TapsOp):
            known[op.result] = point.asked(op)
        elif not instead(op):
            copy = op.clone(value_mapper=known)
            for inner in all_of(copy, IndexOp, TapsOp):
                inner.result.replace_all_uses_with(point.asked(inner))
                Rewriter.erase_op(inner)
            point.k.builder.insert(copy)
    raise AssertionError("verified: regions of nests end with a yield")
