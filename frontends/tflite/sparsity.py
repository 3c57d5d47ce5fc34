"""Constants that are stored sparsely, as the dense tensors that they stand for.

A sparse tensor is a tree: one level for each dimension and then for each block dimension, in an order of its own. A
level is dense, with all indices, or compressed, with a list of indices for each node of the level above.

Source: TensorFlow Lite `kernels/internal/utils/sparsity_format_converter.cc`; the format is TACO's (Kjolstad et al.,
"The Tensor Algebra Compiler", 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.int64]


class SparsityError(Exception):
    """The levels contradict each other or the tensor; the message is for the user."""


@dataclass(frozen=True)
class Level:
    """One level of the tree."""

    size: int
    """Number of indices of a dense level."""
    segments: tuple[int, ...] | None
    """For a compressed one: where the list of each node of the level above begins, and the end of the last one."""
    indices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Sparsity:
    """How the values of a tensor are stored."""

    order: tuple[int, ...]
    """Which dimension a level stands for; block dimensions follow those of the tensor."""
    blocked: tuple[int, ...]
    """The dimension of the tensor that each block dimension divides."""
    levels: tuple[Level, ...]


def densify(shape: Sequence[int], width: int, data: bytes, sparsity: Sparsity) -> bytes:
    """The dense tensor's bytes, zeros where nothing is stored.

    Args:
        shape: the tensor's.
        width: bytes of an element.
        data: the stored elements, in the order of the tree.
        sparsity: the tree.

    Raises:
        SparsityError: they do not fit together.
    """
    rank, order, blocked = len(shape), sparsity.order, sparsity.blocked
    if sorted(order) != list(range(rank + len(blocked))) or len(sparsity.levels) != len(order):
        raise SparsityError(f"{len(sparsity.levels)} levels in the order {list(order)} do not fit {rank} dimensions")
    if any(not 0 <= dimension < rank for dimension in blocked):
        raise SparsityError(f"blocks divide the dimensions {list(blocked)} of {rank}")
    most = math.prod(shape)
    columns: list[Array] = []
    node = np.zeros(1, np.int64)
    for level in sparsity.levels:
        parent, column, node = _children(level, node, most)
        columns = [known[parent] for known in columns] + [column]
    places = _places(shape, order, blocked, columns, sparsity.levels)
    if len(data) != len(places) * width:
        raise SparsityError(f"{len(data)} bytes are stored for {len(places)} elements")
    dense = np.zeros((most, width), np.uint8)
    dense[places] = np.frombuffer(data, np.uint8).reshape(-1, width)
    return dense.tobytes()


def _children(level: Level, above: Array, most: int) -> tuple[Array, Array, Array]:
    """For the nodes of a level: which of the nodes `above` they belong to, their indices and their own numbers."""
    if level.segments is None:
        if level.size < 1 or level.size * len(above) > most:
            raise SparsityError(f"a level has {level.size} indices for each of {len(above)} nodes")
        parent = np.repeat(np.arange(len(above)), level.size)
        column = np.tile(np.arange(level.size), len(above))
        return parent, column, above[parent] * level.size + column
    segments, indices = np.array(level.segments, np.int64), np.array(level.indices, np.int64)
    if above.max(initial=0) + 1 >= len(segments) or segments[0] != 0 or (np.diff(segments) < 0).any():
        raise SparsityError("the lists of a compressed level do not fit the level above")
    if segments[-1] != len(indices) or len(indices) > most:
        raise SparsityError(f"a compressed level has {len(indices)} indices, its lists end at {segments[-1]}")
    counts = segments[above + 1] - segments[above]
    parent = np.repeat(np.arange(len(above)), counts)
    within = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
    if len(parent) > most:
        raise SparsityError("a compressed level has more nodes than the tensor has elements")
    node = segments[above][parent] + within
    return parent, indices[node], node


def _places(
    shape: Sequence[int],
    order: Sequence[int],
    blocked: Sequence[int],
    columns: Sequence[Array],
    levels: Sequence[Level],
) -> Array:
    """Where each stored element lies in the dense tensor."""
    by_dimension = dict(zip(order, zip(columns, levels, strict=True), strict=True))
    full = [by_dimension[dimension][0] for dimension in range(len(shape))]
    for number, dimension in enumerate(blocked):
        inside, level = by_dimension[len(shape) + number]
        if level.segments is not None:
            raise SparsityError("a block dimension is compressed")
        full[dimension] = full[dimension] * level.size + inside
    place = np.zeros(len(columns[0]) if columns else 1, np.int64)
    for extent, index in zip(shape, full, strict=True):
        if len(index) and not 0 <= index.min() <= index.max() < extent:
            raise SparsityError(f"an index leaves the dimension of {extent} elements")
        place = place * extent + index
    return place
