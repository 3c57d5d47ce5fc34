"""Changes of representation: `nn.quantize`, `nn.dequantize`, `nn.rescale`, `nn.cast`.

Source: TensorFlow Lite `reference_ops::AffineQuantize`, `Dequantize`, `Requantize` and `Cast`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i1, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import CastOp, DequantizeOp, QuantizeOp, RescaleOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.quantised import UI8
from ..conversion import convert
from ..kernel import Kernel
from ..pointwise import lower_unary
from ..registry import lowers
from ..requantise import Requantiser, fits_int32, largest_magnitude, saturated_integer


@lowers(QuantizeOp, (i8, UI8, i16, f32))
def lower_quantize(op: QuantizeOp, k: Kernel) -> None:
    """Float32 to integers of 8 or 16 bits."""
    lower_unary(op, op.input, op.output, k, _quantize)


@lowers(DequantizeOp, (i8, UI8, i16, i32, f32))
def lower_dequantize(op: DequantizeOp, k: Kernel) -> None:
    """Integers to float32."""
    lower_unary(op, op.input, op.output, k, _dequantize)


@lowers(RescaleOp, (i8, UI8, i16, i32))
def lower_rescale(op: RescaleOp, k: Kernel) -> None:
    """Integers of one scale to integers of another."""
    lower_unary(op, op.input, op.output, k, _rescale)


@lowers(CastOp, (i1, i8, UI8, i16, i32, i64, f32))
def lower_cast(op: CastOp, k: Kernel) -> None:
    """Numbers of one type to the same numbers of another."""
    source, target = element_type_of(op.input), element_type_of(op.output)
    lower_unary(op, op.input, op.output, k, lambda op, k, value: convert(k, value, source, target))


def _quantize(op: QuantizeOp, k: Kernel, value: SSAValue) -> SSAValue:
    element, zero_point = element_type_of(op.output), op.zero_point.value.data
    lower, upper = (bound - zero_point for bound in integer_range(element))
    real = k.divf(value, op.scale.value.data)
    steps = k.round_half_away(real) if op.to_even is None else k.round_half_even(real)
    return k.narrow(k.add(saturated_integer(k, steps, lower, upper), zero_point), element)


def _dequantize(op: DequantizeOp, k: Kernel, value: SSAValue) -> SSAValue:
    return k.mulf(k.to_float(k.sub(k.extend(value), op.zero_point.value.data)), op.scale.value.data)


def _rescale(op: RescaleOp, k: Kernel, value: SSAValue) -> SSAValue:
    from_zero, to_zero = ints(op.zero_points)
    bound = largest_magnitude(element_type_of(op.input), from_zero)
    steps = k.sub(k.extend(value), from_zero, wraps=not fits_int32(bound))
    to_output = Requantiser(k, op.rescale, to_zero, op.clamp, element_type_of(op.output))
    return to_output.apply(k, steps, 0, min(bound, 2**31))
