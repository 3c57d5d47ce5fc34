"""Shapes of reductions."""

from __future__ import annotations

from collections.abc import Sequence

from ..node import Node
from .rules import Shape, shape_rule


@shape_rule("MEAN", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "SUM")
def reduction(node: Node) -> Sequence[Shape]:
    """Without the reduced dimensions, or with 1 in their place."""
    shape = node.input(0).shape
    axes = {node.axis(axis, len(shape)) for axis in node.integers(node.input(1))}
    if node.integer("KeepDims"):
        return [[1 if d in axes else extent for d, extent in enumerate(shape)]]
    return [[extent for d, extent in enumerate(shape) if d not in axes]]


@shape_rule("ARG_MAX", "ARG_MIN")
def place(node: Node) -> Sequence[Shape]:
    """Without the dimension along which is searched."""
    shape = list(node.input(0).shape)
    (axis,) = node.integers(node.input(1)) or [0]
    del shape[node.axis(axis, len(shape))]
    return [shape]


@shape_rule("TOPK_V2")
def top_k(node: Node) -> Sequence[Shape]:
    """Return as many elements of the last dimension as the second input says, and their places."""
    (count,) = node.integers(node.input(1)) or [0]
    return [[*node.input(0).shape[:-1], count]] * 2
