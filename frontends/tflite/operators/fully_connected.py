"""FULLY_CONNECTED."""

from __future__ import annotations

import math

from xdsl.ir import Operation

from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.shape import ReshapeOp
from ..activation import fused_clamp
from ..node import Node, Unsupported, tensor_type
from .accumulate import OTHERS, Operands
from .registry import operator


@operator("FULLY_CONNECTED", inputs=(2, 3), types=("FLOAT32", "INT8", "INT16", "UINT8"))
def fully_connected(node: Node) -> Operation:
    """Filter [M, K]; the input's elements are rows of K, the output's rows of M, whatever their ranks."""
    operands = Operands.of(node, 2)
    data, weights, output = operands.data, operands.weights, operands.output
    operands.check_types(others=(*OTHERS, "INT8 INT8 INT32 INT16", "UINT8 UINT8 INT32 INT16"))
    weights_format = node.integer("WeightsFormat")
    if weights_format == 1:
        raise Unsupported("shuffled weights cannot be compiled")
    if weights_format:
        raise node.malformed(f"there is no weights format {weights_format}")
    columns, depth = weights.shape
    rows, rest = divmod(math.prod(data.shape), depth)
    keep = bool(node.integer("KeepNumDims"))
    if rest or (keep and (not data.shape or data.shape[-1] != depth)):
        raise node.malformed(f"{data} of shape {list(data.shape)} does not consist of rows of {depth} elements")
    # The reference never infers the output's shape: any split of the rows into leading dimensions is sound.
    if math.prod(output.shape) != rows * columns or not output.shape or output.shape[-1] != columns:
        raise node.malformed(f"{output} of shape {list(output.shape)} is not {rows} rows of {columns} elements")
    scales = () if weights.quantisation is None else weights.quantisation.scales
    quantised = operands.per_channel(0) if len(scales) > 1 else operands.per_tensor()
    if data.element_type.name == "UINT8":
        # TFLite Micro has no such kernel, and LiteRT's works with the factor itself.
        quantised["factor"] = operands.factor()
        del quantised["rescale"]
    hybrid = None
    if operands.is_hybrid:
        asymmetric = bool(node.integer("AsymmetricQuantizeInputs"))
        value, hybrid = operands.hybrid((rows, depth), 0, asymmetric=asymmetric)
    else:
        value = node.value(data, (rows, depth))
    product = node.emit(
        FullyConnectedOp(
            value,
            node.value(weights),
            operands.bias_value(columns),
            output_type=tensor_type(output, (rows, columns)),
            clamp=fused_clamp(node),
            hybrid=hybrid,
            **quantised,
        )
    )
    if output.shape == (rows, columns):
        return product
    return node.emit(ReshapeOp(product.results[0], tensor_type(output)))
