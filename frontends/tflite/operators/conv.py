"""CONV_2D and DEPTHWISE_CONV_2D."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.conv import Conv2DOp, Convolution, DepthwiseConv2DOp
from ..activation import fused_clamp
from ..node import Node, Unsupported, tensor_type
from ..padding import explicit_pads
from .accumulate import Operands
from .registry import operator
from .window import padding_scheme, rank4, strides_of


@operator("CONV_2D", inputs=(2, 3), types=("FLOAT32", "INT8", "INT16", "UINT8"))
def conv2d(node: Node) -> Operation:
    """Filter OHWI; grouped if its I divides the input's channels."""
    return _convolution(Operands.of(node, 4), Conv2DOp, channel_axis=0)


@operator("DEPTHWISE_CONV_2D", inputs=(2, 3), types=("FLOAT32", "INT8", "INT16", "UINT8"))
def depthwise_conv2d(node: Node) -> Operation:
    """Filter 1HWM; the option for the depth multiplier repeats what the shapes say."""
    operands = Operands.of(node, 4)
    weights = operands.weights
    channels = rank4(node, node.input(0))[3]
    multiplier = node.integer("DepthMultiplier")
    if channels * multiplier != weights.shape[3]:
        raise node.malformed(
            f"depth multiplier {multiplier} times {channels} channels are not the filter's {weights.shape[3]}"
        )
    return _convolution(operands, DepthwiseConv2DOp, channel_axis=3)


def _convolution(operands: Operands, kind: type[Convolution], channel_axis: int) -> Operation:
    node, data, weights, bias = operands.node, operands.data, operands.weights, operands.bias
    operands.check_types()
    if kind is DepthwiseConv2DOp and data.element_type.name == "INT16" and bias and bias.element_type.name != "INT64":
        # TFLite Micro reads such a bias as if it had 64 bits.
        raise Unsupported("a depthwise convolution of INT16 needs a bias of INT64")
    strides = strides_of(node)
    dilations = node.positive("DilationHFactor"), node.positive("DilationWFactor")
    extents = rank4(node, data)[1:3]
    return node.emit(
        kind(
            node.value(data),
            node.value(weights),
            operands.bias_value(weights.shape[channel_axis]),
            strides=strides,
            pads=explicit_pads(extents, weights.shape[1:3], strides, dilations, padding_scheme(node)),
            dilations=dilations,
            output_type=tensor_type(operands.output),
            clamp=fused_clamp(node),
            **operands.quantisation(channel_axis),
        )
    )
