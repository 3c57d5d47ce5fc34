"""Values that a region computes of bytes: exactly, for all of them, and as the linear function that it rounds.

One byte has 256 values, two have 65,536 pairs: whether a shorter sequence gives the same is answered by trying all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects.fx import RescaleOp
from ...dialects.task import YieldOp

Values = npt.NDArray[np.int64]
"""For each byte, or pair of bytes."""


def rescaled(value: Values, multiplier: int, shift: int) -> Values:
    """Rescale many numbers as `fixed_point.rescale` does; what is shifted to the left wraps around."""
    moved = wrapped(value << max(shift, 0), 32)
    high = (moved * multiplier + (1 << 30)) >> 31
    right = max(-shift, 0)
    if not right:
        return high
    magnitude = (np.abs(high) + (1 << (right - 1))) >> right
    return np.where(high >= 0, magnitude, -magnitude)


def wrapped(value: Values, bits: int) -> Values:
    """Numbers modulo 2**bits, with their sign."""
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


_EXACT: Mapping[type[Operation], Callable[..., Any]] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.MaxSIOp: np.maximum,
    arith.MinSIOp: np.minimum,
}
_LINEAR: Mapping[type[Operation], Callable[[float, float], float]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
}


def exact_values(block: Block, result: SSAValue, arguments: Sequence[Values]) -> Values | None:
    """A value of a region for all values of its arguments; None if something is computed that is not known here."""
    known: dict[SSAValue, Values] = dict(zip(block.args, arguments, strict=True))

    def of(value: SSAValue) -> Values | None:
        number = const_evaluate_operand(value)
        return known.get(value) if number is None else np.array(number, np.int64)

    for op in block.ops:
        if isinstance(op, YieldOp):
            break
        made = _exact(op, [of(operand) for operand in op.operands])
        if made is None:
            return None
        known[op.results[0]] = made
    return known.get(result)


def _exact(op: Operation, operands: Sequence[Values | None]) -> Values | None:
    found = [operand for operand in operands if operand is not None]
    kind = op.results[0].type if len(op.results) == 1 else None
    if len(found) != len(operands) or not isinstance(kind, IntegerType) or kind.width.data > 32:
        return None
    if isinstance(op, arith.ExtSIOp):
        return found[0]
    if isinstance(op, arith.ExtUIOp) and isinstance(op.input.type, IntegerType):
        return found[0] & ((1 << op.input.type.width.data) - 1)
    if isinstance(op, arith.TruncIOp):
        return wrapped(found[0], kind.width.data)
    if isinstance(op, RescaleOp):
        multiplier, shift = const_evaluate_operand(op.multiplier), const_evaluate_operand(op.shift)
        if multiplier is None or shift is None or multiplier < 0 or not -31 <= shift <= 30:
            return None
        return rescaled(found[0], multiplier, shift)
    function = _EXACT.get(type(op))
    return None if function is None else wrapped(function(*found), kind.width.data)


def linear_value(block: Block, result: SSAValue, arguments: Sequence[float]) -> float | None:
    """Result of the region for numbers that nothing rounds or limits; None if it is not known."""
    known: dict[SSAValue, float] = dict(zip(block.args, arguments, strict=True))

    def of(value: SSAValue) -> float | None:
        number = const_evaluate_operand(value)
        return known.get(value) if number is None else float(number)

    for op in block.ops:
        if isinstance(op, YieldOp):
            break
        operands = [of(operand) for operand in op.operands]
        found = [operand for operand in operands if operand is not None]
        if len(found) != len(operands):
            return None
        match op:
            case arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp():
                made = found[0]
            case arith.MaxSIOp() | arith.MinSIOp() if const_evaluate_operand(op.rhs) is not None:
                made = found[0]
            case RescaleOp():
                made = found[0] * found[1] * 2.0 ** (found[2] - 31)
            case _ if (function := _LINEAR.get(type(op))) is not None:
                made = function(*found)
            case _:
                return None
        known[op.results[0]] = made
    return known.get(result)
