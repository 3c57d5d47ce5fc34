"""Softmax, LogSoftmax and reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i64

from ....dialects.nn.element_functions import Unary
from ....dialects.nn.normalise import LogSoftmaxOp
from ....dialects.nn.ordering import ArgMaxOp, ArgMinOp
from ....dialects.nn.reduction import MeanOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.softmax import SoftmaxOp
from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..stored import Stored, permuted, typed
from ..tensors import Tensor
from ..window import Window
from .arithmetic import combined
from .movement import reshaped
from .pooling import mean
from .unary import unary_op


@operator("Softmax", "LogSoftmax")
def softmax(node: Node) -> Tensor:
    """Over an axis; over all from it on in operator sets before 13."""
    data, rank = node.input(0), len(node.input(0).shape)
    old = node.graph.opset < 13
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
    if kind is MeanOp and rank == 4 and axes == [2, 3] and data.steps is not None:
        space = data.shape[2:]
        made = mean(node, data, Window((space[0], space[1]), (1, 1), (0, 0, 0, 0), (1, 1), (1, 1)))
        return made if keep else reshaped(node, made, data.shape[:2])

    def real() -> Stored:
        stored = data.value.stored
        type = typed(stored.element, permuted(shape, stored.order))
        places: Sequence[int] = sorted(stored.axis(axis) for axis in axes)
        infinite: Any = {"infinite": True} if kind in (ReduceMaxOp, ReduceMinOp) and stored.element == f32 else {}
        return Stored(node.emit(kind(stored.value, places, type, **infinite)), stored.order)

    made = node.made(real, shape, data.dtype)
    return made if keep else reshaped(node, made, [extent for d, extent in enumerate(data.shape) if d not in axes])
