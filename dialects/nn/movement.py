"""Base of all operators that only move elements: they say which boxes go where.

A box is a block of elements that source and result both walk with constant strides. A transposition is one box, a
concatenation one for each operand, a padding a box for the input and boxes of one value around it. One lowering and one
constant folding serve the whole family.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ..strides import merge, row_major
from .interfaces import Foldable, HasRanges, channels_of, element_type_of, shape_of
from .ranges import Ranges


@dataclass(frozen=True)
class Walk:
    """Places of a box's elements in a row-major tensor: `offset + sum(index[d] * strides[d])`."""

    offset: int
    strides: tuple[int, ...]

    @staticmethod
    def through(shape: Sequence[int], begin: Sequence[int] | None = None, step: Sequence[int] | None = None) -> Walk:
        """From element `begin` in steps of `step`, dimension by dimension; from the start and in ones if left out."""
        strides = row_major(shape)
        first = begin or (0,) * len(shape)
        steps = step or (1,) * len(shape)
        return Walk(
            sum(b * s for b, s in zip(first, strides, strict=True)),
            tuple(a * b for a, b in zip(strides, steps, strict=True)),
        )

    def permuted(self, order: Sequence[int]) -> Walk:
        """Return the places with dimension `order[d]` as dimension d."""
        return Walk(self.offset, tuple(self.strides[d] for d in order))


@dataclass(frozen=True)
class Box:
    """Elements that move together, or a value that fills their place."""

    extents: tuple[int, ...]
    target: Walk
    source: Walk | None
    """None: the box is filled with the operation's fill value."""
    operand: int = 0
    result: int = 0

    def simplified(self) -> Box:
        """Return the box in the fewest dimensions."""
        walks = [self.target] if self.source is None else [self.target, self.source]
        merged = merge(self.extents, [walk.strides for walk in walks])
        target, *source = (Walk(w.offset, steps) for w, steps in zip(walks, merged.strides, strict=True))
        return Box(merged.extents, target, source[0] if source else None, self.operand, self.result)


@dataclass(frozen=True)
class ChannelMove:
    """From which channels of an operand the channels of a result come: pairs, all that occur."""

    targets: npt.NDArray[np.int64]
    sources: npt.NDArray[np.int64] | None
    """None: they hold the fill value."""
    operand: int = 0
    result: int = 0


MOST_PAIRS = 1 << 16
"""Pairs of channels that are looked at; where there are more, nothing is known."""


class Movement(Foldable, HasRanges, abc.ABC):
    """An operation whose result elements are operand elements, or one constant, at other places."""

    @abc.abstractmethod
    def boxes(self) -> Sequence[Box]:
        """Boxes that say what goes where; every result element is in exactly one."""

    def channel_moves(self) -> Sequence[ChannelMove] | None:
        """Boxes along the last dimensions; None if they are too many, or there are none."""
        found: list[ChannelMove] = []
        for box in self.boxes():
            ends = [self.results[box.result], *([] if box.source is None else [self.operands[box.operand]])]
            if any(not shape_of(end) or not shape_of(end)[-1] for end in ends):
                return None
            walks, widths = [box.target, box.source], [shape_of(end)[-1] for end in ends]
            pairs = [(walk, width) for walk, width in zip(walks, widths, strict=False) if walk is not None]
            moved = [d for d in range(len(box.extents)) if any(walk.strides[d] % width for walk, width in pairs)]
            extents = tuple(box.extents[d] for d in moved)
            if math.prod(extents) > MOST_PAIRS:
                return None
            index = np.indices(extents).reshape(len(extents), math.prod(extents))
            places = [_places(walk.permuted(moved), index) % width for walk, width in pairs]
            found.append(ChannelMove(places[0], places[1] if len(places) > 1 else None, box.operand, box.result))
        return found

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Range of each channel, of all elements that come there."""
        moves = self.channel_moves()
        found = [Ranges.everything(element_type_of(result), channels_of(result)) for result in self.results]
        if moves is None:
            return found
        # Nothing so far: the most is below the least.
        found = [Ranges(each.most, each.least) for each in found]
        for move in moves:
            known = found[move.result]
            filled = np.full(len(move.targets), self.fill, known.least.dtype)
            part = Ranges(filled, filled) if move.sources is None else operands[move.operand].taken(move.sources)
            np.minimum.at(known.least, move.targets, part.least)
            np.maximum.at(known.most, move.targets, part.most)
        return found

    @property
    def fill(self) -> int | float:
        """Value of boxes without a source."""
        return 0

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        """The results for constant operands."""
        flat = [operand.reshape(-1) for operand in operands]
        results = [np.empty(math.prod(shape_of(result)), operands[0].dtype) for result in self.results]
        for box in self.boxes():
            index = np.indices(box.extents).reshape(len(box.extents), math.prod(box.extents))
            where = _places(box.target, index)
            moved = self.fill if box.source is None else flat[box.operand][_places(box.source, index)]
            results[box.result][where] = moved
        return [array.reshape(shape_of(result)) for array, result in zip(results, self.results, strict=True)]

    def verify_elements(self) -> None:
        """Check that all data operands and results have one element type.

        Raises:
            VerifyException: they have several.
        """
        if len({element_type_of(value) for value in (*self.operands, *self.results)}) > 1:
            raise VerifyException(f"'{self.name}' op operands and results must have the same element type")


def _places(walk: Walk, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return walk.offset + np.array(walk.strides, np.int64) @ index if len(walk.strides) else np.array([walk.offset])


def verify_axis(op: Operation, axis: int, rank: int) -> None:
    """Check that an axis names a dimension.

    Raises:
        VerifyException: it does not.
    """
    if not 0 <= axis < rank:
        raise VerifyException(f"'{op.name}' op axis {axis} is none of the {rank} dimensions")
