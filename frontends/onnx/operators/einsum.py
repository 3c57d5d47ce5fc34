"""Einsum of one or two tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...reasons import Unsupported
from ..node import Node
from ..registry import operator
from ..tensors import Tensor
from .matmul import multiplied
from .movement import reshaped, transposed
from .rows import reduced_over


@operator("Einsum")
def einsum(node: Node) -> Tensor:
    """Sums of products over what the equation's result does not name."""
    equation = str(node.attributes["equation"]).replace(" ", "")
    left, arrow, result = equation.partition("->")
    names = left.split(",")
    if not arrow:
        result = "".join(sorted(name for name in set(left) - {","} if left.count(name) == 1))
    if "." in equation or len(names) > 2 or any(len(set(each)) < len(each) for each in (*names, result)):
        raise Unsupported(f"the equation {equation} cannot be compiled")
    if [len(name) for name in names] != [len(tensor.shape) for tensor in node.inputs if tensor is not None]:
        raise node.malformed(f"the equation {equation} does not fit its tensors")
    parts = [_summed(node, node.input(n), name, left.replace(name, "", 1) + result) for n, name in enumerate(names)]
    (a, first), (b, second) = parts[0], parts[-1]
    if len(parts) == 1:
        return _arranged(node, a, first, result)
    extents = dict(zip(first + second, (*a.shape, *b.shape), strict=True))
    both = [name for name in first if name in second]
    batch, summed = ("".join(name for name in both if (name in result) == kept) for kept in (True, False))
    rows, columns = ("".join(n for n in own if n not in both) for own in (first, second))

    def matrix(tensor: Tensor, own: str, *groups: str) -> Tensor:
        arranged = _arranged(node, tensor, own, "".join(groups))
        return _shaped(node, arranged, [extents[n] for n in batch] + [_count(extents, group) for group in groups[1:]])

    product = multiplied(node, matrix(a, first, batch, rows, summed), matrix(b, second, batch, summed, columns))
    made = _shaped(node, product, [extents[name] for name in batch + rows + columns])
    return _arranged(node, made, batch + rows + columns, result)


def _count(extents: dict[str, int], names: str) -> int:
    return int(np.prod([extents[name] for name in names], dtype=int))


def _summed(node: Node, tensor: Tensor, own: str, others: str) -> tuple[Tensor, str]:
    """The tensor without the dimensions that nobody else names."""
    alone = [axis for axis, name in enumerate(own) if name not in others]
    if not alone:
        return tensor, own
    return reduced_over(node, tensor, "ReduceSum", alone, keep=False), "".join(name for name in own if name in others)


def _arranged(node: Node, tensor: Tensor, own: str, wanted: str) -> Tensor:
    perm = [own.index(name) for name in wanted]
    if tensor.array is not None:
        return node.graph.constant(tensor.name, tensor.array.transpose(perm))
    return transposed(node, tensor, perm)


def _shaped(node: Node, tensor: Tensor, shape: Sequence[int]) -> Tensor:
    if tensor.array is not None:
        return node.graph.constant(tensor.name, tensor.array.reshape(shape))
    return reshaped(node, tensor, shape)
