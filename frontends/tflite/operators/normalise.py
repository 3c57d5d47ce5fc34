"""LOG_SOFTMAX and L2_NORMALIZATION."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.normalise import L2NormalizeOp, LogSoftmaxOp
from ..node import Node, Unsupported, tensor_type
from ..quantisation import QuantisationError, log_softmax_parameters
from ..scales import per_tensor
from .registry import operator


@operator("LOG_SOFTMAX", inputs=1)
def log_softmax(node: Node) -> Operation:
    """Over the last dimension; int8 results have scale 1/16 and zero point 127."""
    data, output = node.input(0), node.output
    node.check_types((data, output), supported=("FLOAT32 FLOAT32", "INT8 INT8"), others=("UINT8 UINT8",))
    if output.element_type.name == "FLOAT32":
        return node.emit(LogSoftmaxOp(node.value(data), output_type=tensor_type(output)))
    if per_tensor(node, output) != (1 / 16, 127):
        raise QuantisationError(f"{output} must have scale 1/16 and zero point 127")
    rescale, diff_min = log_softmax_parameters(per_tensor(node, data)[0])
    return node.emit(
        LogSoftmaxOp(node.value(data), output_type=tensor_type(output), rescale=rescale, diff_min=diff_min)
    )


@operator("L2_NORMALIZATION", inputs=1, types=("FLOAT32", "INT8", "UINT8"))
def l2_normalization(node: Node) -> Operation:
    """Over the last dimension; the reference takes scale 1/128 for granted and ignores what the file says."""
    data, output = node.input(0), node.output
    node.check_same_type((data, output), ("FLOAT32", "INT8", "UINT8"))
    if node.integer("FusedActivationFunction"):
        raise Unsupported("fused activations of L2_NORMALIZATION are not defined")
    if data.element_type.name == "FLOAT32":
        return node.emit(L2NormalizeOp(node.value(data), output_type=tensor_type(output)))
    _, zero_point = per_tensor(node, data)
    return node.emit(L2NormalizeOp(node.value(data), output_type=tensor_type(output), zero_point=zero_point))
