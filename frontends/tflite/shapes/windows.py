"""Shapes of convolutions, pooling, matrix products and resizing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..node import Node
from ..padding import SAME
from ..schema import Tensor
from .rules import Shape, shape_rule


def _extents(node: Node, data: Tensor, kernel: Shape, dilations: Shape) -> list[int]:
    """Height and width of what a window makes (`ComputeOutSize`)."""
    if len(data.shape) != 4:
        raise node.malformed(f"{data} has shape {list(data.shape)}, expected 4 extents")
    strides = node.positive("StrideH"), node.positive("StrideW")
    made: list[int] = []
    for extent, size, stride, dilation in zip(data.shape[1:3], kernel, strides, dilations, strict=True):
        reach = 0 if node.integer("Padding") == SAME else (size - 1) * dilation
        made.append(-(-(extent - reach) // stride))
    return made


@shape_rule("CONV_2D", "DEPTHWISE_CONV_2D")
def convolution(node: Node) -> Sequence[Shape]:
    """Channels from the filter: its first extent, or the last of a depthwise one."""
    data, weights = node.input(0), node.input(1)
    if len(weights.shape) != 4:
        raise node.malformed(f"the filter {weights} has shape {list(weights.shape)}, expected 4 extents")
    dilations = node.positive("DilationHFactor"), node.positive("DilationWFactor")
    channels = weights.shape[0 if node.operator.opcode == "CONV_2D" else 3]
    return [[data.shape[0], *_extents(node, data, weights.shape[1:3], dilations), channels]]


@shape_rule("AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D")
def pooling(node: Node) -> Sequence[Shape]:
    """Channels stay."""
    data = node.input(0)
    kernel = node.positive("FilterHeight"), node.positive("FilterWidth")
    return [[data.shape[0], *_extents(node, data, kernel, (1, 1)), data.shape[3]]]


@shape_rule("FULLY_CONNECTED")
def fully_connected(node: Node) -> Sequence[Shape]:
    """Rows from the input's elements."""
    data, weights = node.input(0), node.input(1)
    if len(weights.shape) != 2 or not weights.shape[1] or math.prod(data.shape) % weights.shape[1]:
        raise node.malformed(f"{data} of shape {list(data.shape)} does not fit the filter {list(weights.shape)}")
    columns, depth = weights.shape
    if node.integer("KeepNumDims"):
        return [[*data.shape[:-1], columns]]
    return [[math.prod(data.shape) // depth, columns]]


@shape_rule("BATCH_MATMUL")
def batch_matmul(node: Node) -> Sequence[Shape]:
    """Leading dimensions broadcast."""
    lhs, rhs = node.input(0).shape, node.input(1).shape
    if len(lhs) < 2 or len(rhs) < 2:
        raise node.malformed(f"shapes {list(lhs)} and {list(rhs)} are no matrices")
    rank = max(len(lhs), len(rhs)) - 2
    leading = [(1,) * (rank + 2 - len(shape)) + shape[:-2] for shape in (lhs, rhs)]
    rows, columns = lhs[-1 if node.integer("AdjX") else -2], rhs[-2 if node.integer("AdjY") else -1]
    return [[*(max(a, b) for a, b in zip(*leading, strict=True)), rows, columns]]


@shape_rule("TRANSPOSE_CONV")
def transpose_conv(node: Node) -> Sequence[Shape]:
    """The first input says it."""
    return [node.integers(node.input(0))]


@shape_rule("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(node: Node) -> Sequence[Shape]:
    """The second input is height and width."""
    data, size = node.input(0).shape, node.integers(node.input(1))
    if len(data) != 4 or len(size) != 2:
        raise node.malformed(f"shape {list(data)} and size {size} do not go together")
    return [[data[0], *size, data[3]]]


@shape_rule("SVDF")
def svdf(node: Node) -> Sequence[Shape]:
    """Units from the filters."""
    return [[node.input(0).shape[0], node.input(1).shape[0] // node.positive("Rank")]]


@shape_rule("UNIDIRECTIONAL_SEQUENCE_LSTM")
def lstm(node: Node) -> Sequence[Shape]:
    """Units from the recurrent weights."""
    return [[*node.input(0).shape[:2], node.input(6).shape[0]]]
