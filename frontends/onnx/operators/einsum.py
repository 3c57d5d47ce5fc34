"""Einsum: sums of products of any number of tensors."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i32

from ....dialects.nn.gather import GatherOp
from ..moving import moved
from ..node import Node
from ..registry import operator
from ..stored import Stored, typed
from ..tensors import Tensor
from .matmul import multiplied
from .movement import reshaped, transposed
from .rows import reduced_over

Part = tuple[Tensor, str]
"""A tensor, and a letter for each of its dimensions."""


@operator("Einsum")
def einsum(node: Node) -> Tensor:
    """Sums of products over what the equation's result does not name."""
    equation = str(node.attributes["equation"])
    parts, result = _read(node, equation.replace(" ", ""))
    parts = [_diagonals(node, *part) for part in parts]
    extents: dict[str, int] = {}
    for tensor, own in parts:
        for name, extent in zip(own, tensor.shape, strict=True):
            known = extents.setdefault(name, extent)
            if known != extent and 1 not in (known, extent):
                raise node.malformed(f"the equation {equation} does not fit its tensors")
            extents[name] = max(known, extent)
    if set(result) - set(extents) or len(set(result)) < len(result):
        raise node.malformed(f"the equation {equation} does not fit its tensors")
    # What has one element along a dimension of several is the same for all of them.
    parts = [_without(node, part, [name for name in part[1] if extents[name] > _extent(part, name)]) for part in parts]
    made = _summed(node, parts[0], result + "".join(own for _, own in parts[1:]))
    for number, part in enumerate(parts[1:], 2):
        later = result + "".join(own for _, own in parts[number:])
        made = _multiplied(node, made, _summed(node, part, made[1] + later), later)
    return _arranged(node, *made, result)


def _read(node: Node, equation: str) -> tuple[list[Part], str]:
    """Each tensor with its letters, and those of the result; an ellipsis becomes letters of its own."""
    left, arrow, result = equation.partition("->")
    terms, tensors = left.split(","), [tensor for tensor in node.inputs if tensor is not None]
    free = [letter for letter in string.ascii_letters if letter not in equation]
    counts = [len(tensor.shape) - len(term.replace("...", "")) for term, tensor in zip(terms, tensors, strict=True)]
    fits = all(count >= 0 if "..." in term else count == 0 for term, count in zip(terms, counts, strict=True))
    wide = max(counts, default=0)
    if not fits or wide > len(free):
        raise node.malformed(f"the equation {equation} does not fit its tensors")
    more = "".join(free[:wide])
    if not arrow:
        letters = left.replace(".", "").replace(",", "")
        result = ("..." if "..." in left else "") + "".join(n for n in sorted(set(letters)) if letters.count(n) == 1)
    parts = [
        (tensor, term.replace("...", more[wide - count :]))
        for tensor, term, count in zip(tensors, terms, counts, strict=True)
    ]
    return parts, result.replace("...", more)


def _extent(part: Part, name: str) -> int:
    return part[0].shape[part[1].index(name)]


def _diagonals(node: Node, tensor: Tensor, own: str) -> Part:
    """Elements at equal places along dimensions of one letter, which is named once then."""
    while (name := next((name for name in own if own.count(name) > 1), None)) is not None:
        first = own.index(name)
        second = own.index(name, first + 1)
        rest = [axis for axis in range(len(own)) if axis not in (first, second)]
        extent, shape = tensor.shape[first], [tensor.shape[axis] for axis in rest]
        if tensor.shape[second] != extent:
            raise node.malformed(f"dimensions of {extent} and {tensor.shape[second]} elements have the letter {name}")
        rows = _shaped(node, _transposed(node, tensor, [first, second, *rest]), [extent * extent, *shape])
        tensor, own = _rows(node, rows, extent + 1, extent), name + "".join(own[axis] for axis in rest)
    return tensor, own


def _rows(node: Node, tensor: Tensor, step: int, count: int) -> Tensor:
    """Some rows, so many from each to the next."""
    places = np.arange(count) * step
    if tensor.array is not None:
        return node.graph.constant(tensor.name, tensor.array[places])
    shape = (count, *tensor.shape[1:])

    def move(stored: Stored, _: float) -> Stored:
        value, type = node.to(stored, range(len(shape))), typed(stored.element, shape)
        return Stored.plain(node.emit(GatherOp(value, node.literal(places, i32), type)))

    return moved(node, tensor, shape, move)


def _without(node: Node, part: Part, names: Sequence[str]) -> Part:
    """The tensor without some dimensions of one element."""
    tensor, own = part
    kept = [axis for axis, name in enumerate(own) if name not in names]
    return _shaped(node, tensor, [tensor.shape[axis] for axis in kept]), "".join(own[axis] for axis in kept)


def _multiplied(node: Node, left: Part, right: Part, later: str) -> Part:
    """Products of two tensors, summed over what nobody names later."""
    (a, first), (b, second) = left, right
    extents = dict(zip(first + second, (*a.shape, *b.shape), strict=True))
    both = [name for name in first if name in second]
    batch, summed = ("".join(name for name in both if (name in later) == kept) for kept in (True, False))
    rows, columns = ("".join(n for n in own if n not in both) for own in (first, second))

    def matrix(tensor: Tensor, own: str, *groups: str) -> Tensor:
        arranged = _arranged(node, tensor, own, "".join(groups))
        return _shaped(node, arranged, [extents[n] for n in batch] + [_count(extents, group) for group in groups[1:]])

    product = multiplied(node, matrix(a, first, batch, rows, summed), matrix(b, second, batch, summed, columns))
    names = batch + rows + columns
    return _shaped(node, product, [extents[name] for name in names]), names


def _count(extents: dict[str, int], names: str) -> int:
    return int(np.prod([extents[name] for name in names], dtype=int))


def _summed(node: Node, part: Part, others: str) -> Part:
    """The tensor without the dimensions that nobody else names."""
    tensor, own = part
    alone = [axis for axis, name in enumerate(own) if name not in others]
    if not alone:
        return part
    return reduced_over(node, tensor, "ReduceSum", alone, keep=False), "".join(name for name in own if name in others)


def _arranged(node: Node, tensor: Tensor, own: str, wanted: str) -> Tensor:
    return _transposed(node, tensor, [own.index(name) for name in wanted])


def _transposed(node: Node, tensor: Tensor, perm: Sequence[int]) -> Tensor:
    if tensor.array is not None:
        return node.graph.constant(tensor.name, tensor.array.transpose(perm))
    return transposed(node, tensor, perm)


def _shaped(node: Node, tensor: Tensor, shape: Sequence[int]) -> Tensor:
    if tensor.shape == tuple(shape):
        return tensor
    if tensor.array is not None:
        return node.graph.constant(tensor.name, tensor.array.reshape(shape))
    return reshaped(node, tensor, shape)
