"""What CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED have in common: element types, quantisation and bias."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ..node import Node
from ..quantisation import QuantisationError, float32_product, rescale_fully_connected, rescale_per_channel
from ..scales import per_tensor, symmetric_weights
from ..schema import Tensor

SUPPORTED = (
    "FLOAT32 FLOAT32 FLOAT32 FLOAT32",
    "INT8 INT8 INT32 INT8",
    "INT8 INT4 INT32 INT8",
    "UINT8 UINT8 INT32 UINT8",
    "INT16 INT8 INT32 INT16",
    "INT16 INT8 INT64 INT16",
)
"""Element types of input, filter, bias and output that can be compiled."""

OTHERS = (
    "INT16 INT4 INT32 INT16",
    "INT16 INT4 INT64 INT16",
    "FLOAT32 UINT8 FLOAT32 FLOAT32",
    "FLOAT32 INT8 FLOAT32 FLOAT32",
    "FLOAT32 INT4 FLOAT32 FLOAT32",
    "FLOAT32 FLOAT16 FLOAT32 FLOAT32",
)
"""Element types that TFLite defines besides: 4-bit weights with 16-bit activations, hybrid models."""


def filter_of(node: Node, rank: int) -> Tensor:
    """The filter, of the rank that the operator demands and with no empty dimension."""
    weights = node.input(1)
    if len(weights.shape) != rank or 0 in weights.shape:
        raise node.malformed(f"the filter {weights} has shape {list(weights.shape)}, expected {rank} extents")
    return weights


def bias_value(node: Node, channels: int) -> SSAValue | None:
    """The bias as a vector of `channels` elements, whatever its rank in the file; None if it is left out."""
    bias = node.optional_input(2)
    return None if bias is None else node.value(bias, (channels,))


def quantisation_per_channel(node: Node, weights: Tensor, axis: int) -> dict[str, Any]:
    """Zero points, factors and accumulator for symmetric weights: one factor, or one per slice along `axis`.

    Empty for floats.
    """
    if node.output.element_type.name == "FLOAT32":
        return {}
    (input_scale, input_zero_point), (output_scale, output_zero_point) = _ends(node)
    return {
        "zero_points": (input_zero_point, 0, output_zero_point),
        "rescale": rescale_per_channel(input_scale, symmetric_weights(node, weights, axis), output_scale),
        "acc_type": _accumulator(node),
    }


def quantisation_per_tensor(node: Node, weights: Tensor) -> dict[str, Any]:
    """The same for weights with one scale and any zero point; empty for floats.

    Raises:
        QuantisationError: the bias has another scale than the accumulator (`GetQuantizedConvolutionMultipler`).
    """
    if node.output.element_type.name == "FLOAT32":
        return {}
    (input_scale, input_zero_point), (output_scale, output_zero_point) = _ends(node)
    filter_scale, filter_zero_point = per_tensor(node, weights)
    bias, product = node.optional_input(2), float32_product(input_scale, filter_scale)
    if bias is not None and bias.quantisation is not None:
        scale = bias.quantisation.scales[0]
        if abs(product - scale) / output_scale > 0.02:
            raise QuantisationError(f"the bias {bias} has scale {scale:g}, input and filter together {product:g}")
    return {
        "zero_points": (input_zero_point, filter_zero_point, output_zero_point),
        "rescale": rescale_fully_connected(input_scale, filter_scale, output_scale),
        "acc_type": _accumulator(node),
    }


def _ends(node: Node) -> tuple[tuple[float, int], tuple[float, int]]:
    """Scales and zero points of input and output."""
    ends = per_tensor(node, node.input(0)), per_tensor(node, node.output)
    if node.output.element_type.name == "INT16" and any(zero_point for _, zero_point in ends):
        raise QuantisationError("16-bit activations must have zero point 0")
    return ends


def _accumulator(node: Node) -> Any:
    """i64 for 16-bit activations, unless a bias of 32 bits says otherwise; else None for the usual i32."""
    bias = node.optional_input(2)
    return i64 if node.output.element_type.name == "INT16" and (bias is None or bias.element_type.bits == 64) else None
