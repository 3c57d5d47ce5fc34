"""`nn.softmax` of 8-bit integers and floats.

Source: TensorFlow Lite `reference_ops::Softmax`, its integer version on gemmlowp's fixed-point arithmetic.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i8, i16
from xdsl.ir import SSAValue

from ....dialects.fx import ops as fx
from ....dialects.fx.fixed_point import INT32_MAX
from ....dialects.nn import SoftmaxOp
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.normalise import FixedPoint
from ....dialects.nn.quantised import integer_range
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
        with k.loop("i", 0, rows.depth) as i:
            exponential = exponentials.at(k.sub(largest, rows.load(row, i)))
            quotient = k.emit(fx.RoundingDoublingHighMulOp(reciprocal, exponential))
            steps = _steps(k, quotient, shift, SUM_INTEGER_BITS + 31 - bits - 32 + most.bit_length())
            rows.store(k.narrow(k.min(k.max(k.add(steps, lower), lower), upper), element), row, i)


def _steps(k: Kernel, quotient: SSAValue, shift: SSAValue, most: int) -> SSAValue:
    """The Q0.31 `quotient` in steps of the output: shifted to the right by `shift`, which is `most` for large sums.

    Beyond 31, every quotient is less than half a step; the reference kernel aborts.
    """
    if most <= 31:
        return k.emit(fx.RoundingShiftRightOp(quotient, shift))
    steps = k.emit(fx.RoundingShiftRightOp(quotient, k.min(shift, 31)))
    return k.select(k.compare("sgt", shift, 31), 0, steps)
