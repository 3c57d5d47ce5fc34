"""SOFTMAX."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.softmax import SoftmaxOp
from ..node import Node, tensor_type
from ..quantisation import QuantisationError, softmax_parameters
from ..scales import per_tensor
from .registry import operator


@operator("SOFTMAX", inputs=1)
def softmax(node: Node) -> Operation:
    """Over the last dimension; int8 results have scale 1/256 and zero point -128."""
    data, output = node.input(0), node.output
    others = ("UINT8 UINT8", "UINT8 INT16", "INT8 INT16", "INT16 INT16")
    node.check_types((data, output), supported=("FLOAT32 FLOAT32", "INT8 INT8"), others=others)
    beta, type_ = node.real("Beta"), tensor_type(output)
    if output.element_type.name == "FLOAT32":
        return node.emit(SoftmaxOp(node.value(data), output_type=type_, beta=beta))
    if per_tensor(node, output) != (1 / 256, -128):
        raise QuantisationError(f"{output} must have scale 1/256 and zero point -128")
    rescale, diff_min = softmax_parameters(per_tensor(node, data)[0], beta)
    return node.emit(SoftmaxOp(node.value(data), output_type=type_, rescale=rescale, diff_min=diff_min))
