"""Quantised elements to float32 and back, as ONNX's DequantizeLinear and QuantizeLinear compute it."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects.nn.attributes import ClampAttr
from .kernel import Kernel
from .requantise import saturated_integer


def from_steps(k: Kernel, value: SSAValue, zero_point: int, scale: float) -> SSAValue:
    """`(value - zero_point) * scale`, rounded once."""
    return k.mulf(k.to_float(k.sub(k.extend(value), zero_point)), scale)


def to_steps(
    k: Kernel,
    real: SSAValue,
    zero_point: int,
    scale: float,
    clamp: ClampAttr,
    element: Attribute,
    *,
    truncates: bool = False,
) -> SSAValue:
    """`clamp(rint(real / scale) + zero_point)`: halves to even, or no fraction at all, saturating."""
    lower, upper = (int(bound) - zero_point for bound in clamp.bounds)
    quotient = k.divf(real, scale)
    steps = quotient if truncates else k.round_half_even(quotient)
    return k.narrow(k.add(saturated_integer(k, steps, lower, upper), zero_point), element)
