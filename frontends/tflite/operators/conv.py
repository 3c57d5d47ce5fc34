"""CONV_2D and DEPTHWISE_CONV_2D."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from ....dialects.nn.conv import Conv2DOp, Convolution, DepthwiseConv2DOp
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..padding import explicit_pads
from ..quantisation import rescale_per_channel
from ..scales import per_tensor, symmetric_weights
from ..schema import Tensor
from .accumulate import OTHERS, SUPPORTED, bias_value, filter_of
from .registry import operator
from .window import padding_scheme, rank4, strides_of


@operator("CONV_2D", inputs=(2, 3))
def conv2d(node: Node) -> Operation:
    """Filter OHWI; grouped if its I divides the input's channels."""
    return _convolution(node, Conv2DOp, filter_of(node, 4), channel_axis=0)


@operator("DEPTHWISE_CONV_2D", inputs=(2, 3))
def depthwise_conv2d(node: Node) -> Operation:
    """Filter 1HWM; the option for the depth multiplier repeats what the shapes say."""
    weights = filter_of(node, 4)
    channels = rank4(node, node.input(0))[3]
    multiplier = node.integer("DepthMultiplier")
    if channels * multiplier != weights.shape[3]:
        raise node.malformed(
            f"depth multiplier {multiplier} times {channels} channels are not the filter's {weights.shape[3]}"
        )
    return _convolution(node, DepthwiseConv2DOp, weights, channel_axis=3)


def _convolution(node: Node, kind: type[Convolution], weights: Tensor, channel_axis: int) -> Operation:
    data, output = node.input(0), node.output
    node.check_types((data, weights, node.optional_input(2), output), supported=SUPPORTED, others=OTHERS)
    strides = strides_of(node)
    dilations = node.positive("DilationHFactor"), node.positive("DilationWFactor")
    extents = rank4(node, data)[1:3]
    quantised: dict[str, Any] = {}
    if output.element_type.name == "INT8":
        input_scale, input_zero_point = per_tensor(node, data)
        output_scale, output_zero_point = per_tensor(node, output)
        scales = symmetric_weights(node, weights, channel_axis)
        quantised = {
            "zero_points": (input_zero_point, 0, output_zero_point),
            "rescale": rescale_per_channel(input_scale, scales, output_scale),
        }
    return node.emit(
        kind(
            node.value(data),
            node.value(weights),
            bias_value(node, weights.shape[channel_axis]),
            strides=strides,
            pads=explicit_pads(extents, weights.shape[1:3], strides, dilations, padding_scheme(node)),
            dilations=dilations,
            output_type=tensor_type(output),
            clamp=fused_clamp(node),
            **quantised,
        )
    )
