"""FULLY_CONNECTED."""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import Operation

from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.shape import ReshapeOp
from ..activation import fused_clamp
from ..node import Node, Unsupported, tensor_type
from ..quantisation import QuantisationError, float32_product, rescale_fully_connected, rescale_per_channel
from ..scales import per_tensor, symmetric_weights
from ..schema import Tensor
from .accumulate import OTHERS, SUPPORTED, bias_value, filter_of
from .registry import operator


@operator("FULLY_CONNECTED", inputs=(2, 3))
def fully_connected(node: Node) -> Operation:
    """Filter [M, K]; the input's elements are rows of K, the output's rows of M, whatever their ranks."""
    data, weights, output = node.input(0), filter_of(node, 2), node.output
    node.check_types(
        (data, weights, node.optional_input(2), output),
        supported=SUPPORTED,
        others=(*OTHERS, "INT8 INT8 INT32 INT16", "UINT8 UINT8 INT32 INT16"),
    )
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
    bias = bias_value(node, columns)
    product = node.emit(
        FullyConnectedOp(
            node.value(data, (rows, depth)),
            node.value(weights),
            bias,
            output_type=tensor_type(output, (rows, columns)),
            clamp=fused_clamp(node),
            **_quantised(node, data, weights),
        )
    )
    if output.shape == (rows, columns):
        return product
    return node.emit(ReshapeOp(product.results[0], tensor_type(output)))


def _quantised(node: Node, data: Tensor, weights: Tensor) -> dict[str, Any]:
    """Zero points and factors: with one filter scale in float32 and any zero point, else symmetric per channel."""
    if node.output.element_type.name != "INT8":
        return {}
    input_scale, input_zero_point = per_tensor(node, data)
    output_scale, output_zero_point = per_tensor(node, node.output)
    if weights.quantisation is not None and len(weights.quantisation.scales) > 1:
        rescale = rescale_per_channel(input_scale, symmetric_weights(node, weights, 0), output_scale)
        return {"zero_points": (input_zero_point, 0, output_zero_point), "rescale": rescale}
    filter_scale, filter_zero_point = per_tensor(node, weights)
    _check_bias_scale(node, float32_product(input_scale, filter_scale), output_scale)
    return {
        "zero_points": (input_zero_point, filter_zero_point, output_zero_point),
        "rescale": rescale_fully_connected(input_scale, filter_scale, output_scale),
    }


def _check_bias_scale(node: Node, product: float, output_scale: float) -> None:
    """The bias is added to the accumulator, so it must have its scale (`GetQuantizedConvolutionMultipler`)."""
    bias = node.optional_input(2)
    if bias is None or bias.quantisation is None:
        return
    scale = bias.quantisation.scales[0]
    if abs(product - scale) / output_scale > 0.02:
        raise QuantisationError(f"the bias {bias} has scale {scale:g}, input and filter together {product:g}")
