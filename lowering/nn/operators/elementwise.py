"""Elementwise arithmetic: sums, products, quotients; quantised, integer and float32.

Source: the reference kernels of TensorFlow Lite and TensorFlow Lite Micro that the operators' definitions name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects.builtin import Float32Type, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.fx.fixed_point import rescale
from ....dialects.nn import AddNOp, AddOp, DivOp, MulOp, PreluOp, SquaredDifferenceOp, SubOp
from ....dialects.nn.elementwise import Arithmetic
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.quantisation import Quantisation
from ....dialects.nn.quantised import UI8
from ...builder import Value
from ..division import divide, reciprocal_product
from ..kernel import Kernel
from ..pointwise import lower_binary, lower_pointwise
from ..registry import lowers
from ..requantise import Factor, clamp_float, clamp_integer, fits_int32, requantised, steps

Real = Callable[[Kernel, SSAValue, SSAValue], SSAValue]
Whole = Callable[[Kernel, SSAValue, SSAValue], SSAValue]


@dataclass(frozen=True)
class Operands:
    """The two elements of a quantised operation at one place."""

    op: Arithmetic
    quantised: Quantisation
    k: Kernel
    values: Sequence[SSAValue]

    def steps(self) -> Iterator[tuple[SSAValue, int]]:
        """Each less its zero point, with its head room, as i32, and its largest magnitude."""
        zero_points, headroom = self.quantised.zero_points[:2], self.quantised.headroom
        for value, operand, zero_point in zip(self.values, self.op.operands, zero_points, strict=True):
            yield steps(self.k, value, element_type_of(operand), zero_point, headroom)

    def combined(self, sign: int) -> tuple[SSAValue, int]:
        """Sum or difference at the scale that both are brought to, and its largest magnitude."""
        (a, first), (b, second) = (
            Factor.of(self.k, self.quantised.rescale, number).apply(self.k, *shifted)
            for number, shifted in enumerate(self.steps())
        )
        combine = self.k.add if sign > 0 else self.k.sub
        return combine(a, b, wraps=not fits_int32(first + second)), min(first + second, 2**31)

    def requantised(self, value: SSAValue, bound: int, factor: int) -> SSAValue:
        """The result for an i32 of magnitude `bound`, by one of the factors."""
        return requantised(self.k, value, bound, self.quantised, factor)


Scaled = Callable[[Operands], SSAValue]

ELEMENTS = (i8, UI8, i16, i32, i64, f32)


def _rule(kind: type[Arithmetic], real: Real, whole: Whole | None, scaled: Scaled) -> None:
    """Register an operator by what it does to floats, to integers without a scale, and to quantised elements."""

    def scalar(op: Arithmetic, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        element = element_type_of(op.lhs)
        if isinstance(element, Float32Type):
            return clamp_float(k, real(k, lhs, rhs), op.clamp)
        if op.quantised is not None:
            return scaled(Operands(op, op.quantised, k, (lhs, rhs)))
        assert whole is not None, "the operator's elements exclude integers"
        result = whole(k, lhs, rhs)
        return result if op.clamp is None else clamp_integer(k, result, op.clamp)

    elements = tuple(element for element in ELEMENTS if whole is not None or element not in (i32, i64))

    @lowers(kind, elements)
    def lower(op: Arithmetic, k: Kernel) -> None:
        lower_binary(op, k, scalar)


def _sum(sign: int) -> Scaled:
    def lower(operands: Operands) -> SSAValue:
        total, bound = operands.combined(sign)
        return operands.requantised(total, bound, 2)

    return lower


def _squared_difference(operands: Operands) -> SSAValue:
    difference, bound = operands.combined(-1)
    square = operands.k.mul(difference, difference, wraps=not fits_int32(bound**2))
    return operands.requantised(square, min(bound**2, 2**31), 2)


def _product(operands: Operands) -> SSAValue:
    (a, first), (b, second) = operands.steps()
    return operands.requantised(operands.k.mul(a, b), first * second, 0)


def _quotient(operands: Operands) -> SSAValue:
    k, quantised = operands.k, operands.quantised
    (a, _), (b, _) = operands.steps()
    scaled = reciprocal_product(k, a, b, quantised.rescale.multipliers[0], quantised.rescale.shifts[0])
    wide = k.add(scaled, quantised.zero_points[2], wraps=True)
    return k.narrow(clamp_integer(k, wide, quantised.clamp), element_type_of(operands.op.output))


def _slope(operands: Operands) -> SSAValue:
    k = operands.k
    (a, first), (b, second) = operands.steps()
    positive = operands.requantised(a, first, 0)
    negative = operands.requantised(k.mul(a, b), first * second, 1)
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
    quantised = op.quantised
    if quantised is None:
        return clamp_float(k, reduce(k.addf, values), op.clamp)
    to_common, element = quantised.rescale, element_type_of(op.output)
    zero_point, headroom = quantised.zero_points[0], quantised.headroom
    start = rescale(-zero_point * headroom, to_common.multipliers[0], to_common.shifts[0])
    total: Value = start
    bound = abs(start)
    for value in values:
        shifted = steps(k, value, element, zero_point, headroom)
        term, largest = Factor.of(k, to_common).apply(k, *shifted)
        bound = min(bound + largest, 2**31)
        total = k.add(total, term, wraps=not fits_int32(bound))
    return requantised(k, k.value(total, i32), bound, quantised, 1)
