"""Running sums.

Source: TensorFlow Lite `reference_ops::CumSum`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType, f32, i8, i32, i64
from xdsl.ir import SSAValue

from ....dialects.fx.fixed_point import rescale
from ....dialects.nn import CumulativeSumOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.quantisation import Quantisation
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import Factor, Requantiser, steps


@lowers(CumulativeSumOp, (i8, i32, i64, f32))
def lower_cumulative_sum(op: CumulativeSumOp, k: Kernel) -> None:
    """One accumulator along the axis, for all other places."""
    element = element_type_of(op.output)
    if op.quantised is not None:
        _lower_quantised(op, op.quantised, k)
    elif isinstance(element, IntegerType):
        zero = k.value(0, element)
        _scan(op, k, zero, lambda acc, v: k.add(acc, v, wraps=True), lambda acc: acc)
    else:
        _scan(op, k, k.floating(0.0), lambda acc, v: k.addf(acc, v), lambda acc: acc)


def _lower_quantised(op: CumulativeSumOp, quantised: Quantisation, k: Kernel) -> None:
    element = element_type_of(op.output)
    (from_zero, to_zero), headroom, factors = quantised.zero_points, quantised.headroom, quantised.rescale
    to_output = Requantiser(k, factors.factor(1), to_zero, quantised.clamp, element)

    def add(acc: SSAValue, value: SSAValue) -> SSAValue:
        shifted = steps(k, value, element, from_zero, headroom)
        scaled, _ = Factor.of(k, factors).apply(k, *shifted)
        return k.add(acc, scaled, wraps=True)

    start = rescale(-from_zero * headroom, factors.multipliers[0], factors.shifts[0])
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
