"""Index arithmetic at all points of the loops around it, as arrays with one axis for each loop.

What depends on data, or would need too many points, is not known.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

Array = npt.NDArray[np.int64]

_MOST_POINTS = 1 << 20
_MOST_LOOPS = 24
"""Axes of an array: no task has as many loops around each other."""


def _quotient(a: Array, b: Array) -> Array:
    return (np.sign(a) * (np.abs(a) // np.maximum(1, b))).astype(np.int64)


def _below(a: Array, b: Array) -> npt.NDArray[np.bool_]:
    return (a >= 0) & (a < b)


_FUNCTIONS: dict[type[Operation | Block], Callable[[Array, Array], Array]] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.DivSIOp: _quotient,
    arith.MaxSIOp: np.maximum,
    arith.MinSIOp: np.minimum,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
}
_COMPARISONS: dict[int, Callable[[Array, Array], npt.NDArray[np.bool_]]] = dict(
    enumerate((np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, _below))
)
"""By predicate of `arith.cmpi`; the unsigned one with a bound that is not negative."""


class Places:
    """Facts about indices and conditions."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Array | None] = {}

    def enter(self, variable: SSAValue, depth: int, first: Array, count: int) -> None:
        """Let a loop's variable take `count` values from `first` on; `depth` counts the loops around it."""
        shape = [1] * _MOST_LOOPS
        shape[_MOST_LOOPS - 1 - depth] = count
        self._known[variable] = self._kept(first + np.arange(count, dtype=np.int64).reshape(shape))

    def of(self, value: SSAValue) -> Array | None:
        """The values at all points; None if they are not known."""
        if value not in self._known:
            self._known[value] = self._kept(self._computed(value))
        return self._known[value]

    @staticmethod
    def _kept(values: Array | None) -> Array | None:
        return None if values is None or values.size > _MOST_POINTS else values

    def _computed(self, value: SSAValue) -> Array | None:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return np.array(number.value.data, np.int64)
            case arith.IndexCastOp() as op:
                return self.of(op.input)
            case arith.CmpiOp() as op:
                function = _COMPARISONS.get(op.predicate.value.data)
            case op:
                function = _FUNCTIONS.get(type(op))
        if function is None or isinstance(op, Block):
            return None
        lhs, rhs = (self.of(operand) for operand in op.operands)
        return None if lhs is None or rhs is None else np.asarray(function(lhs, rhs), np.int64)
