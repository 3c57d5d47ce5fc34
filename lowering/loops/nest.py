"""Nests of `scf.for` in place of a parallel loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException


@dataclass(frozen=True)
class Nest:
    """A nest whose innermost block still lacks its `scf.yield`."""

    results: Sequence[SSAValue]
    """Values that the loops carried, after them."""
    carried: Sequence[SSAValue]
    """Values that the loops carry, in the innermost block."""
    block: Block
    """The innermost block."""


def nest(
    build: Builder,
    bounds: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    initial: Sequence[SSAValue],
    source: Block,
    op: Operation,
) -> Nest:
    """Put the operations of a block, whose arguments are counters, into loops.

    Args:
        build: where the loops go.
        bounds: lower bound, upper bound and step of each loop, outermost first.
        initial: what the loops carry, before them.
        source: the body, which is emptied.
        op: what is lowered; the loops take its location.

    Raises:
        PassFailedException: there are no bounds.
    """
    if not bounds:
        raise PassFailedException(f"'{op.name}' op has no dimension")
    carried, results, outer = initial, None, None
    for counter, (lower, upper, step) in zip(source.args, bounds, strict=True):
        block = Block(arg_types=[IndexType(), *(value.type for value in initial)])
        block.args[0].name_hint = counter.name_hint
        loop = build.insert(scf.ForOp(lower, upper, step, carried, Region(block)))
        loop.location = op.location
        if outer is not None:
            outer.add_op(scf.YieldOp(*loop.results))
        counter.replace_all_uses_with(block.args[0])
        results = loop.results if results is None else results
        outer, carried, build = block, block.args[1:], Builder(InsertPoint.at_end(block))
    assert outer is not None, "there is a loop"
    for child in list(source.ops):
        child.detach()
        outer.add_op(child)
    return Nest(results or (), carried, outer)
