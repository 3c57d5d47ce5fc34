"""Running sums.

Source: TensorFlow Lite `reference_ops::CumSum`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType, f32, i8, i32, i64
from xdsl.ir import SSAValue

from ....dialects.fx.fixed_point import rescale
from ....dialects.nn import CumulativeSumOp, RescaleAttr
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import element_type_of, shape_of
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import Factor, Requantiser, largest_magnitude


@lowers(CumulativeSumOp, (i8, i32, i64, f32))
def lower_cumulative_sum(op: CumulativeSumOp, k: Kernel) -> None:
    """One accumulator along the axis, for all other places."""
    element = element_type_of(op.output)
    if op.rescale is not None:
        _lower_quantised(op, k)
    elif isinstance(element, IntegerType):
        zero = k.value(0, element)
        _scan(op, k, zero, lambda acc, v: k.add(acc, v, wraps=True), lambda acc: acc)
    else:
        _scan(op, k, k.floating(0.0), lambda acc, v: k.addf(acc, v), lambda acc: acc)


def _lower_quantised(op: CumulativeSumOp, k: Kernel) -> None:
    assert op.rescale is not None, "verified: quantised sums have factors"
    assert op.zero_points is not None, "verified: quantised sums have zero points"
    assert op.left_shift is not None, "verified: quantised sums have a left shift"
    assert op.clamp is not None, "verified: quantised sums have a clamp"
    element = element_type_of(op.output)
    (from_zero, to_zero), headroom = ints(op.zero_points), 1 << op.left_shift.value.data
    multipliers, shifts = op.rescale.multipliers, op.rescale.shifts
    to_output = Requantiser(k, RescaleAttr.get(multipliers[1:], shifts[1:]), to_zero, op.clamp, element)
    bound = largest_magnitude(element, from_zero) * headroom

    def add(acc: SSAValue, value: SSAValue) -> SSAValue:
        shifted = k.mul(k.sub(k.extend(value), from_zero), headroom)
        scaled, _ = Factor.of(k, RescaleAttr.get(multipliers[:1], shifts[:1])).apply(k, shifted, bound)
        return k.add(acc, scaled, wraps=True)

    start = rescale(-from_zero * headroom, multipliers[0], shifts[0])
    _scan(op, k, k.value(start, i32), add, lambda acc: to_output.apply(k, acc, 0, 2**31))


def _scan(
    op: CumulativeSumOp,
    k: Kernel,
    initial: SSAValue,
    add: Callable[[SSAValue, SSAValue], SSAValue],
    finish: Callable[[SSAValue], SSAValue],
) -> None:
    shape, axis = shape_of(op.input), op.axis.value.data
    folded = [math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])]
    source, target = k.input(op.input, "input", folded), k.output(op.output, shape=folded)
    with k.loop("o", 0, folded[0]) as outer, k.loop("c", 0, folded[2]) as inner:

        def step(i: Value, acc: SSAValue) -> SSAValue:
            at = [outer, k.sub(folded[1] - 1, i) if op.reverse is not None else i, inner]
            total = add(acc, k.load(source, at))
            k.store(finish(acc if op.exclusive is not None else total), target, at)
            return total

        k.reduce("i", 0, folded[1], initial, step)
