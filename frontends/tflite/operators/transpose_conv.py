"""TRANSPOSE_CONV."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.transpose_conv import TransposeConv2DOp
from ..activation import fused_clamp
from ..node import Node, tensor_type
from ..padding import explicit_pads
from .accumulate import Operands
from .registry import operator
from .window import padding_scheme, rank4, strides_of

SUPPORTED = (
    "FLOAT32 FLOAT32 FLOAT32 FLOAT32",
    "INT8 INT8 INT32 INT8",
    "INT16 INT8 INT64 INT16",
    "UINT8 UINT8 INT32 UINT8",
)


@operator("TRANSPOSE_CONV", inputs=(3, 4), types=("FLOAT32", "INT8", "INT16", "UINT8"))
def transpose_conv(node: Node) -> Operation:
    """Inputs: the output's shape (which the output says, too), filter OHWI, data, bias."""
    operands = Operands.of(node, 4, data=2, bias=3)
    data, weights, output = operands.data, operands.weights, operands.output
    operands.check_types(SUPPORTED, ("INT16 INT8 INT16 INT16", "INT16 INT8 INT32 INT16"))
    strides = strides_of(node)
    kernel = weights.shape[1:3]
    extents, results = rank4(node, data)[1:3], rank4(node, output)[1:3]
    # Padding is that of the convolution from the result to the input.
    pads = explicit_pads(results, kernel, strides, (1, 1), padding_scheme(node))
    crops: list[int] = []
    for d, before in enumerate((pads[0], pads[2])):
        full = (extents[d] - 1) * strides[d] + kernel[d]
        crops += [before, full - before - results[d]]
    return node.emit(
        TransposeConv2DOp(
            node.value(data),
            node.value(weights),
            operands.bias_value(weights.shape[0]),
            strides=strides,
            crops=crops,
            output_type=tensor_type(output),
            clamp=fused_clamp(node),
            **operands.quantisation(0),
        )
    )
