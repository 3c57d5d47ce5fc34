"""Tiles that some points read, transformed: words of two channels for each product, in planned memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import words
from ....dialects.simd.moves import LoadBytesOp
from ....dialects.simd.words import BYTES
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.winograd import PRODUCTS, RESULTS, WinogradPlan, tiles
from ...builder import Loops, Value
from ..bytes_of_words import splat
from ..conditions import is_inside, is_point_inside, leaving
from ..function_block import scratch
from ..point import Point
from .transforms import ELEMENTS

_Word: TypeAlias = Callable[[Point, Value, Value, Sequence[int]], SSAValue]
"""Four channels: at a point of the other fold dimensions and its number, of a block of channels, at a place in the
window."""
_Placed: TypeAlias = Callable[[Sequence[int]], SSAValue]
"""Four channels of one block, at a place in the window."""

_HALVES = ((words.UnpackEvenOp, words.UnpackEvenAddOp), (words.UnpackOddOp, words.UnpackOddAddOp))


class Window:
    """A buffer of words `[product][other fold points in pairs][tile]`, and the code that fills it."""

    def __init__(self, nest: NestOp, k: Loops, plan: WinogradPlan, extents: Sequence[int]):
        """`extents` are those of the points side by side along the dimensions of the step, at most."""
        self._nest, self._k, self._plan = nest, k, plan
        self._access = nest.accesses("step_reads")[plan.dual.staged.read]
        self._blocks = nest.extents[-1] // BYTES
        # Tiles begin at every point, and reach over the end of the dimension.
        whole = list(self._with_taps([nest.extents[d] for d in plan.dims]))
        for dim in plan.dims:
            whole[dim] = 1
        self._sides = leaving(nest, [self._access], whole)
        self.buffer = scratch(nest, i32, plan.dual.pairs * tiles(extents), "lanes")
        self._patch: SSAValue | None = None
        if self._sides:
            elements = math.prod(map(_width, extents)) * math.prod(nest.extents[d] for d in plan.rest)
            self._patch = scratch(nest, i32, elements * self._blocks, "patch")

    def fill(self, loops: Sequence[Loop], point: Point) -> None:
        """Emit the transformation for `point` and the points of those loops that run along dimensions of the step."""
        jammed = [loop for loop in loops if loop.dim in self._plan.dims]
        extents = {loop.dim: loop.extent for loop in jammed}
        sizes = [extents[d] for d in self._plan.dims]
        first = point.child()
        for loop in jammed:
            first.enter(loop, 0)
        plain = partial(first.each, first.loops(self._plan.rest), partial(self._tiles, sizes, self._word))
        inside = is_inside(first, self._sides, self._with_taps(sizes))
        self._k.branch(inside, plain, partial(self._from_patch, first, sizes))

    def _with_taps(self, sizes: Sequence[int]) -> Sequence[int]:
        """The extents of the nest, those of taps as far as the tiles of so many points reach."""
        widths = dict(zip(self._plan.taps, map(_width, sizes), strict=True))
        return [widths.get(dim, extent) for dim, extent in enumerate(self._nest.extents)]

    def _from_patch(self, first: Point, sizes: Sequence[int]) -> None:
        """Copy what lies inside, and the zero point for what does not; transform that."""
        first.each(first.loops([*self._plan.rest, *self._plan.taps], extents=self._with_taps(sizes)), self._copy)
        first.each(first.loops(self._plan.rest), partial(self._tiles, sizes, partial(self._word_of_patch, sizes)))

    def _copy(self, point: Point, number: Value) -> None:
        k, patch = self._k, self._patch
        assert patch is not None, "there is one where anything lies outside"
        inside = is_point_inside(point, self._sides)
        begin = k.mul(number, self._blocks)

        def copy(word: Callable[[Value], SSAValue]) -> None:
            with k.loop("block", 0, self._blocks) as block:
                k.store(word(block), patch, [k.add(begin, block)])

        zero = k.value(splat(self._plan.dual.staged.zero_point), i32)
        k.branch(inside, partial(copy, partial(self._loaded, point)), partial(copy, lambda block: zero))

    def _word(self, point: Point, number: Value, block: Value, place: Sequence[int]) -> SSAValue:
        """The word of the operand itself."""
        return self._loaded(point.at(dict(zip(self._plan.taps, place, strict=True))), block)

    def _loaded(self, point: Point, block: Value) -> SSAValue:
        k = self._k
        inner = point.at({len(self._nest.extents) - 1: k.mul(block, BYTES)})
        return k.emit(LoadBytesOp(*inner.operands(self._access)), "bytes")

    def _word_of_patch(
        self, sizes: Sequence[int], point: Point, number: Value, block: Value, place: Sequence[int]
    ) -> SSAValue:
        k, patch = self._k, self._patch
        assert patch is not None, "there is one where anything lies outside"
        widths = [*map(_width, sizes)]
        inside = sum(offset * stride for offset, stride in zip(place, row_major(widths), strict=True))
        begin = k.add(k.mul(number, math.prod(widths) * self._blocks), block)
        return k.load(patch, [k.add(begin, inside * self._blocks)], "bytes")

    def _tiles(self, sizes: Sequence[int], word: _Word, point: Point, number: Value) -> None:
        """Store what becomes of the tiles, whose words of bytes `word` gives.

        They are at a point of the other dimensions of the fold, which has a number.
        """
        k = self._k
        with k.loop("block", 0, self._blocks) as block:
            begin = k.mul(k.add(k.mul(number, self._blocks), block), len(_HALVES) * tiles(sizes))
            placed = partial(word, point, number, block)
            if len(sizes) == 1:
                self._line(partial(self._column, placed), sizes[0], begin, 0, 0, tiles(sizes))
                return
            for tile_row in range(tiles(sizes[:1])):
                for row, (first, sign, second) in enumerate(ELEMENTS):
                    rows = RESULTS * tile_row + first, RESULTS * tile_row + second
                    column = partial(self._difference, placed, rows, sign)
                    self._line(column, sizes[1], begin, row, tile_row * tiles(sizes[1:]), tiles(sizes))

    def _column(self, word: _Placed, column: int) -> list[SSAValue]:
        """The elements of two channels each, in two words."""
        bytes = word([column])
        return [self._k.emit(unpack(bytes)) for unpack, _ in _HALVES]

    def _difference(self, word: _Placed, rows: tuple[int, int], sign: str, column: int) -> list[SSAValue]:
        """Emit the sum or the difference of two rows."""
        k, (first, second) = self._k, (word([row, column]) for row in rows)
        if sign == "+":
            return [k.emit(add(second, k.emit(unpack(first)))) for unpack, add in _HALVES]
        return [k.emit(words.DualSubtractOp(k.emit(unpack(first)), k.emit(unpack(second)))) for unpack, _ in _HALVES]

    def _line(
        self, column: Callable[[int], list[SSAValue]], size: int, begin: Value, row: int, first: int, width: int
    ) -> None:
        """Transform columns that follow each other, and store what becomes of them as soon as it is there.

        Args:
            column: what a column is, as words of two channels.
            size: points along the line.
            begin: where the words of the block begin.
            row: number of the products across the line.
            first: number of the line's first tile.
            width: tiles side by side.
        """
        k, known = self._k, dict[int, list[SSAValue]]()
        for tile in range(tiles([size])):
            for product, (lhs, sign, rhs) in enumerate(ELEMENTS):
                for offset in (lhs, rhs):
                    if (place := RESULTS * tile + offset) not in known:
                        known[place] = column(place)
                pairs = zip(known[RESULTS * tile + lhs], known[RESULTS * tile + rhs], strict=True)
                for half, (one, other) in enumerate(pairs):
                    value = k.emit((words.DualAddOp if sign == "+" else words.DualSubtractOp)(one, other))
                    pair = (row * PRODUCTS + product) * self._plan.words + half
                    k.store(value, self.buffer, [k.add(begin, pair * width + first + tile)])


def _width(size: int) -> int:
    """Elements along a dimension that the tiles of so many points read."""
    return RESULTS * tiles([size]) + RESULTS
