"""Ranges of index arithmetic inside loops, as numpy arrays with one axis for each loop that is enumerated.

A loop that is not enumerated leaves its variable as a range: what depends on it is a range too, never too small.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

Array = NDArray[np.int64]
Truth = NDArray[np.bool_]


class NotUnderstood(Exception):
    """The body does something that the analysis does not follow."""


@dataclass(frozen=True)
class Range:
    """Least and largest value (inclusive) at each point."""

    least: Array
    most: Array

    @staticmethod
    def exactly(value: Array) -> Range:
        """A range of one value."""
        return Range(value, value)

    @property
    def is_exact(self) -> bool:
        """Whether it was made of one value at each point."""
        return self.least is self.most


def _in_order(operation: Callable[[Array, Array], Array]) -> Callable[[Range, Range], Range]:
    """An operation that grows with both operands."""

    def ordered(a: Range, b: Range) -> Range:
        least = operation(a.least, b.least)
        return Range(least, least if a.is_exact and b.is_exact else operation(a.most, b.most))

    return ordered


def _minus(a: Range, b: Range) -> Range:
    least = a.least - b.most
    return Range(least, least if a.is_exact and b.is_exact else a.most - b.least)


def _times(a: Range, b: Range) -> Range:
    if a.is_exact and b.is_exact:
        return Range.exactly(a.least * b.least)
    corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    return Range(np.minimum.reduce(np.broadcast_arrays(*corners)), np.maximum.reduce(np.broadcast_arrays(*corners)))


def _divided(round: Callable[[Array, Array], Array]) -> Callable[[Range, Range], Range]:
    """Division by a positive number, which keeps the order."""

    def divided(a: Range, b: Range) -> Range:
        _require_constant_divisor(b)
        return _in_order(round)(a, b)

    return divided


def _remainder(a: Range, b: Range) -> Range:
    _require_constant_divisor(b)
    if (a.least < 0).any():
        raise NotUnderstood("the remainder of a negative number")
    if a.is_exact:
        return Range.exactly(a.least % b.least)
    is_exact = a.least // b.least == a.most // b.least
    return Range(np.where(is_exact, a.least % b.least, 0), np.where(is_exact, a.most % b.least, b.least - 1))


def _require_constant_divisor(b: Range) -> None:
    if (b.least != b.most).any() or (b.least <= 0).any():
        raise NotUnderstood("division by what is no positive constant")


def _truncated(a: Array, b: Array) -> Array:
    return np.sign(a) * (np.abs(a) // b)


OPERATIONS: dict[type[Operation], Callable[[Range, Range], Range]] = {
    arith.AddiOp: _in_order(operator.add),
    arith.SubiOp: _minus,
    arith.MuliOp: _times,
    arith.MinSIOp: _in_order(np.minimum),
    arith.MaxSIOp: _in_order(np.maximum),
    arith.DivSIOp: _divided(_truncated),
    arith.FloorDivSIOp: _divided(operator.floordiv),
    arith.CeilDivSIOp: _divided(lambda a, b: -(-a // b)),
    arith.RemSIOp: _remainder,
}
"""Arithmetic on `index` values that is followed."""


def _may_compare(predicate: int, a: Range, b: Range, truth: bool) -> Truth:
    """Where a comparison of `arith.cmpi` may have a truth value; unsigned ones are of numbers of 32 bits."""
    if predicate >= 6:
        a, b = _as_unsigned(a), _as_unsigned(b)
        predicate -= 4
    less, less_equal = (a.least < b.most, a.least <= b.most)
    greater, greater_equal = (a.most > b.least, a.most >= b.least)
    equal = np.logical_and(less_equal, greater_equal)
    differ = np.logical_or(a.least != a.most, np.logical_or(b.least != b.most, a.least != b.least))
    holds = (equal, differ, less, less_equal, greater, greater_equal)
    fails = (differ, equal, greater_equal, greater, less_equal, less)
    return (holds if truth else fails)[predicate]


def _as_unsigned(range: Range) -> Range:
    """The range of the same 32 bits without sign."""
    whole = np.int64(1) << 32
    crosses = np.logical_and(range.least < 0, range.most >= 0)
    least = np.where(crosses, 0, np.where(range.least < 0, range.least + whole, range.least))
    most = np.where(crosses, whole - 1, np.where(range.most < 0, range.most + whole, range.most))
    return Range(least, most)


@dataclass
class Ranges:
    """The ranges of values at the points of the loops around the current place.

    Points are the axes of the arrays, outermost loop first; arrays have as many axes as loops are enumerated at most.
    """

    axes: int
    _known: dict[SSAValue, Range] = field(default_factory=lambda: {})
    valid: list[Truth] = field(default_factory=lambda: [])
    """Where the current place runs at all: one condition for each loop around it."""

    def trips(self, loop: scf.ForOp) -> int:
        """The largest number of iterations of a loop at any point."""
        lower, upper, step = (self._exact(bound) for bound in self._bounds(loop))
        return int(np.max(-((lower - upper) // step), initial=0))

    def enumerate(self, loop: scf.ForOp, trips: int, depth: int) -> None:
        """Enter a loop of so many `trips` along axis `depth`."""
        lower, upper, step = (self._exact(bound) for bound in self._bounds(loop))
        variable = lower + step * self.along(np.arange(trips, dtype=np.int64), depth)
        self._known[loop.body.block.args[0]] = Range.exactly(variable)
        self.valid.append(variable < upper)

    def span(self, loop: scf.ForOp) -> None:
        """Enter a loop without enumerating it."""
        lower, upper, _ = self._bounds(loop)
        self._known[loop.body.block.args[0]] = Range(lower.least, np.maximum(lower.least, upper.most - 1))
        self.valid.append(lower.least < upper.most)

    def branch(self, condition: SSAValue, *, taken: bool) -> None:
        """Enter a branch that runs where a condition holds, or where it does not."""
        self.valid.append(self._may_be(condition, taken))

    def _may_be(self, condition: SSAValue, truth: bool) -> Truth:
        """Where a condition may have a truth value; everywhere if it depends on data."""
        owner, everywhere = condition.owner, np.ones([1] * self.axes, np.bool_)
        if isinstance(owner, arith.AndIOp | arith.OrIOp):
            left, right = (self._may_be(operand, truth) for operand in owner.operands)
            both = isinstance(owner, arith.AndIOp) == truth
            return np.logical_and(left, right) if both else np.logical_or(left, right)
        if not isinstance(owner, arith.CmpiOp) or not isinstance(owner.lhs.type, IndexType):
            return everywhere
        try:
            left, right = self.value(owner.lhs), self.value(owner.rhs)
        except NotUnderstood:
            return everywhere
        return _may_compare(owner.predicate.value.data, left, right, truth)

    def leave(self) -> None:
        """Leave the loop that was entered last."""
        self.valid.pop()

    def along(self, values: Array, depth: int) -> Array:
        """Values along one axis."""
        return values.reshape([-1 if axis == depth else 1 for axis in range(self.axes)])

    def value(self, value: SSAValue) -> Range:
        """The range of a value.

        Raises:
            NotUnderstood: it depends on data or on arithmetic that is not followed.
        """
        if value in self._known:
            return self._known[value]
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(number := owner.value, IntegerAttr):
            self._known[value] = Range.exactly(np.full([1] * self.axes, number.value.data, np.int64))
            return self._known[value]
        function = OPERATIONS.get(type(owner)) if isinstance(owner, Operation) else None
        if function is None or not isinstance(owner, Operation) or not isinstance(value.type, IndexType):
            raise NotUnderstood("an index depends on data")
        left, right = (self.value(operand) for operand in owner.operands)
        return function(left, right)

    def _bounds(self, loop: scf.ForOp) -> tuple[Range, Range, Range]:
        step = self.value(loop.step)
        if (step.least <= 0).any():
            raise NotUnderstood("a loop's step is not positive")
        return self.value(loop.lb), self.value(loop.ub), step

    def _exact(self, range: Range) -> Array:
        if (range.least != range.most).any():
            raise NotUnderstood("a loop around a store has bounds that vary within a point")
        return range.least
