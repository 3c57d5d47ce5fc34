"""Pools over windows and over whole images."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp
from ....dialects.nn.real_pooling import RealAveragePool2DOp
from ....dialects.nn.shape import ReshapeOp
from ...reasons import Unsupported
from ..moving import moved
from ..node import ELEMENTS, Node
from ..quantisation import clamp
from ..registry import operator
from ..stored import Stored, channels_last, typed
from ..tensors import Quantised, Tensor
from ..window import Window, window_of
from .movement import padded


@operator("MaxPool")
def max_pool(node: Node) -> Tensor:
    """The largest element of a window; scales pass through."""
    if len(node.output_names) > 1:
        raise Unsupported("places of the largest elements cannot be compiled")
    window = _window(node)
    return _largest(node, window)


@operator("GlobalMaxPool")
def global_max_pool(node: Node) -> Tensor:
    """The largest element of each channel."""
    return _largest(node, _whole(node))


@operator("AveragePool")
def average_pool(node: Node) -> Tensor:
    """The mean of a window."""
    window, data = _window(node), node.input(0)
    if any(window.own) and node.attributes.get("count_include_pad", 0):
        top, bottom, left, right = window.own
        space = [(top, bottom), (left, right)][4 - len(data.shape) :]
        data = padded(node, data, [0, 0, *(one for one, _ in space)], [0, 0, *(other for _, other in space)])
        # What is beyond the margin, where the number of windows is rounded up, does not count.
        beyond = [whole - part for whole, part in zip(window.pads, window.own, strict=True)]
        window = replace(window, pads=(beyond[0], beyond[1], beyond[2], beyond[3]))
    return mean(node, data, window, _order(node, data, window))


@operator("GlobalAveragePool")
def global_average_pool(node: Node) -> Tensor:
    """The mean of each channel."""
    data, window = node.input(0), _whole(node)
    return mean(node, data, window, _order(node, data, window))


def _window(node: Node) -> Window:
    kernel = tuple(int(extent) for extent in node.attributes["kernel_shape"])
    window = window_of(node, node.input(0).shape[2:], kernel, ceil=bool(node.attributes.get("ceil_mode", 0)))
    if window.dilations != (1, 1):
        raise Unsupported("dilated pools cannot be compiled")
    return window


def _whole(node: Node) -> Window:
    space = node.input(0).shape[2:]
    if len(space) not in (1, 2):
        raise Unsupported(f"pools of {len(space)} dimensions cannot be compiled")
    kernel = (1, *space) if len(space) == 1 else space
    return Window((kernel[0], kernel[1]), (1, 1), (0, 0, 0, 0), (1, 1), (1,) * len(space))


def _shape(tensor: Tensor, window: Window) -> tuple[int, ...]:
    return (*tensor.shape[:2], *window.result)


def _pooled(node: Node, kind: Any, stored: Stored, window: Window, element: Any, **more: Any) -> Stored:
    rank = len(stored.order)
    value = node.to(stored, channels_last(rank))
    extents = Stored.plain(value).extents
    batch, channels = extents[0], extents[-1]
    if rank == 3:
        value = node.emit(ReshapeOp(value, typed(stored.element, (batch, 1, *extents[1:]))))
    space = (1, *window.result) if rank == 3 else window.result
    made = typed(element, (batch, *space, channels))
    pooled = kind(value, kernel=window.kernel, strides=window.strides, pads=window.pads, output_type=made, **more)
    result = node.emit(pooled)
    if rank == 3:
        result = node.emit(ReshapeOp(result, typed(element, (batch, *window.result, channels))))
    return Stored(result, channels_last(rank))


def _largest(node: Node, window: Window) -> Tensor:
    data = node.input(0)

    def move(stored: Stored, _: float) -> Stored:
        more = {} if node.graph.is_float(stored.element) else {"clamp": node.graph.full_clamp(stored.element)}
        return _pooled(node, MaxPool2DOp, stored, window, stored.element, **more)

    made = moved(node, data, _shape(data, window), move)
    # A table need not keep the order of what it is made from.
    return made if made.steps is not None else replace(made, table=None)


_ROW_BY_ROW = 19
"""The operator set from which on onnxruntime adds the taps of AveragePool row by row.

Before it does so where margins count and the number of windows is rounded up."""


def _order(node: Node, data: Tensor, window: Window) -> str | None:
    """In which order onnxruntime adds taps in float32, which decides some of the roundings."""
    space = data.shape[2:]
    attributes = node.attributes
    rounded_up = attributes.get("ceil_mode", 0) and attributes.get("count_include_pad", 0)
    if node.op.op_type == "AveragePool" and (node.graph.opset >= _ROW_BY_ROW or rounded_up):
        return None
    if window.kernel == (1, *space)[-2:] and window.strides == (1, 1) and not any(window.pads):
        return "lanes"
    return "columns" if window.strides[1] <= 2 and window.kernel[0] > 1 else None


def real_scaling(of: Quantised, to: Quantised, order: str | None) -> dict[str, Any]:
    """How `nn.real_average_pool2d` has its elements and adds them."""
    return {
        "zero_points": (of.zero_point, to.zero_point),
        "scales": (of.scale, to.scale),
        "clamp": clamp(to),
        "order": order,
    }


def mean(node: Node, data: Tensor, window: Window, order: str | None) -> Tensor:
    """The mean of a window, of quantised elements through floats that are added in an order."""

    def real() -> Stored:
        stored = data.value.stored
        return _pooled(node, AveragePool2DOp, stored, window, stored.element)

    quantise = None
    if data.steps is not None:
        steps = data.steps

        def quantised(to: Quantised) -> Stored:
            more = real_scaling(steps.quantised, to, order)
            return _pooled(node, RealAveragePool2DOp, steps.integers.stored, window, ELEMENTS[to.dtype], **more)

        quantise = quantised
    return node.made(real, _shape(data, window), quantise=quantise)
