"""Words that the sums of some space points read, in the order of the packed constant: copies, or where bytes lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import SSAValue

from ....dialects.simd.moves import LoadBytesOp
from ....dialects.simd.tiles import TILE_POINTS
from ....dialects.simd.words import DualMultiplyAddOp, DualSubtractOp, PackOp
from ....dialects.task import NestOp
from ....dialects.task.dual import IN_WORD, DualPlan, lies_in_words
from ....dialects.task.join import decided_dims
from ....dialects.task.loop import Loop
from ....dialects.task.steps import Collect
from ...builder import Loops, Value, flat
from ..bytes_of_words import UNPACKINGS, both_lanes
from ..conditions import chosen, is_inside, is_point_inside, leaving
from ..function_block import scratch
from ..point import Point
from .both_points import BothPoints
from .layouts import SWAR

_LINE = 4
"""Words that are made one after the other in the loop over a long run."""
_LONGEST_LINE = 8
"""Words up to which a run is no loop at all."""

Add: TypeAlias = Callable[[Value, int, list[SSAValue]], list[SSAValue]]
"""Adds a word to sums: the one with which its round begins, and its place in that."""
_Made: TypeAlias = Callable[[Sequence[Point]], list[SSAValue]]


def over_words(k: Loops, count: int, unroll: int, add: Add, acc: list[SSAValue], hint: str) -> list[SSAValue]:
    """Add up so many words, `unroll` of them in a round of a loop if there are as many, and what is left behind it."""

    def several(block: Value, state: list[SSAValue]) -> list[SSAValue]:
        for n in range(unroll):
            state = add(k.mul(block, unroll), n, state)
        return state

    acc = k.reduce_several("block", 0, count // unroll, acc, several, [hint] * len(acc))
    for word in range(count // unroll * unroll, count):
        acc = add(0, word, acc)
    return acc


class Stage:
    """A buffer of words `[pair][point]` for the points that run side by side, and the code that fills it."""

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan, points: int, *, with_totals: bool = False):
        """`points`: those of the space side by side, at most; `with_totals`: whether `totals` are asked for."""
        self._with_totals = with_totals
        self._is_short = Collect() in nest.steps
        """Whether there is one copy of the code for all places, in loops."""
        self._nest = nest
        self._k = k
        self._plan = plan
        self._access = nest.accesses("step_reads")[plan.staged.read]
        self.dims = nest.dims_of(self._access)
        """Dimensions on which the place of what is copied depends."""
        self._decided = decided_dims(nest, self._access)
        self._reads_words = plan.words_of_run > 0 and (not plan.step.both or lies_in_words(nest, plan.staged))
        self._both = BothPoints.of(nest, k, plan) if points == TILE_POINTS and not self._is_short else None
        self._run_dims = nest.folds[len(plan.outer) :]
        self._sides = leaving(nest, [self._access])
        clipping = {position for index, _ in self._sides for position in nest.form(index).positions()}
        self._clips_within_run = not clipping.isdisjoint(self._run_dims)
        element = self._access.type.element_type
        assert isinstance(element, IntegerType), "products are of integers"
        self._type = i32 if plan.step.lanes == 2 or plan.step.swar else IntegerType(element.width.data)
        words = SWAR.extent_of_fold(plan.pairs) if plan.step.swar else plan.pairs * points
        self.buffer = scratch(nest, self._type, words, "lanes")
        self.totals: list[SSAValue] = []
        """The sum of all elements of each point that `fill` has copied last, if they are asked for."""
        self._late: SSAValue | None = None

    def fill(self, loops: Sequence[Loop], point: Point) -> None:
        """Emit the copies for `point` and the points of those of jammed loops on which they depend."""
        # Words lie in the order of places, whatever the order in which their points run.
        loops = [replace(loop, reverse=False) for loop in loops if loop.dim in self.dims]
        width = math.prod(loop.extent for loop in loops)
        if self._both is not None and width == TILE_POINTS:
            self._fill_both(self._both, point, loops)
        else:
            point.each(loops, partial(self._fill_one, width=width))
        if self._plan.step.swar and SWAR.extent_of_fold(self._plan.pairs) > self._plan.pairs:
            # Its weight is zero, but it must be a number.
            self._k.store(self._k.value(0, i32), self.buffer, [self._plan.pairs])
        self.totals = [self._total(number, width) for number in range(width)] if self._with_totals else []

    def value(self, first: Value, place: int, number: int, width: int) -> SSAValue:
        """The word at a place of the round that begins at `first`: of one lane, the element."""
        k = self._k
        word = k.load(self.buffer, [k.add(k.mul(first, width), place * width + number)], f"x{number}")
        if self._plan.step.lanes == 2:
            return word
        signed = self._plan.staged.signed and not self._plan.step.unsigned
        return k.emit((arith.ExtSIOp if signed else arith.ExtUIOp)(word, i32))

    def _total(self, number: int, width: int) -> SSAValue:
        k, pairs = self._k, self._plan.pairs

        def add(first: Value, place: int, state: list[SSAValue]) -> list[SSAValue]:
            (total,) = state
            value = self.value(first, place, number, width)
            added = DualMultiplyAddOp(value, k.value(both_lanes(1), i32), total) if self._plan.step.lanes == 2 else None
            return [k.emit(added or arith.AddiOp(total, value), "total")]

        unroll = _LONGEST_LINE if pairs % _LONGEST_LINE == 0 else 1
        (total,) = over_words(k, pairs, unroll, add, [k.value(0, i32)], "total")
        return total

    def _fill_both(self, both: BothPoints, point: Point, jammed: Sequence[Loop]) -> None:
        """Two points at once where neither is clipped, else one after the other."""
        two = point.side_by_side(jammed)
        at_once = partial(both.emit, two, jammed, self.buffer, partial(self._packed, self._element))
        # Runs are tested one by one: few of them are inside all the same, and do not need code of their own.
        one = self._fill_one if self._clips_within_run else partial(self._copy, clips=True)
        one_by_one = partial(point.each, jammed, partial(one, width=TILE_POINTS))
        self._k.branch(both.are_inside(two, jammed), at_once, one_by_one)

    def _fill_one(self, point: Point, number: Value, width: int) -> None:
        plain, clipped = (partial(self._copy, point, number, width, clips=clips) for clips in (False, True))
        inside = is_inside(point, self._sides)
        # Short code is one for all places, unless nothing is clipped anywhere.
        self._k.branch(inside is True if self._is_short else inside, plain, clipped)

    def _copy(self, point: Point, number: Value, width: int, *, clips: bool) -> None:
        self._late, read = None, self._plan.staged.zero_point_read
        if clips and read is not None:
            (self._late,) = point.read("step_reads", only=[read])

        def run(point: Point, first: Value) -> None:
            words = partial(self._words, point, first, number, width)
            if not clips:
                words(self._read)
                return
            if self._clips_within_run:
                words(partial(self._packed, self._clipped_element), 1)
                return
            inside = is_point_inside(point.at(dict.fromkeys(self._run_dims, 0)), self._sides)
            self._k.branch(inside, partial(words, self._read), partial(words, self._zeros))

        outer = self._nest.folds[: len(self._plan.outer)]
        point.each(point.loops(outer, self._decided), run)

    def _words(self, point: Point, first: Value, number: Value, width: int, made: _Made, line: int = _LINE) -> None:
        """Store the words of a run, so many in a line; `made` gives those of fold points that belong together."""
        k, plan = self._k, self._plan
        pairs, lanes = plan.pairs_of_run, plan.step.lanes
        begin = k.mul(first, pairs)
        group = len(IN_WORD) // 2 if plan.words_of_run else 1
        of_words = group * plan.words_of_run
        points = plan.run_points()

        def store(pair: Value, places: Sequence[Sequence[Value]]) -> None:
            taps = [point.at(dict(zip(self._run_dims, place, strict=True))) for place in places]
            for n, value in enumerate(made(taps)):
                k.store(value, self.buffer, [k.add(k.mul(k.add(begin, k.add(pair, n)), width), number)])

        def in_line(first_pair: int) -> None:
            pair = first_pair
            while pair < pairs:
                several = group if pair < of_words else 1
                store(pair, points[lanes * pair : lanes * (pair + several)])
                pair += several

        longest = group if self._is_short else _LONGEST_LINE
        if len(plan.run) > 1 or pairs <= longest or self._run_dims.start in self._decided:
            in_line(0)
            return
        line = group if self._is_short else max(line, group)
        blocks = math.prod(plan.run) // lanes // line
        with k.loop("block", 0, blocks) as block:
            for n in range(0, line, group):
                pair = k.add(k.mul(block, line), n)
                place = k.mul(pair, lanes)
                store(pair, [[k.add(place, own)] for own in (IN_WORD if of_words else range(lanes))])
        in_line(blocks * line)

    def _read(self, taps: Sequence[Point]) -> list[SSAValue]:
        """The words of fold points that are inside of the operand."""
        k = self._k
        if not self._reads_words or len(taps) < len(IN_WORD):
            return self._packed(self._element, taps)
        if self._plan.by_words:
            place = taps[0].operands(self._access)
        else:
            # In a row of all bytes: a word may go on in the next row.
            buffer, index = flat(k, self._access.buffer, taps[0].indices(self._access.indices))
            place = buffer, [k.index(index)]
        word = k.emit(LoadBytesOp(*place), "bytes")
        words = [k.emit(unpack(word)) for unpack in UNPACKINGS[self._plan.staged.signed]]
        if not self._plan.step.both or not self._plan.staged.zero_point:
            return words
        zero_points = k.value(both_lanes(self._plan.staged.zero_point), i32)
        return [k.emit(DualSubtractOp(word, zero_points)) for word in words]

    def _packed(self, element: Callable[[Point], SSAValue], taps: Sequence[Point]) -> list[SSAValue]:
        k = self._k
        # Of two factors that are copied, both need a number that is paired with an odd last point.
        zero = [k.value(0, i32)] * (len(taps) % 2) if self._plan.step.both else []
        elements = [element(tap) for tap in taps] + zero
        if self._plan.step.lanes == 1:
            return elements
        pairs = [elements[n : n + 2] for n in range(0, len(elements), 2)]
        return [each[0] if len(each) == 1 else k.emit(PackOp(*each)) for each in pairs]

    def _zeros(self, taps: Sequence[Point]) -> list[SSAValue]:
        """The words of fold points that are outside."""
        k, words = self._k, -(-len(taps) // self._plan.step.lanes)
        if self._plan.step.lanes == 1:
            return [self._zero()] * words
        if self._late is None:
            return [k.value(both_lanes(self._plan.staged.zero_point), i32)] * words
        pair = self._zero()
        return [k.emit(PackOp(pair, pair), "zeros") for _ in range(words)]

    def _element(self, point: Point) -> SSAValue:
        k, factor = self._k, self._plan.staged
        value = k.load(*point.element(self._access), "value")
        if self._type == i32:
            wide = k.emit((arith.ExtSIOp if factor.signed else arith.ExtUIOp)(value, i32))
            return k.sub(wide, factor.zero_point if self._plan.step.both else 0)
        if not self._plan.raised:
            return value
        raised = k.add(k.extend(value), self._plan.raised)
        return k.narrow(raised, self._type)

    def _clipped_element(self, point: Point) -> SSAValue:
        """Read an element like `_element`, or the zero point where it is outside of the operand."""
        inside = is_point_inside(point, self._sides)
        return chosen(self._k, inside, lambda: self._element(point), self._zero)

    def _zero(self) -> SSAValue:
        """Return what stands in the place of an element that is outside."""
        k, zero, half = self._k, self._plan.zero_point, 1 << (self._type.width.data - 1)
        if self._late is not None:
            return k.narrow(k.add(self._late, zero), self._type)
        return k.value((zero + half) % (2 * half) - half, self._type)


class Direct:
    """Direct reads in place of `Stage`, for a fold that walks along bytes and meets nothing that is clipped."""

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan):
        self._nest = nest
        self._k = k
        self._access = nest.accesses("step_reads")[plan.staged.read]
        self._unpackings = UNPACKINGS[plan.staged.signed]
        self._point: Point | None = None
        self._word: SSAValue | None = None
        self.totals: list[SSAValue] = []
        """None: words of bytes are not raised."""

    def fill(self, loops: Sequence[Loop], point: Point) -> None:
        """Remember the place; there are no loops to run side by side."""
        self._point = point

    def value(self, first: Value, place: int, number: int, width: int) -> SSAValue:
        """The word of a pair of fold points; those at even places load the bytes of the next one, too."""
        k = self._k
        if place % 2:
            assert self._word is not None, "pairs come in order"
            return k.emit(self._unpackings[1](self._word), "x0")
        assert self._point is not None, "filled before the sums"
        *outer, last = self._nest.folds
        tap = self._point.at({**dict.fromkeys(outer, 0), last: k.add(k.mul(first, 2), 2 * place)})
        self._word = k.emit(LoadBytesOp(*tap.operands(self._access)), "bytes")
        return k.emit(self._unpackings[0](self._word), "x0")
