"""`nn.dynamic_quantize`.

Source: TensorFlow Lite `tensor_utils::PortableSymmetricQuantizeFloats` and `PortableAsymmetricQuantizeFloats`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.arith import ExtFOp, TruncFOp
from xdsl.dialects.builtin import f32, f64, i8, i32
from xdsl.dialects.math import AbsFOp
from xdsl.ir import SSAValue

from ....dialects.nn import DynamicQuantizeOp
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import saturated_integer

_LOWEST, _HIGHEST = -128, 127


@lowers(DynamicQuantizeOp, (f32, i8, i32))
def lower_dynamic_quantize(op: DynamicQuantizeOp, k: Kernel) -> None:
    """For every slice: its range, the parameters, the elements."""
    count, *inner = shape_of(op.input)
    shape = (count, math.prod(inner))
    source = k.input(op.input, "input", shape)
    target, scales = k.output(op.output, "output", shape), k.output(op.scales, "scales")
    zero_points = None if op.zero_points is None else k.output(op.zero_points, "zero_points")
    with k.loop("row", 0, count) as row:

        def extreme(predicate: str, of: Callable[[SSAValue], SSAValue], row: Value = row) -> SSAValue:
            """The last of 0 and the elements in the order of `predicate`."""

            def step(i: Value, found: SSAValue) -> SSAValue:
                value = of(k.load(source, [row, i]))
                return k.select(k.comparef(predicate, found, value), value, found, "extreme")

            return k.reduce("i", 0, shape[1], k.floating(0.0), step, "extreme")

        if zero_points is None:
            largest = extreme("olt", lambda value: k.emit(AbsFOp(value)))
            scale, inverse = _symmetric(k, largest)
            offset, lowest = None, -_HIGHEST
        else:
            scale, inverse, zero_point = _asymmetric(
                k, extreme("ogt", lambda value: value), extreme("olt", lambda value: value)
            )
            k.store(zero_point, zero_points, [row])
            offset, lowest = k.to_float(zero_point), _LOWEST
        k.store(scale, scales, [row])
        with k.loop("i", 0, shape[1]) as i:
            steps = k.mulf(k.load(source, [row, i]), inverse)
            rounded = k.round_half_away(steps if offset is None else k.addf(offset, steps))
            k.store(k.narrow(saturated_integer(k, rounded, lowest, _HIGHEST), i8), target, [row, i])


def _symmetric(k: Kernel, largest: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The scale and what to multiply with."""
    one, steps = k.floating(1.0), k.floating(float(_HIGHEST))
    is_zero = k.comparef("oeq", largest, k.floating(0.0))
    scale = k.select(is_zero, one, k.divf(largest, steps), "scale")
    return scale, k.divf(steps, k.select(is_zero, one, largest))


def _asymmetric(k: Kernel, least: SSAValue, most: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
    """The scale, what to multiply with and the zero point; of the two that fit the ends, the more precise one.

    The range's width is a float32, all else in double.
    """
    width = k.emit(ExtFOp(k.subf(most, least), f64))
    least, most = (k.emit(ExtFOp(value, f64)) for value in (least, most))
    one = k.floating(1.0, f64)
    is_zero = k.comparef("oeq", least, most)
    spread = k.select(is_zero, one, width)
    exact = k.divf(spread, k.floating(float(_HIGHEST - _LOWEST), f64))
    candidates: list[SSAValue] = []
    errors: list[SSAValue] = []
    for end, bound in ((least, _LOWEST), (most, _HIGHEST)):
        steps = k.divf(end, exact)
        candidates.append(k.subf(k.floating(float(bound), f64), steps))
        errors.append(k.addf(k.floating(float(abs(bound)), f64), k.emit(AbsFOp(steps))))
    nearer = k.select(k.comparef("olt", errors[0], errors[1]), candidates[0], candidates[1])
    rounded = saturated_integer(k, k.round_half_away(nearer), _LOWEST, _HIGHEST)
    zero_point = k.value(k.select(is_zero, 0, rounded, "zero_point"), i32)
    scale = k.select(is_zero, k.floating(1.0), k.emit(TruncFOp(exact, f32)), "scale")
    inverse = k.emit(TruncFOp(k.divf(one, k.emit(ExtFOp(scale, f64))), f32))
    return scale, inverse, zero_point
