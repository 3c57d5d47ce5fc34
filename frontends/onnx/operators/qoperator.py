"""Operators on integers with their scales as inputs: the same as with DequantizeLinear and QuantizeLinear around."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from onnx import helper

from ..node import Node
from ..registry import lookup, operator
from ..stored import channels_last
from ..tensors import Tensor
from .movement import transposed
from .quantise import quantised_of


def _around(node: Node, kind: str, operands: Sequence[Tensor | None], scale: int) -> Tensor:
    """An operator of floats, quantised by the scale at one input and the zero point behind it."""
    importer = lookup(kind)
    assert importer is not None, "it has an importer"
    made = importer(Node(node.graph, node.index, _named(node, kind), operands))
    assert isinstance(made, Tensor), "it has one result"
    zero = node.optional(scale + 1)
    to = quantised_of(node, scale, "uint8" if zero is None else zero.dtype)
    return node.made(lambda: node.quantised(made, to), made.shape, to.dtype)


def _named(node: Node, kind: str) -> Any:
    """The operator of floats, under the name of this one's result."""
    made = helper.make_node(kind, list(node.op.input), [node.name])
    made.attribute.extend(a for a in node.op.attribute if a.name != "channels_last")
    if kind == "Softmax" and "axis" not in node.attributes:
        made.attribute.append(helper.make_attribute("axis", -1))
    return made


def _dequantised(node: Node, position: int, axis: int | None = None) -> Tensor:
    importer = lookup("DequantizeLinear")
    assert importer is not None, "it has an importer"
    inputs = [node.optional(position + number) for number in range(3)]
    op = helper.make_node("DequantizeLinear", [], [node.op.input[position]])
    if axis is not None:
        op.attribute.append(helper.make_attribute("axis", axis))
    made = importer(Node(node.graph, node.index, op, inputs))
    assert isinstance(made, Tensor), "it has one result"
    return made


def _bias(node: Node, position: int) -> Tensor | None:
    """A bias has the scale of the sums, with their factor."""
    given = node.optional(position)
    if given is None:
        return None
    data, weights = (node.constant(place).astype(np.float32).reshape(-1) for place in (1, 4))
    factor = np.float32(node.attributes.get("alpha", 1.0))
    scale = node.graph.constant(given.name, factor * data[0] * weights)
    op = helper.make_node("DequantizeLinear", [], [given.name], axis=0)
    importer = lookup("DequantizeLinear")
    assert importer is not None, "it has an importer"
    made = importer(Node(node.graph, node.index, op, [given, scale, None]))
    assert isinstance(made, Tensor), "it has one result"
    return made


@operator("QLinearConv")
def qlinear_conv(node: Node) -> Tensor:
    """Conv."""
    return _product(node, "Conv", weight_axis=0, scale=6, bias=8)


@operator("com.microsoft.QGemm")
def qgemm(node: Node) -> Tensor:
    """Gemm."""
    axis = 0 if node.attributes.get("transB", 0) else 1
    return _product(node, "Gemm", weight_axis=axis, scale=7, bias=6)


@operator("QLinearMatMul")
def qlinear_matmul(node: Node) -> Tensor:
    """MatMul."""
    return _product(node, "MatMul", weight_axis=1, scale=6, bias=None)


def _product(node: Node, kind: str, *, weight_axis: int, scale: int, bias: int | None) -> Tensor:
    operands: list[Tensor | None] = [_dequantised(node, 0), _dequantised(node, 3, weight_axis)]
    if bias is not None:
        operands.append(_bias(node, bias))
    return _around(node, kind, operands, scale)


_PAIRS: Mapping[str, str] = {"QLinearAdd": "Add", "QLinearMul": "Mul"}
_SINGLE: Mapping[str, str] = {
    "QLinearLeakyRelu": "LeakyRelu",
    "QLinearSigmoid": "Sigmoid",
    "QLinearSoftmax": "Softmax",
}


def _enter(names: Mapping[str, str], operands: Sequence[int], scale: int) -> None:
    def importer(kind: str) -> Callable[[Node], Tensor]:
        return lambda node: _around(node, kind, [_dequantised(node, position) for position in operands], scale)

    for name, kind in names.items():
        operator(f"com.microsoft.{name}")(importer(kind))


_enter(_PAIRS, (0, 3), 6)
_enter(_SINGLE, (0,), 3)


@operator("com.microsoft.QLinearAveragePool", "com.microsoft.QLinearGlobalAveragePool")
def qlinear_pool(node: Node) -> Tensor:
    """A pool of an image with its channels first, or last."""
    kind, data = node.op.op_type.removeprefix("QLinear"), _dequantised(node, 0)
    if not node.attributes.get("channels_last", 0):
        return _around(node, kind, [data], 3)
    rank = len(data.shape)
    first = transposed(node, data, (0, rank - 1, *range(1, rank - 1)))
    return transposed(node, _around(node, kind, [first], 3), channels_last(rank))


@operator("com.microsoft.QLinearConcat")
def qlinear_concat(node: Node) -> Tensor:
    """Concat: scale and zero point of the result come first."""
    return _around(node, "Concat", [_dequantised(node, position) for position in range(2, len(node.inputs), 3)], 0)


@operator("com.microsoft.QLinearWhere")
def qlinear_where(node: Node) -> Tensor:
    """Where: the condition has no scale."""
    return _around(node, "Where", [node.input(0), _dequantised(node, 1), _dequantised(node, 4)], 7)
