"""Reductions along axes: MEAN, SUM, REDUCE_MAX and the like."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.reduction import (
    MeanOp,
    PlainReduction,
    ReduceAllOp,
    ReduceAnyOp,
    ReduceMaxOp,
    ReduceMinOp,
    ReduceProductOp,
    ReduceSumOp,
    ScaledReduction,
)
from ....dialects.nn.shape import ReshapeOp
from ..node import Node, tensor_type
from ..quantisation import QuantisationError, quantize_multiplier
from ..scales import per_tensor
from .movement import expect_output
from .registry import operator

QUANTISED = ("INT8", "UINT8", "INT16")
"""Types whose elements stand for steps of a scale."""

NUMBERS = ("FLOAT32", *QUANTISED, "INT32", "INT64")


@operator("MEAN", inputs=2, types=NUMBERS)
def mean(node: Node) -> Operation:
    """The mean; TFLite's factor of quantised ones contains the division."""
    return _scaled(node, MeanOp, lambda scale, output, count: divided(*quantize_multiplier(scale / output), count))


@operator("SUM", inputs=2, types=(*NUMBERS, "BOOL"))
def sum_(node: Node) -> Operation:
    """The sum; of truth values whether one is true."""
    if node.input(0).element_type.name == "BOOL":
        return _plain(node, ReduceAnyOp, (*NUMBERS, "BOOL"))
    return _scaled(node, ReduceSumOp, lambda scale, output, _: quantize_multiplier(scale / output))


@operator("REDUCE_MAX", inputs=2, types=(*NUMBERS, "BOOL"))
def reduce_max(node: Node) -> Operation:
    """The largest element."""
    return _plain(node, ReduceMaxOp, (*NUMBERS, "BOOL"))


@operator("REDUCE_MIN", inputs=2, types=(*NUMBERS, "BOOL"))
def reduce_min(node: Node) -> Operation:
    """The smallest element."""
    return _plain(node, ReduceMinOp, (*NUMBERS, "BOOL"))


PRODUCTS = ("FLOAT32", "INT8", "INT16", "INT32", "INT64", "BOOL")


@operator("REDUCE_PROD", inputs=2, types=PRODUCTS)
def reduce_product(node: Node) -> Operation:
    """The product; TFLite's factor is applied after every one. Of truth values whether all are true."""
    if node.input(0).element_type.name == "BOOL":
        return _plain(node, ReduceAllOp, PRODUCTS)

    def factor(scale: float, output_scale: float, count: int) -> tuple[int, int]:
        return quantize_multiplier(scale / output_scale ** (1.0 / count))

    return _scaled(node, ReduceProductOp, factor, PRODUCTS)


@operator("REDUCE_ALL", inputs=2, types=("BOOL",))
def reduce_all(node: Node) -> Operation:
    """Whether all are true."""
    return _plain(node, ReduceAllOp, ("BOOL",))


@operator("REDUCE_ANY", inputs=2, types=("BOOL",))
def reduce_any(node: Node) -> Operation:
    """Whether one is true."""
    return _plain(node, ReduceAnyOp, ("BOOL",))


def _reduced(node: Node) -> tuple[list[int], TensorType]:
    """The axes in order, and the type of the result that keeps all dimensions."""
    shape = node.input(0).shape
    node.refuse_empty(node.input(0))
    axes = sorted({node.axis(axis, len(shape)) for axis in node.integers(node.input(1))}) if shape else []
    kept = [1 if d in axes else extent for d, extent in enumerate(shape)]
    rest = kept if node.integer("KeepDims") else [extent for d, extent in enumerate(shape) if d not in axes]
    expect_output(node, rest)
    return axes, tensor_type(node.output, kept)


def _shaped(node: Node, made: Operation) -> Operation:
    """The result without its dimensions of 1 if the operator drops them."""
    if shape_of(made.results[0]) == node.output.shape:
        return made
    return node.emit(ReshapeOp(made.results[0], tensor_type(node.output)))


def _plain(node: Node, kind: type[PlainReduction], types: Sequence[str]) -> Operation:
    data = node.input(0)
    node.check_same_type((data, node.output), types)
    if data.element_type.name in QUANTISED and per_tensor(node, data) != per_tensor(node, node.output):
        raise QuantisationError(f"{data} and {node.output} differ in scale or zero point")
    axes, type_ = _reduced(node)
    return _shaped(node, node.emit(kind(node.value(data), axes, type_)))


def _scaled(
    node: Node,
    kind: type[ScaledReduction],
    factor: Callable[[float, float, int], tuple[int, int]],
    types: Sequence[str] = NUMBERS,
) -> Operation:
    """A reduction with a fixed-point factor that follows from both scales and the number of reduced elements."""
    data = node.input(0)
    node.check_same_type((data, node.output), types)
    axes, type_ = _reduced(node)
    if data.element_type.name not in QUANTISED:
        return _shaped(node, node.emit(kind(node.value(data), axes, type_)))
    scale, zero_point = per_tensor(node, data)
    output_scale, output_zero_point = per_tensor(node, node.output)
    multiplier, shift = factor(scale, output_scale, math.prod(data.shape[axis] for axis in axes))
    made = kind(
        node.value(data),
        axes,
        type_,
        zero_points=(zero_point, output_zero_point),
        rescale=RescaleAttr.get([multiplier], [shift]),
        clamp=ClampAttr.get(*integer_range(type_.element_type)),
    )
    return _shaped(node, node.emit(made))


def divided(multiplier: int, shift: int, count: int) -> tuple[int, int]:
    """A fixed-point factor divided by a number of elements, as `QuantizedMeanOrSum` does it."""
    more = min(count.bit_length() - 1, 32, 31 + shift)
    return (multiplier << more) // count, shift - more
