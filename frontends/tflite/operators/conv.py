"""CONV_2D and DEPTHWISE_CONV_2D."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ....dialects.nn.accumulate import Hybrid
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
    value, hybrid = _hybrid(operands, kind, channel_axis) if operands.is_hybrid else (node.value(data), None)
    return node.emit(
        kind(
            value,
            node.value(weights),
            operands.bias_value(weights.shape[channel_axis]),
            strides=strides,
            pads=explicit_pads(extents, weights.shape[1:3], strides, dilations, padding_scheme(node)),
            dilations=dilations,
            output_type=tensor_type(operands.output),
            clamp=fused_clamp(node),
            hybrid=hybrid,
            **operands.quantisation(channel_axis),
        )
    )


def _hybrid(operands: Operands, kind: type[Convolution], channel_axis: int) -> tuple[SSAValue, Hybrid]:
    """Scales that differ by channel go with asymmetric data, one scale with symmetric data.

    Source: TensorFlow Lite `kernels/conv.cc` and `kernels/depthwise_conv.cc`, the choice of the hybrid kernel.
    """
    data, weights = operands.data, operands.weights
    scales = () if weights.quantisation is None else weights.quantisation.scales
    if kind is Conv2DOp:
        if data.shape[3] != weights.shape[3]:
            raise Unsupported("hybrid convolutions in groups cannot be compiled")
        return operands.hybrid(data.shape, channel_axis, asymmetric=len(set(scales)) > 1)
    if weights.element_type.name == "INT4":
        raise Unsupported("hybrid depthwise convolutions with weights of INT4 are not defined")
    if len(scales) != weights.shape[channel_axis]:
        raise Unsupported("a hybrid depthwise convolution needs a scale for each channel of the filter")
    return operands.hybrid(data.shape, channel_axis, asymmetric=True)
