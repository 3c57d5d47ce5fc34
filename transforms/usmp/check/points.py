"""All points of nested loops at once: the iterations that a block runs, and the values of index arithmetic in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from .index_values import IndexValues

Array = NDArray[np.int64]


class Untimed(Exception):
    """The run cannot be followed exactly; says why."""


class Scattered(Untimed):
    """When something happens is known, but not where: an index depends on data."""


def _quotient(a: Array, b: Array) -> Array:
    """Rounds towards zero, as `arith.divsi`."""
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


BINARY: dict[type[Operation], Callable[[Array, Array], Array]] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.MinSIOp: np.minimum,
    arith.MaxSIOp: np.maximum,
    arith.DivSIOp: _quotient,
    arith.FloorDivSIOp: np.floor_divide,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.RemSIOp: np.fmod,
}
"""Arithmetic on `index` values."""


class Points(IndexValues[Array]):
    """The points at which a block runs, in the order of time."""

    def __init__(self, block: Block, outer: Points | None, origin: Array, iteration: Array):
        self.block = block
        self.origin = origin
        """For each point the point of the outer block that it belongs to."""
        self.iteration = iteration
        """For each point the number of the loop's iteration."""
        self.outer = outer
        super().__init__()

    @staticmethod
    def start(block: Block) -> Points:
        """A function's body: one point."""
        return Points(block, None, np.zeros(1, np.int64), np.zeros(1, np.int64))

    @staticmethod
    def calls(block: Block, passed: Mapping[SSAValue, Array]) -> Points:
        """A function's body: a point for each call, with what the calls pass for some arguments."""
        count = len(next(iter(passed.values())))
        points = Points(block, None, np.zeros(count, np.int64), np.zeros(count, np.int64))
        points._values.update(passed)
        return points

    @property
    def count(self) -> int:
        """Number of points."""
        return len(self.origin)

    def trips(self, loop: scf.ForOp) -> Array:
        """At each point how often the loop runs its body."""
        lower, upper, step = self.value(loop.lb), self.value(loop.ub), self.value(loop.step)
        if (step <= 0).any():
            raise Untimed("a loop's step is not positive")
        trips = np.maximum(0, -((lower - upper) // step))
        return trips if trips.ndim else np.full(self.count, trips)

    def enter(self, loop: scf.ForOp, first: int = 0, end: int | None = None) -> Points:
        """The points of a loop's body, or of its iterations [first, end) where the loop runs at one point only."""
        trips = self.trips(loop)
        if end is None and self.count == 1:
            end = int(trips[0])
        if end is None:
            origin = np.repeat(np.arange(self.count), trips)
            iteration = np.arange(len(origin)) - np.repeat(np.cumsum(trips) - trips, trips)
        else:
            assert self.count == 1, "parts of a loop are entered at one point"
            iteration = np.arange(first, end)
            origin = np.zeros(end - first, np.int64)
        return self._inside(loop, origin, iteration)

    def _inside(self, loop: scf.ForOp, origin: Array, iteration: Array) -> Points:
        inner = Points(loop.body.block, self, origin, iteration)
        lower, step = self.value(loop.lb), self.value(loop.step)
        inner._values[loop.body.block.args[0]] = _at(lower, origin) + iteration * _at(step, origin)
        return inner

    def enter_once(self, loop: scf.ForOp, *, last: bool) -> Points:
        """The points of a loop's first or last iteration, where it has any."""
        trips = self.trips(loop)
        origin = np.flatnonzero(trips > 0)
        iteration = trips[origin] - 1 if last else np.zeros(len(origin), np.int64)
        return self._inside(loop, origin, iteration)

    def branch(self, block: Block, is_taken: NDArray[np.bool_] | None = None) -> Points:
        """A block that runs at the same points, or at those at which it is taken."""
        origin = np.arange(self.count) if is_taken is None else np.flatnonzero(is_taken)
        return Points(block, self, origin, np.zeros(len(origin), np.int64))

    def _compute(self, value: SSAValue) -> Array:
        """The value at each point, or a single number where it is the same everywhere."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(number := owner.value, IntegerAttr):
            return np.asarray(number.value.data, np.int64)
        home = owner if isinstance(owner, Block) else owner.parent
        if home is not self.block:
            if self.outer is None:
                raise Untimed("a value comes from outside the function")
            return _at(self.outer.value(value), self.origin)
        function = BINARY.get(type(owner)) if isinstance(owner, Operation) else None
        if function is None or not isinstance(value.type, IndexType):
            raise Scattered("an index depends on data or on arithmetic that is not followed")
        assert isinstance(owner, Operation), "block arguments have no function"
        left, right = (self.value(operand) for operand in owner.operands)
        if isinstance(owner, arith.DivSIOp | arith.FloorDivSIOp | arith.CeilDivSIOp | arith.RemSIOp):
            if (right == 0).any():
                raise Untimed("an index is divided by zero")
        return function(left, right)


def _at(values: Array, points: Array) -> Array:
    return values if values.ndim == 0 else values[points]
