"""Softmax, LogSoftmax and reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....dialects.nn.normalise import LogSoftmaxOp
from ....dialects.nn.reduction import MeanOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.softmax import SoftmaxOp
from ..node import Node
from ..registry import operator
from ..stored import Stored, permuted, typed
from ..tensors import Tensor
from ..window import Window
from .movement import reshaped
from .pooling import mean


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


@operator(*_REDUCTIONS)
def reduction(node: Node) -> Tensor:
    """Over constant axes."""
    data, rank = node.input(0), len(node.input(0).shape)
    axes = node.integers(1, "axes")
    if axes is None or not axes:
        if axes is not None and node.attributes.get("noop_with_empty_axes", 0):
            return reshaped(node, data, data.shape)
        axes = list(range(rank))
    axes = sorted({node.axis(axis, rank) for axis in axes})
    keep = bool(node.attributes.get("keepdims", 1))
    shape = [1 if d in axes else extent for d, extent in enumerate(data.shape)]
    kind = _REDUCTIONS[node.op.op_type]
    if kind is MeanOp and rank == 4 and axes == [2, 3] and data.steps is not None:
        space = data.shape[2:]
        made = mean(node, data, Window((space[0], space[1]), (1, 1), (0, 0, 0, 0), (1, 1), (1, 1)))
        return made if keep else reshaped(node, made, data.shape[:2])

    def real() -> Stored:
        stored = data.value.stored
        type = typed(stored.element, permuted(shape, stored.order))
        places: Sequence[int] = sorted(stored.axis(axis) for axis in axes)
        return Stored(node.emit(kind(stored.value, places, type)), stored.order)

    made = node.made(real, shape, data.dtype)
    return made if keep else reshaped(node, made, [extent for d, extent in enumerate(data.shape) if d not in axes])
