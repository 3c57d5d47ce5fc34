"""`nn.softmax`, int8 and float32.

Source: TensorFlow Lite `reference_ops::Softmax`, its integer version on gemmlowp's fixed-point arithmetic.
"""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.arith import AndIOp, ShLIOp
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.fx import ops as fx
from ....dialects.nn import SoftmaxOp
from ....dialects.nn.interfaces import element_type_of, is_quantised, shape_of
from ....dialects.nn.quantised import integer_range
from ...builder import Value
from ..fixed_point import INT32_MAX, exp_on_negative_values, rescale
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import FLOAT32_LOWEST, fits_int32

SUM_INTEGER_BITS = 12
"""The sum of exponentials is Q12.19."""

ONE = 1 << (31 - SUM_INTEGER_BITS)

LARGEST_DIFFERENCE = 255
"""Between two int8."""


@lowers(SoftmaxOp, (i8, f32))
def lower_softmax(op: SoftmaxOp, k: Kernel) -> None:
    """For every row: the maximum, the sum of exponentials, the quotients."""
    *rows, depth = shape_of(op.input)
    shape = (math.prod(rows), depth)
    lower_rows = _lower_quantised if is_quantised(element_type_of(op.input)) else _lower_float
    lower_rows(op, k, k.input(op.input, "input", shape), k.output(op.output, shape=shape), *shape)


def _lower_float(op: SoftmaxOp, k: Kernel, source: SSAValue, target: SSAValue, rows: int, depth: int) -> None:
    assert op.beta is not None, "verified: float softmax has a beta"
    beta = op.beta.value.data
    lowest = k.floating(FLOAT32_LOWEST)
    with k.loop("row", 0, rows) as row:

        def larger(i: Value, largest: SSAValue) -> SSAValue:
            value = k.load(source, [row, i])
            return k.select(k.comparef("olt", largest, value), value, largest, "largest")

        largest = k.reduce("i", 0, depth, lowest, larger, "largest")

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            exponential = k.exp(k.mulf(k.subf(k.load(source, [row, i]), largest), beta))
            k.store(exponential, target, [row, i])
            return k.addf(total, exponential, "total")

        total = k.reduce("i", 0, depth, k.floating(0.0), add_exponential, "total")
        with k.loop("i", 0, depth) as i:
            k.store(k.divf(k.load(target, [row, i]), total), target, [row, i])


def _lower_quantised(op: SoftmaxOp, k: Kernel, source: SSAValue, target: SSAValue, rows: int, depth: int) -> None:
    assert op.rescale is not None, "verified: quantised softmax has a factor"
    assert op.diff_min is not None, "verified: quantised softmax has a least difference"
    values = exponentials(op.rescale.multipliers[0], op.rescale.shifts[0], op.diff_min.value.data)
    table = k.table(np.array(values, np.int32), "exponentials")
    lower, upper = integer_range(i8)
    with k.loop("row", 0, rows) as row:

        def larger(i: Value, largest: SSAValue) -> SSAValue:
            return k.value(k.max(largest, k.extend(k.load(source, [row, i])), "largest"), i32)

        largest = k.reduce("i", 0, depth, k.value(lower, i32), larger, "largest")

        def exponential(i: Value) -> SSAValue:
            difference = k.sub(largest, k.extend(k.load(source, [row, i])))
            if len(values) <= LARGEST_DIFFERENCE:
                difference = k.min(difference, len(values) - 1)
            return k.load(table, [k.i32_to_index(difference)], "exponential")

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            term = k.emit(fx.RoundingShiftRightOp(exponential(i), k.value(SUM_INTEGER_BITS, i32)))
            # Terms are at most ONE. A sum that could leave int32 stops growing: all quotients are 0 long before.
            total = total if fits_int32(depth * ONE) else k.value(k.min(total, INT32_MAX - ONE), i32)
            return k.value(k.add(total, term, "total"), i32)

        total = k.reduce("i", 0, depth, k.value(0, i32), add_exponential, "total")
        zeros = k.emit(fx.CountLeadingZerosOp(total), "leading_zeros")
        fraction = k.emit(AndIOp(k.emit(ShLIOp(total, zeros)), k.value(INT32_MAX, i32)), "fraction")
        reciprocal = k.emit(fx.OneOverOnePlusOp(fraction), "reciprocal")
        # The sum is 2**(12 - zeros) * (1 + fraction); an int8 result has 8 of the 31 fractional bits.
        shift = k.value(k.sub(SUM_INTEGER_BITS + 31 - 8, zeros, "shift"), i32)
        with k.loop("i", 0, depth) as i:
            quotient = k.emit(fx.RoundingDoublingHighMulOp(reciprocal, exponential(i)))
            steps = _steps(k, quotient, shift, depth)
            k.store(k.narrow(k.min(k.max(k.add(steps, lower), lower), upper), i8), target, [row, i])


def _steps(k: Kernel, quotient: SSAValue, shift: SSAValue, depth: int) -> SSAValue:
    """The Q0.31 `quotient` in steps of the output: shifted to the right by `shift`, which is over 31 for large sums.

    There every quotient is less than half a step; the reference kernel aborts.
    """
    if depth < 1 << 9:
        return k.emit(fx.RoundingShiftRightOp(quotient, shift))
    steps = k.emit(fx.RoundingShiftRightOp(quotient, k.value(k.min(shift, 31), i32)))
    return k.select(k.compare("sgt", shift, 31), 0, steps)


def exponentials(multiplier: int, shift: int, diff_min: int) -> list[int]:
    """Q0.31 exponentials of the int8 differences 0, -1, -2 ... to the row's maximum, then one 0 if they end early.

    `multiplier` and `shift` bring a difference to Q5.26; differences below `diff_min` count as 0.
    """
    values: list[int] = []
    for difference in range(0, -LARGEST_DIFFERENCE - 1, -1):
        if difference < diff_min:
            return [*values, 0]
        values.append(exp_on_negative_values(rescale(difference, multiplier, shift)))
    return values
