"""Reductions along an axis, ARGMAX, and pools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects import tosa as upstream
from xdsl.dialects.builtin import IntegerType, f32, i8, i16, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.ordering import ArgMaxOp
from ....dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp
from ....dialects.nn.quantise import RescaleOp
from ....dialects.nn.reduction import ReduceAllOp, ReduceAnyOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from ....dialects.tosa import windows as tosa
from ...reasons import Unsupported
from ..constants import type_of, typed
from ..node import Node
from ..registry import imports

_KINDS: Mapping[type[Operation], Any] = {
    upstream.ReduceAllOp: ReduceAllOp,
    upstream.ReduceAnyOp: ReduceAnyOp,
    upstream.ReduceMaxOp: ReduceMaxOp,
    upstream.ReduceMinOp: ReduceMinOp,
    upstream.ReduceProductOp: ReduceProductOp,
    upstream.ReduceSumOp: ReduceSumOp,
}


@imports(*_KINDS)
def reduction(op: Any, node: Node) -> SSAValue:
    """The axis keeps an extent of 1."""
    value = node.value(op.input)
    shape = list(type_of(value).get_shape())
    axis = node.axis(op.axis, len(shape))
    element = type_of(value).get_element_type()
    kind = _KINDS[type(op)]
    if kind in (ReduceSumOp, ReduceProductOp) and element not in (i32, f32):
        raise Unsupported(f"sums and products of {element} cannot be compiled")
    shape[axis] = 1
    infinite: Any = {"infinite": True} if kind in (ReduceMaxOp, ReduceMinOp) and element == f32 else {}
    return node.emit(kind(value, [axis], typed(element, shape), **infinite))


@imports(tosa.ArgMaxOp)
def arg_max(op: tosa.ArgMaxOp, node: Node) -> SSAValue:
    """The first of several."""
    value = node.value(op.input)
    shape = list(type_of(value).get_shape())
    axis = node.axis(op.axis, len(shape))
    del shape[axis]
    return node.emit(ArgMaxOp(value, axis, typed(i32, shape)))


def _window(op: Any, node: Node, value: SSAValue) -> tuple[dict[str, tuple[int, ...]], list[int]]:
    """Kernel, strides and margins, and the shape of the result."""
    shape = type_of(value).get_shape()
    if len(shape) != 4:
        raise node.malformed(f"its operand must have 4 dimensions, it has {len(shape)}")
    kernel, strides = node.integers(op.kernel, 2, "kernel"), node.integers(op.stride, 2, "stride")
    pads = node.integers(op.pad, 4, "pad")
    result = [shape[0], 0, 0, shape[3]]
    for d in range(2):
        over = shape[1 + d] + pads[2 * d] + pads[2 * d + 1] - kernel[d]
        if strides[d] < 1 or over < 0:
            raise node.malformed(f"the window {list(kernel)} does not fit {list(shape)}")
        result[1 + d] = over // strides[d] + 1
    return {"kernel": kernel, "strides": strides, "pads": pads}, result


def _full(element: Attribute) -> ClampAttr | None:
    return ClampAttr.get(*integer_range(element)) if isinstance(element, IntegerType) else None


@imports(upstream.MaxPool2DOp)
def max_pool(op: upstream.MaxPool2DOp, node: Node) -> SSAValue:
    """Margins do not count."""
    value = node.value(op.input)
    window, shape = _window(op, node, value)
    element = type_of(value).get_element_type()
    return node.emit(MaxPool2DOp(value, output_type=typed(element, shape), clamp=_full(element), **window))


@imports(upstream.AvgPool2DOp)
def average_pool(op: upstream.AvgPool2DOp, node: Node) -> SSAValue:
    """Margins do not count. With zero points the mean is that of steps in 16 bits."""
    value = node.value(op.input)
    window, shape = _window(op, node, value)
    element = type_of(value).get_element_type()
    zero_points = [node.number(operand, "a zero point") for operand in (op.input_zp, op.output_zp)]
    if any(zero_points):
        if element != i8:
            raise Unsupported(f"zero points of {element} cannot be compiled")
        value = _moved(node, value, (zero_points[0], 0), i16)
    within = type_of(value).get_element_type()
    made = node.emit(AveragePool2DOp(value, output_type=typed(within, shape), clamp=_full(within), **window))
    return made if within == element else _moved(node, made, (0, zero_points[1]), element)


def _moved(node: Node, value: SSAValue, zero_points: tuple[int, int], element: Attribute) -> SSAValue:
    """Steps from another zero point."""
    return node.emit(
        RescaleOp(
            value,
            zero_points=zero_points,
            rescale=RescaleAttr.get([1 << 30], [1]),
            clamp=ClampAttr.get(*integer_range(element)),
            output_type=typed(element, type_of(value).get_shape()),
        )
    )
