"""`nn.softmax` of 8-bit integers and floats.

Source: TensorFlow Lite `reference_ops::Softmax`, its integer version on gemmlowp's fixed-point arithmetic.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.fx import ops as fx
from ....dialects.fx.fixed_point import INT32_MAX
from ....dialects.nn import SoftmaxOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.normalise import FixedPoint
from ...builder import Value
from ..exponentials import ONE, SUM_INTEGER_BITS, Exponentials
from ..kernel import Kernel
from ..registry import lowers
from ..rows import Rows
from ..softmax16 import lower_int16
from ..storage import UI8


@lowers(SoftmaxOp, (i8, UI8, i16, f32))
def lower_softmax(op: SoftmaxOp, k: Kernel) -> None:
    """For every row: the maximum, the sum of exponentials, the quotients."""
    rows = Rows.of(k, op.input, op.output)
    if op.quantised is None:
        _lower_float(op, k, rows)
    elif element_type_of(op.input) == i16:
        lower_int16(op.quantised.rescale, k, rows)
    else:
        _lower_quantised(op, op.quantised, k, rows)


def _lower_float(op: SoftmaxOp, k: Kernel, rows: Rows) -> None:
    assert op.beta is not None, "verified: float softmax has a beta"
    beta = op.beta.value.data
    with k.loop("row", 0, rows.count) as row:
        largest = rows.maximum(row)

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            exponential = k.exp(k.mulf(k.subf(rows.load(row, i), largest), beta))
            rows.store(exponential, row, i)
            return k.addf(total, exponential, "total")

        total = rows.fold(k.floating(0.0), add_exponential)
        with k.loop("i", 0, rows.depth) as i:
            rows.store(k.divf(k.load(rows.target, [row, i]), total), row, i)


def _lower_quantised(op: SoftmaxOp, quantised: FixedPoint, k: Kernel, rows: Rows) -> None:
    exponentials = Exponentials.of(k, quantised)
    element = element_type_of(op.output)
    lower, upper = integer_range(element)
    bits = (upper - lower).bit_length()
    with k.loop("row", 0, rows.count) as row:
        largest = rows.maximum(row)
        total = exponentials.total(rows, row, largest)
        zeros = k.emit(fx.CountLeadingZerosOp(total), "leading_zeros")
        fraction = k.bit_and(k.shift_left(total, zeros), INT32_MAX, "fraction")
        reciprocal = k.emit(fx.OneOverOnePlusOp(fraction), "reciprocal")
        # The sum is 2**(12 - zeros) * (1 + fraction); a result has as many of the 31 fractional bits as its type.
        shift = k.sub(SUM_INTEGER_BITS + 31 - bits, zeros, "shift")
        most = min(rows.depth * ONE, INT32_MAX)
        quotient = _Quotient(k, reciprocal, shift, SUM_INTEGER_BITS + 31 - bits - 32 + most.bit_length())
        with k.loop("i", 0, rows.depth) as i:
            steps = quotient.of(exponentials.at(k.sub(largest, rows.load(row, i))))
            rows.store(k.narrow(k.min(k.add(steps, lower), upper), element), row, i)


class _Quotient:
    """Products with a number, both Q0.31, in steps of the output: shifted to the right by a number of the row.

    gemmlowp rounds the product `p` to 31 bits and that to steps, halves away from zero. As nothing is negative, halves
    go up both times, and `(((p + 2**30) >> 31) + 2**(shift - 1)) >> shift` is the upper word of `p + 2**30` plus
    `2**(shift - 2)`, shifted by one less: one number of 64 bits is added to each product of a row. The sum of
    exponentials is at least ONE, so that shifts are 15 or more.
    """

    def __init__(self, k: Kernel, factor: SSAValue, shift: SSAValue, most: int):
        """Prepare shifts of at most `most`. Beyond 31, every product is less than half a step; the reference aborts."""
        self._k, self._factor = k, k.extend(factor, i64)
        self._is_small = k.compare("sgt", shift, 31) if most > 31 else None
        shift = shift if most <= 31 else k.value(k.min(shift, 31), i32)
        half = k.shift_left(1, k.sub(shift, 2))
        self._nudge = k.add(k.shift_left(k.extend(half, i64), 32), 1 << 30, "nudge")
        self._shift = k.sub(shift, 1)

    def of(self, value: SSAValue) -> SSAValue:
        """The steps of a number."""
        k = self._k
        product = k.mul(self._factor, k.extend(value, i64), "product")
        high = k.narrow(k.shift_right(k.add(product, self._nudge), 32), i32)
        steps = k.shift_right(high, self._shift, "steps")
        return steps if self._is_small is None else k.select(self._is_small, 0, steps)
