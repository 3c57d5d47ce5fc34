"""Least and largest values of index arithmetic inside loops that are not enumerated, at all points of those around."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from .index_values import IndexValues
from .points import Array, Points, Scattered


class Unbounded(Scattered):
    """The value does not depend on data, but arithmetic on spans says nothing about it."""


class Span(NamedTuple):
    """Least and largest value (inclusive) at each point, or everywhere."""

    least: Array
    most: Array


def _product(a: Span, b: Span) -> Span:
    corners = [x * y for x in a for y in b]
    return Span(np.minimum.reduce(corners), np.maximum.reduce(corners))


def _quotient(round: Callable[[Array, Array], Array]) -> Callable[[Span, Span], Span]:
    """Division of what is not negative by a positive number that is known."""

    def divided(a: Span, b: Span) -> Span:
        if (b.least != b.most).any() or (b.least <= 0).any() or (a.least < 0).any():
            raise Unbounded("a quotient is not bounded")
        return Span(round(a.least, b.least), round(a.most, b.most))

    return divided


def _remainder(a: Span, b: Span) -> Span:
    if (b.least != b.most).any() or (b.least <= 0).any() or (a.least < 0).any():
        raise Unbounded("a remainder is not bounded")
    is_one_turn = a.least // b.least == a.most // b.least
    return Span(np.where(is_one_turn, a.least % b.least, 0), np.where(is_one_turn, a.most % b.least, b.least - 1))


def _variable(lower: Span, upper: Span, step: Span) -> Span:
    """A loop's variable: where the first value and the step are known, the last one is a whole number of steps away."""
    if (step.least <= 0).any():
        raise Scattered("a loop's step is not positive")
    last = upper.most - 1
    in_steps = lower.least + (last - lower.least) // step.least * step.least
    is_known = (lower.least == lower.most) & (step.least == step.most)
    return Span(lower.least, np.maximum(lower.most, np.where(is_known, in_steps, last)))


_BINARY: dict[type[Operation], Callable[[Span, Span], Span]] = {
    arith.AddiOp: lambda a, b: Span(a.least + b.least, a.most + b.most),
    arith.SubiOp: lambda a, b: Span(a.least - b.most, a.most - b.least),
    arith.MuliOp: _product,
    arith.MinSIOp: lambda a, b: Span(np.minimum(a.least, b.least), np.minimum(a.most, b.most)),
    arith.MaxSIOp: lambda a, b: Span(np.maximum(a.least, b.least), np.maximum(a.most, b.most)),
    arith.DivSIOp: _quotient(lambda a, b: a // b),
    arith.FloorDivSIOp: _quotient(lambda a, b: a // b),
    arith.CeilDivSIOp: _quotient(lambda a, b: -(-a // b)),
    arith.RemSIOp: _remainder,
}


class Spans(IndexValues[Span]):
    """The values in the blocks `inside`, which lie in the block of `points`; without points, in a function's body."""

    def __init__(self, points: Points | None, inside: list[Block]):
        self._points = points
        self._inside = inside
        super().__init__()

    def _compute(self, value: SSAValue) -> Span:
        owner = value.owner
        home = owner if isinstance(owner, Block) else owner.parent
        if self._points is not None and home not in self._inside:
            exact = self._points.value(value)
            return Span(exact, exact)
        if isinstance(owner, Block):
            loop = owner.parent_op()
            if not isinstance(loop, scf.ForOp) or value is not owner.args[0]:
                raise Scattered("an index is passed on by a loop")
            return _variable(self.value(loop.lb), self.value(loop.ub), self.value(loop.step))
        if isinstance(owner, arith.ConstantOp) and isinstance(number := owner.value, IntegerAttr):
            exact = np.asarray(number.value.data, np.int64)
            return Span(exact, exact)
        function = _BINARY.get(type(owner))
        if function is None:
            raise Scattered("an index depends on data or on arithmetic that is not followed")
        left, right = (self.value(operand) for operand in owner.operands)
        return function(left, right)
