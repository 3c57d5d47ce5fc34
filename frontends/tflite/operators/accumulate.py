"""What CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED have in common: element types and bias."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..node import Node
from ..schema import Tensor

SUPPORTED = ("FLOAT32 FLOAT32 FLOAT32 FLOAT32", "INT8 INT8 INT32 INT8")
"""Element types of input, filter, bias and output that can be compiled."""

OTHERS = (
    "UINT8 UINT8 INT32 UINT8",
    "INT8 INT4 INT32 INT8",
    "INT16 INT8 INT32 INT16",
    "INT16 INT8 INT64 INT16",
    "FLOAT32 UINT8 FLOAT32 FLOAT32",
    "FLOAT32 INT8 FLOAT32 FLOAT32",
    "FLOAT32 INT4 FLOAT32 FLOAT32",
    "FLOAT32 FLOAT16 FLOAT32 FLOAT32",
)
"""Element types that TFLite defines besides: legacy uint8, 4-bit weights, 16-bit activations, hybrid models."""


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
