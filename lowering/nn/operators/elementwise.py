"""Elementwise arithmetic: sums, products, quotients; quantised, integer and float32.

Source: the reference kernels of TensorFlow Lite and TensorFlow Lite Micro that the operators' definitions name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from xdsl.dialects.builtin import Float32Type, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.fx.fixed_point import rescale
from ....dialects.nn import AddNOp, AddOp, DivOp, MulOp, PreluOp, SquaredDifferenceOp, SubOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.elementwise import Arithmetic
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.quantised import UI8, is_scaled
from ...builder import Value
from ..division import divide, reciprocal_product
from ..kernel import Kernel
from ..pointwise import lower_binary, lower_pointwise
from ..registry import lowers
from ..requantise import Factor, clamp_float, clamp_integer, fits_int32, largest_magnitude, requantised

Real = Callable[[Kernel, SSAValue, SSAValue], SSAValue]
Whole = Callable[[Kernel, SSAValue, SSAValue], SSAValue]
Scaled = Callable[[Arithmetic, Kernel, SSAValue, SSAValue], SSAValue]

ELEMENTS = (i8, UI8, i16, i32, i64, f32)


def _rule(kind: type[Arithmetic], real: Real, whole: Whole | None, scaled: Scaled) -> None:
    """Register an operator by what it does to floats, to integers without a scale, and to quantised elements."""

    def scalar(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        element = element_type_of(op.lhs)
        if isinstance(element, Float32Type):
            return clamp_float(k, real(k, lhs, rhs), op.clamp)
        if is_scaled(element):
            return scaled(op, k, lhs, rhs)
        assert whole is not None, "the operator's elements exclude integers"
        result = whole(k, lhs, rhs)
        return result if op.clamp is None else clamp_integer(k, result, op.clamp)

    elements = tuple(element for element in ELEMENTS if whole is not None or element not in (i32, i64))

    @lowers(kind, elements)
    def lower(op: Arithmetic, k: Kernel) -> None:
        lower_binary(op, k, scalar)


def _steps(op: Arithmetic, k: Kernel, number: int, value: SSAValue) -> tuple[SSAValue, int]:
    """Operand `number` less its zero point as i32, and its largest magnitude."""
    assert op.zero_points is not None, "verified: quantised operands have zero points"
    zero_point = ints(op.zero_points)[number]
    bound = largest_magnitude(element_type_of(op.operands[number]), zero_point)
    return k.sub(k.extend(value), zero_point), bound


def _requantise(op: Arithmetic, k: Kernel, value: SSAValue, bound: int, factor: int) -> SSAValue:
    assert op.zero_points is not None, "verified: quantised results have zero points"
    assert op.rescale is not None, "verified: quantised results have factors"
    assert op.clamp is not None, "verified: quantised results have a clamp"
    return requantised(k, value, bound, op.rescale, factor, ints(op.zero_points)[2], op.clamp)


def _at_common_scale(op: Arithmetic, k: Kernel, number: int, value: SSAValue) -> tuple[SSAValue, int]:
    assert op.left_shift is not None, "verified: quantised operands have a left shift"
    assert op.rescale is not None, "verified: quantised operands have factors"
    headroom = 1 << op.left_shift.value.data
    steps, bound = _steps(op, k, number, value)
    shifted = k.mul(steps, headroom, wraps=not fits_int32(bound * headroom))
    return Factor.of(k, op.rescale, number).apply(k, shifted, bound * headroom)


def _sum(sign: int) -> Scaled:
    def lower(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        total, bound = _combined(op, k, lhs, rhs, sign)
        return _requantise(op, k, total, bound, 2)

    return lower


def _combined(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue, sign: int) -> tuple[SSAValue, int]:
    (a, first), (b, second) = (_at_common_scale(op, k, n, value) for n, value in enumerate((lhs, rhs)))
    combine = k.add if sign > 0 else k.sub
    return combine(a, b, wraps=not fits_int32(first + second)), min(first + second, 2**31)


def _squared_difference(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    difference, bound = _combined(op, k, lhs, rhs, -1)
    square = k.mul(difference, difference, wraps=not fits_int32(bound**2))
    return _requantise(op, k, square, min(bound**2, 2**31), 2)


def _product(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    (a, first), (b, second) = (_steps(op, k, n, value) for n, value in enumerate((lhs, rhs)))
    return _requantise(op, k, k.mul(a, b), first * second, 0)


def _quotient(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    assert op.zero_points is not None, "verified: quantised results have zero points"
    assert op.rescale is not None, "verified: quantised results have a factor"
    assert op.clamp is not None, "verified: quantised results have a clamp"
    (a, _), (b, _) = (_steps(op, k, n, value) for n, value in enumerate((lhs, rhs)))
    scaled = reciprocal_product(k, a, b, op.rescale.multipliers[0], op.rescale.shifts[0])
    wide = k.add(scaled, ints(op.zero_points)[2], wraps=True)
    return k.narrow(clamp_integer(k, wide, op.clamp), element_type_of(op.output))


def _slope(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    (a, first), (b, second) = (_steps(op, k, n, value) for n, value in enumerate((lhs, rhs)))
    positive = _requantise(op, k, a, first, 0)
    negative = _requantise(op, k, k.mul(a, b), first * second, 1)
    return k.select(k.compare("sge", a, 0), positive, negative)


def _float_slope(k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return k.select(k.comparef("oge", lhs, k.floating(0.0)), lhs, k.mulf(lhs, rhs))


def _float_square(k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    difference = k.subf(lhs, rhs)
    return k.mulf(difference, difference)


def _integer_square(k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    difference = k.sub(lhs, rhs, wraps=True)
    return k.mul(difference, difference, wraps=True)


_rule(AddOp, Kernel.addf, lambda k, a, b: k.add(a, b, wraps=True), _sum(1))
_rule(SubOp, Kernel.subf, lambda k, a, b: k.sub(a, b, wraps=True), _sum(-1))
_rule(MulOp, Kernel.mulf, lambda k, a, b: k.mul(a, b, wraps=True), _product)
_rule(DivOp, Kernel.divf, divide, _quotient)
_rule(SquaredDifferenceOp, _float_square, _integer_square, _squared_difference)
_rule(PreluOp, _float_slope, None, _slope)


@lowers(AddNOp, (i8, f32))
def lower_add_n(op: AddNOp, k: Kernel) -> None:
    """Sums from the first operand to the last."""
    operands = [(value, "input") for value in op.inputs]
    lower_pointwise(k, operands, op.output, lambda values: _add_n(op, k, values))


def _add_n(op: AddNOp, k: Kernel, values: Sequence[SSAValue]) -> SSAValue:
    if op.rescale is None:
        return clamp_float(k, reduce(k.addf, values), op.clamp)
    assert op.zero_points is not None, "verified: quantised operands have zero points"
    assert op.left_shift is not None, "verified: quantised operands have a left shift"
    assert op.clamp is not None, "verified: quantised results have a clamp"
    (zero_point, to_zero), headroom = ints(op.zero_points), 1 << op.left_shift.value.data
    element = element_type_of(op.output)
    magnitude = largest_magnitude(element, zero_point) * headroom
    start = rescale(-zero_point * headroom, op.rescale.multipliers[0], op.rescale.shifts[0])
    total: Value = start
    bound = abs(start)
    for value in values:
        shifted = k.mul(k.sub(k.extend(value), zero_point), headroom)
        term, largest = Factor.of(k, op.rescale, 0).apply(k, shifted, magnitude)
        bound = min(bound + largest, 2**31)
        total = k.add(total, term, wraps=not fits_int32(bound))
    return requantised(k, k.value(total, i32), bound, op.rescale, 1, to_zero, op.clamp)
