"""`nn.softmax` of 16-bit integers.

Source: TensorFlow Lite `reference_ops::SoftmaxInt16`: exponentials and the reciprocal of their sum come from tables.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import i16, i32, i64
from xdsl.ir import SSAValue

from ...dialects.fx import ops as fx
from ...dialects.fx.interpolation import table
from ...dialects.nn import RescaleAttr
from ..builder import Value
from .kernel import Kernel
from .lookup import lookup
from .requantise import INT32_MAX, Factor, fits_int32
from .rows import Rows

_STEPS = 65535
"""Between the ends of int16."""

ONE = 32767
"""One in Q0.15."""


def lower_int16(to_steps: RescaleAttr, k: Kernel, rows: Rows) -> None:
    """For every row: the maximum, the exponentials (kept in the result) and their sum, the quotients."""
    # Differences of -65535 to 0 stand for -10 to 0; sums of 1 to 2, less 1, take the whole range of the other table.
    exponential_of = k.table(table(math.exp, 10 / _STEPS, ONE, 2 / _STEPS, 0), "exponentials")
    reciprocal_of = k.table(table(lambda x: 1 / (1 + x), 1 / _STEPS, -ONE - 1, 2 / _STEPS, 0), "reciprocals")
    factor = Factor.of(k, to_steps)
    with k.loop("row", 0, rows.count) as row:
        largest = rows.maximum(row)

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            scaled, _ = factor.apply(k, k.sub(rows.load(row, i), largest), 2 * ONE + 1)
            centred = k.min(k.max(k.add(scaled, ONE), -ONE - 1), ONE)
            exponential = lookup(k, exponential_of, centred)
            rows.store(k.narrow(exponential, i16), row, i)
            total = total if fits_int32(rows.depth * ONE) else k.min(total, INT32_MAX - ONE)
            return k.add(total, exponential, "total")

        total = rows.fold(k.value(0, i32), add_exponential)
        zeros = k.emit(fx.CountLeadingZerosOp(total), "leading_zeros")
        reciprocal = lookup(k, reciprocal_of, _fraction(k, total, zeros))
        shift = k.sub(31, zeros, "shift")
        half = k.shift_left(1, k.sub(shift, 1), "half")
        with k.loop("i", 0, rows.depth) as i:
            product = k.mul(k.extend(k.load(rows.target, [row, i])), reciprocal)
            quotient = k.shift_right(k.add(product, half), shift)
            rows.store(k.narrow(k.min(k.max(quotient, 0), ONE), i16), row, i)


def _fraction(k: Kernel, total: SSAValue, zeros: SSAValue) -> SSAValue:
    """Return how much the sum, shifted to [1, 2), is above 1: in 65535ths, from the lowest int16."""
    left = k.extend(k.sub(zeros, 1), i64)
    rounded = k.add(k.shift_left(k.extend(total, i64), left), 1 << 13)
    shifted = k.narrow(k.shift_right(rounded, 14), i32)
    return k.min(k.max(k.sub(shifted, (1 << 15) + (1 << 16)), -ONE - 1), ONE)
