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


class Places(dict[SSAValue, Array | None]):
    """Values of indices and conditions at all points; None where they are not known."""

    def enter(self, variable: SSAValue, depth: int, first: Array, count: int) -> None:
        """Let a loop's variable take `count` values from `first` on; `depth` counts the loops around it."""
        self._keep(variable, first + np.arange(count, dtype=np.int64).reshape(count, *[1] * depth))

    def __missing__(self, value: SSAValue) -> Array | None:
        self._keep(value, self._computed(value))
        return self[value]

    def _keep(self, value: SSAValue, values: Array | None) -> None:
        self[value] = None if values is None or values.size > _MOST_POINTS else values

    def _computed(self, value: SSAValue) -> Array | None:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return np.array(number.value.data, np.int64)
            case arith.IndexCastOp() as op:
                return self[op.input]
            case arith.CmpiOp() as op:
                function = _COMPARISONS.get(op.predicate.value.data)
            case op:
                function = _FUNCTIONS.get(type(op))
        if function is None or isinstance(op, Block):
            return None
        lhs, rhs = (self[operand] for operand in op.operands)
        return None if lhs is None or rhs is None else np.asarray(function(lhs, rhs), np.int64)
