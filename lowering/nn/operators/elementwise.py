"""Elementwise operators: `nn.add`.

Source: TensorFlow Lite `reference_integer_ops::Add`, `reference_ops::Add`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import SSAValue

from ....dialects.nn import AddOp, RescaleAttr
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import element_type_of
from ..kernel import Kernel
from ..pointwise import lower_binary
from ..registry import lowers
from ..requantise import Factor, Requantiser, clamp_float, fits_int32, largest_magnitude


@lowers(AddOp, (i8, i16, f32))
def lower_add(op: AddOp, k: Kernel) -> None:
    """Float: the sum, clamped. Quantised: both operands at a common scale, their sum at the output's."""
    lower_binary(op, k, _add_float if op.rescale is None else _add_quantised)


def _add_float(op: AddOp, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return clamp_float(k, k.addf(lhs, rhs), op.clamp)


def _add_quantised(op: AddOp, k: Kernel, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    assert op.zero_points is not None, "verified: quantised operands have zero points"
    assert op.left_shift is not None, "verified: quantised operands have a left shift"
    assert op.rescale is not None, "verified: quantised operands have factors"
    assert op.clamp is not None, "verified: quantised results have a clamp"
    zero_points, headroom = ints(op.zero_points), 1 << op.left_shift.value.data
    total, bound = k.value(0, i32), 0
    for number, value in enumerate((lhs, rhs)):
        wide = k.value(k.sub(k.extend(value), zero_points[number]), i32)
        magnitude = largest_magnitude(element_type_of(op.lhs), zero_points[number]) * headroom
        shifted = k.value(k.mul(wide, headroom, wraps=not fits_int32(magnitude)), i32)
        scaled, magnitude = Factor.of(k, op.rescale, number).apply(k, shifted, magnitude)
        bound += magnitude
        total = scaled if number == 0 else k.value(k.add(total, scaled, wraps=not fits_int32(bound)), i32)
    to_output = Requantiser(
        k,
        RescaleAttr.get(op.rescale.multipliers[2:], op.rescale.shifts[2:]),
        zero_points[2],
        op.clamp,
        element_type_of(op.output),
    )
    return to_output.apply(k, total, 0, bound)
