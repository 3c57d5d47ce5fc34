"""Softmax, LogSoftmax and reductions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i64

from ....dialects.nn.element_functions import Unary
from ....dialects.nn.normalise import LogSoftmaxOp
from ....dialects.nn.ordering import ArgMaxOp, ArgMinOp
from ....dialects.nn.real_pooling import RealAveragePool2DOp
from ....dialects.nn.reduction import MeanOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.softmax import SoftmaxOp
from ...reasons import Unsupported
from ..node import ELEMENTS, Node
from ..registry import operator
from ..stored import Stored, permuted, typed
from ..tensors import Quantised, Tensor
from ..window import Window
from .arithmetic import combined
from .movement import reshaped
from .pooling import mean, real_scaling
from .unary import unary_op


@operator("Softmax", "LogSoftmax")
def softmax(node: Node) -> Tensor:
    """Over an axis; over all from it on in operator sets before 13."""
    data, rank = node.input(0), len(node.input(0).shape)
    # QLinearSoftmax names the set itself.
    old = int(node.attributes.get("opset", node.graph.opset)) < 13
    axis = node.axis(int(node.attributes.get("axis", 1 if old else -1)), rank)

    def real() -> Stored:
        order = (*(d for d in range(rank) if d != axis), axis)
        stored = Stored(node.to(data.value.stored, order), order)
        type, value = stored.value.type, stored.value
        if old and axis < rank - 1:
            order = tuple(range(rank))
            value = node.to(data.value.stored, order)
            rows = (int(np.prod(data.shape[:axis])), int(np.prod(data.shape[axis:])))
            type = typed(stored.element, rows)
            value = node.emit(ReshapeOp(value, type))
        beta: Any = {"beta": 1.0} if node.op.op_type == "Softmax" else {}
        kind: Any = SoftmaxOp if node.op.op_type == "Softmax" else LogSoftmaxOp
        result = node.emit(kind(value, output_type=type, **beta))
        if old and axis < rank - 1:
            result = node.emit(ReshapeOp(result, typed(stored.element, data.shape)))
        return Stored(result, order)

    return node.made(real, data.shape)


_REDUCTIONS: Mapping[str, Any] = {
    "ReduceMax": ReduceMaxOp,
    "ReduceMean": MeanOp,
    "ReduceMin": ReduceMinOp,
    "ReduceProd": ReduceProductOp,
    "ReduceSum": ReduceSumOp,
}


_AROUND: Mapping[str, tuple[Unary | None, str, Unary | None]] = {
    "ReduceL1": (Unary.ABS, "ReduceSum", None),
    "ReduceL2": (Unary.SQUARE, "ReduceSum", Unary.SQRT),
    "ReduceLogSum": (None, "ReduceSum", Unary.LOG),
    "ReduceSumSquare": (Unary.SQUARE, "ReduceSum", None),
}
"""Function of every element before, the reduction, and function of its result."""


@operator(*_REDUCTIONS)
def reduction(node: Node) -> Tensor:
    """Over constant axes."""
    return reduced(node, node.input(0), node.op.op_type)


@operator(*_AROUND)
def reduction_of_functions(node: Node) -> Tensor:
    """Reduce functions of the elements."""
    before, kind, after = _AROUND[node.op.op_type]
    if node.input(0).dtype != "float32":
        raise Unsupported(f"{node.op.op_type} of {node.input(0).dtype} cannot be compiled")
    made = reduced(node, _each(node, before, node.input(0)), kind)
    return _each(node, after, made)


def _each(node: Node, kind: Unary | None, tensor: Tensor) -> Tensor:
    if kind is None:
        return tensor

    def real() -> Stored:
        stored = tensor.value.stored
        return Stored(unary_op(node, kind, stored.value), stored.order)

    return node.made(real, tensor.shape)


@operator("ReduceLogSumExp")
def log_of_sums(node: Node) -> Tensor:
    """Logarithm of the sum of exponentials, which are those of the distances from the largest element."""
    data = node.input(0)
    if data.dtype != "float32":
        raise Unsupported(f"exponentials of {data.dtype} cannot be compiled")
    axes = node.integers(1, "axes")
    if not axes and node.attributes.get("noop_with_empty_axes", 0):
        return reshaped(node, data, data.shape)
    axes = axes or range(len(data.shape))
    most = reduced_over(node, data, "ReduceMax", axes, keep=True)
    powers = _each(node, Unary.EXP, combined(node, "Sub", data, most))
    total = _each(node, Unary.LOG, reduced_over(node, powers, "ReduceSum", axes, keep=True))
    made = combined(node, "Add", total, most)
    if node.attributes.get("keepdims", 1):
        return made
    gone = {node.axis(axis, len(data.shape)) for axis in axes}
    return reshaped(node, made, [extent for d, extent in enumerate(data.shape) if d not in gone])


@operator("ArgMax", "ArgMin")
def places(node: Node) -> Tensor:
    """Where the largest or smallest element lies, the first of several."""
    data, rank = node.input(0), len(node.input(0).shape)
    axis = node.axis(int(node.attributes.get("axis", 0)), rank)
    if node.attributes.get("select_last_index", 0):
        raise Unsupported("the last one of several places cannot be compiled")
    kind: Any = ArgMaxOp if node.op.op_type == "ArgMax" else ArgMinOp
    shape = [extent for d, extent in enumerate(data.shape) if d != axis]

    def real() -> Stored:
        value = node.real(data)
        return Stored.plain(node.emit(kind(value, axis, typed(i64, shape))))

    made = node.made(real, shape, "int64")
    if not node.attributes.get("keepdims", 1):
        return made
    return reshaped(node, made, [1 if d == axis else extent for d, extent in enumerate(data.shape)])


def reduced(node: Node, data: Tensor, title: str) -> Tensor:
    """A reduction over constant axes."""
    axes = node.integers(1, "axes")
    if not axes and node.attributes.get("noop_with_empty_axes", 0):
        return reshaped(node, data, data.shape)
    return reduced_over(
        node, data, title, axes or range(len(data.shape)), keep=bool(node.attributes.get("keepdims", 1))
    )


def reduced_over(node: Node, data: Tensor, title: str, along: Sequence[int], *, keep: bool) -> Tensor:
    """A reduction over axes, which stay with one element or go."""
    rank = len(data.shape)
    axes = sorted({node.axis(axis, rank) for axis in along})
    shape = [1 if d in axes else extent for d, extent in enumerate(data.shape)]
    kind = _REDUCTIONS[title]
    quantise = _mean_of_steps(node, data, axes, shape) if kind is MeanOp else None
    if quantise is not None and rank == 4 and axes == [2, 3]:
        space = data.shape[2:]
        window = Window((space[0], space[1]), (1, 1), (0, 0, 0, 0), (1, 1), (1, 1))
        made = mean(node, data, window, _order(math.prod(data.shape[:2]), math.prod(space), 1))
        return made if keep else reshaped(node, made, data.shape[:2])

    def real() -> Stored:
        stored = data.value.stored
        type = typed(stored.element, permuted(shape, stored.order))
        places: Sequence[int] = sorted(stored.axis(axis) for axis in axes)
        infinite: Any = {"infinite": True} if kind in (ReduceMaxOp, ReduceMinOp) and stored.element == f32 else {}
        return Stored(node.emit(kind(stored.value, places, type, **infinite)), stored.order)

    made = node.made(real, shape, data.dtype, quantise=quantise)
    return made if keep else reshaped(node, made, [extent for d, extent in enumerate(data.shape) if d not in axes])


def _order(before: int, count: int, behind: int) -> str | None:
    """In which order onnxruntime adds the elements of a mean that lie between others; None is one by one."""
    if behind == 1:
        return "pairs" if count > 3 else None
    return "fours" if before > 1 and count > 5 else None


def _mean_of_steps(
    node: Node, data: Tensor, axes: Sequence[int], shape: Sequence[int]
) -> Callable[[Quantised], Stored | None] | None:
    """The mean of quantised elements over axes that lie side by side, through floats; None if there is none."""
    extents = data.shape
    used = [d for d in axes if extents[d] > 1]
    if data.steps is None or not used:
        return None
    inner = range(used[0], used[-1] + 1)
    if any(extents[d] > 1 and d not in used for d in inner):
        return None
    steps = data.steps
    before, behind = math.prod(extents[: inner.start]), math.prod(extents[inner.stop :])
    count = math.prod(extents[d] for d in inner)

    def quantised(to: Quantised) -> Stored:
        element = ELEMENTS[to.dtype]
        stored = steps.integers.stored
        value = node.to(stored, range(len(extents)))
        value = node.emit(ReshapeOp(value, typed(stored.element, (before, 1, count, behind))))
        pooled = RealAveragePool2DOp(
            value,
            kernel=(1, count),
            strides=(1, 1),
            pads=(0, 0, 0, 0),
            output_type=typed(element, (before, 1, 1, behind)),
            **real_scaling(steps.quantised, to, _order(before, count, behind)),
        )
        return Stored.plain(node.emit(ReshapeOp(node.emit(pooled), typed(element, shape))))

    return quantised
