"""SOFTMAX."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from ....dialects.nn.softmax import SoftmaxOp
from ..node import Node, tensor_type
from ..quantisation import QuantisationError, softmax16_parameters, softmax_parameters
from ..scales import per_tensor
from .registry import operator

OUTPUTS: Mapping[str, tuple[float, int]] = {
    "INT8 INT8": (1 / 256, -128),
    "INT8 INT16": (1 / 65536, -32768),
    "UINT8 UINT8": (1 / 256, 0),
    "INT16 INT16": (1 / 32768, 0),
}
"""Scale and zero point of the result by the types of operand and result."""


@operator("SOFTMAX", inputs=1, types=("FLOAT32", "INT8", "INT8 to INT16", "UINT8", "INT16"))
def softmax(node: Node) -> Operation:
    """Over the last dimension; quantised results have the one scale and zero point that suit [0, 1)."""
    data, output = node.input(0), node.output
    node.check_types((data, output), supported=("FLOAT32 FLOAT32", *OUTPUTS), others=("UINT8 INT16",))
    beta, type_ = node.real("Beta"), tensor_type(output)
    if output.element_type.name == "FLOAT32":
        return node.emit(SoftmaxOp(node.value(data), output_type=type_, beta=beta))
    scale, zero_point = OUTPUTS[f"{data.element_type.name} {output.element_type.name}"]
    actual_scale, actual_zero_point = per_tensor(node, output)
    # The reference admits a scale of 16-bit results that is this near.
    tolerance = 1e-3 * scale if output.element_type.name == "INT16" else 0.0
    if abs(actual_scale - scale) > tolerance or actual_zero_point != zero_point:
        raise QuantisationError(f"{output} must have scale 1/{1 / scale:.0f} and zero point {zero_point}")
    input_scale, _ = per_tensor(node, data)
    if data.element_type.name == "INT16":
        rescale = softmax16_parameters(input_scale, beta)
        return node.emit(SoftmaxOp(node.value(data), output_type=type_, rescale=rescale))
    rescale, diff_min = softmax_parameters(input_scale, beta)
    return node.emit(SoftmaxOp(node.value(data), output_type=type_, rescale=rescale, diff_min=diff_min))
