"""The loops of nests that add up several bytes' products at once: sixteen with `lanes 16`, four with `expand d dots`.

Bytes are put side by side before the loops over channels where they do not lie so in memory, or some are clipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import prod

from xdsl.dialects.builtin import i8, i32
from xdsl.ir import SSAValue

from ....dialects.simd.dots import CHANNELS, AddDotProductsOp, Runs, SumProductsOp
from ....dialects.simd.lanes import LANES, SIXTEEN, SixteenOfOp
from ....dialects.simd.moves import LoadSixteenOp, StoreSixteenOp
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.join import decided_dims, run_of
from ....dialects.task.lanes import lanes_plan
from ....dialects.task.loop import Loop
from ....dialects.task.steps import Expand, Lanes
from ....dialects.task.syntax import Access
from ...builder import Loops, Value, flat
from ...constants import Constants
from ..array_loops import ExpandLoops
from ..conditions import is_inside, is_point_inside, leaving
from ..dual.layouts import DOTS, SIXTEENS
from ..dual.pack import check_packed, pack
from ..function_block import scratch
from ..inline import inline
from ..nest_loops import carries_out
from ..point import Point
from .lane_loops import LaneLoops
from .window import runs_of

_MOST_IN_LINE = 4
"""Pieces, and vectors of one, that are copied one after the other, without a loop."""


class Line:
    """What one point of a nest reads, side by side in the order of its fold: a buffer, and the code that fills it.

    It is of bytes, a multiple of sixteen; what is clipped is the zero point.
    """

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan, run: tuple[int, int] | None = None):
        """Allocate the buffer outside of all loops, and fill what the fold does not reach.

        Args:
            nest: the nest.
            k: emits.
            plan: which of its factors is copied.
            run: innermost fold dimensions, and the bytes after which their next ones begin; by default all bytes lie
                without gaps, and what the last sixteen lack is zero.
        """
        self._nest, self._k, self._plan = nest, k, plan
        self._access = nest.accesses("step_reads")[plan.staged.read]
        self._sides = leaving(nest, [self._access])
        extents = [nest.extents[d] for d in nest.folds]
        inner, stride = (len(extents), plan.pairs) if run is None else run
        outer = extents[: len(extents) - inner]
        strides = [*(n * stride for n in row_major(outer)), *row_major(extents[len(outer) :])]
        self._strides = dict(zip(nest.folds, strides, strict=True))
        """Bytes of the buffer from one point of a fold dimension to the next."""
        self.size = -(-prod(outer) * stride // SIXTEEN) * SIXTEEN
        self.buffer = scratch(nest, i8, self.size, "line")
        if run is None and self.size > plan.pairs:
            zeros = k.emit(SixteenOfOp(byte=0), "zeros")
            k.builder.insert(StoreSixteenOp(zeros, self.buffer, [k.index(plan.pairs)], count=self.size - plan.pairs))

    def fill(self, point: Point, *, is_outside: bool = False) -> None:
        """Emit the copies for a point; `is_outside` says that something is clipped there."""
        plain, clipped = (partial(self._copies, point, clips=clips) for clips in (False, True))
        inside = False if is_outside else is_inside(point, self._sides)
        self._k.branch(inside, plain, clipped)

    def _copies(self, point: Point, *, clips: bool) -> None:
        """Copy what lies side by side in memory at once, or zero points."""
        forms = [self._nest.form(index) for index, _ in self._sides] if clips else []
        clipping = frozenset(position for form in forms for position in form.positions())
        folds = self._nest.folds
        outer = len(folds) - run_of(self._nest, self._access, without=clipping)
        dims, inner = folds[:outer], folds[outer:]
        is_short = not clips and prod(self._nest.extents[d] for d in dims) <= _MOST_IN_LINE
        written_out = dims if is_short else decided_dims(self._nest, self._access)
        copy = partial(self._piece, inner, clips=clips)
        point.each(point.loops(dims, written_out), copy, strides=self._strides)

    def _piece(self, dims: Sequence[int], point: Point, first: Value, *, clips: bool) -> None:
        k, inner, count = self._k, point.at(dict.fromkeys(dims, 0)), prod(self._nest.extents[d] for d in dims)

        def store(value: Callable[[Value, int], SSAValue]) -> None:
            for at, size in self._vectors(count):
                k.builder.insert(StoreSixteenOp(value(at, size), self.buffer, [k.index(k.add(first, at))], count=size))

        def copy() -> None:
            bytes, begin = flat(k, *inner.element(self._access))
            store(lambda at, size: k.emit(LoadSixteenOp(bytes, [k.index(k.add(begin, at))], count=size), "bytes"))

        def fill() -> None:
            value = k.emit(SixteenOfOp(byte=self._plan.staged.zero_point), "zeros")
            store(lambda at, size: value)

        k.branch(is_point_inside(inner, self._sides) if clips else True, copy, fill)

    def _vectors(self, count: int) -> Iterator[tuple[Value, int]]:
        """Return the beginnings of vectors that cover so many bytes, each with its bytes; the last may overlap."""
        whole, rest = divmod(count, SIXTEEN)
        if whole > _MOST_IN_LINE:
            with self._k.loop("vector", 0, whole) as number:
                yield self._k.mul(number, SIXTEEN), SIXTEEN
        else:
            yield from ((n * SIXTEEN, SIXTEEN) for n in range(whole))
        if rest:
            yield (count - SIXTEEN, SIXTEEN) if whole else (0, rest)


def first_byte(point: Point, access: Access, line: Line | None) -> tuple[SSAValue, Value]:
    """The bytes that an access reads, of a line or where they lie, and where its first fold point lies among them."""
    if line is not None:
        return line.buffer, 0
    return flat(point.k, *point.at(dict.fromkeys(point.nest.folds, 0)).element(access))


@carries_out(Lanes, lambda step, nest: step.sixteen)
class ProductLoops(LaneLoops):
    """Emits one nest whose schedule has `lanes 16`: sums of four channels in one instruction."""

    _groups = ("finish_reads",)

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        check_packed(nest, lanes_plan(nest), "lanes 16", constants)
        super().check(nest, loops, constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._plan = plan = lanes_plan(nest)
        self._packed = pack(nest, k, plan, constants, self._space, SIXTEENS)
        self._access = nest.accesses("step_reads")[plan.staged.read]
        is_line = run_of(nest, self._access) < len(nest.fold.data) or bool(leaving(nest, [self._access]))
        self._line = line = Line(nest, k, plan) if is_line else None
        if line is not None:
            self._waiting = [self._copied(plan.staged_dims, lambda loops, point: line.fill(point))]
        self._channels: list[Point] = []
        """The points of the lanes."""

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        self._channels = point.side_by_side(jammed)
        super()._side_by_side(jammed, point)

    def _sums(self, point: Point) -> list[SSAValue]:
        k, start, line = self._k, self._nest.start, self._line
        bytes, first = first_byte(point, self._access, line)
        count = self._plan.pairs if line is None else line.size
        weights = k.index(self._packed.begin(point))
        starts = [self._packed.start(own, *inline(start, own, own.read("start_reads"))) for own in self._channels]
        starts += [k.value(0, i32)] * (LANES - len(starts))
        return [k.emit(SumProductsOp(bytes, k.index(first), self._packed.words, weights, starts, count=count), "sums")]


@carries_out(Expand, lambda step, nest: step.dots)
class DotLoops(ExpandLoops):
    """Emits one nest whose schedule has `expand d dots`: runs of the fold are operations on an array of sums."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        check_packed(nest, lanes_plan(nest), str(nest.step_of(Expand)), constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._plan = plan = lanes_plan(nest)
        self._access = nest.accesses("step_reads")[plan.staged.read]
        found = runs_of(nest, self._access)
        self._window = Runs((1, 1), (0, 0), plan.pairs) if found is None else found
        self._waiting = [] if found is None else [self._decision(self._over_space, self._clipped, is_likely=True)]
        layout = replace(DOTS, runs=max(plan.pairs // max(self._window.count, 1), 1))
        self._packed = pack(nest, k, plan, constants, self._space, layout, block=CHANNELS)
        needs_line = found is None or bool(leaving(nest, [self._access]))
        run = len(nest.fold.data) if found is None else run_of(nest, self._access)
        self._line = Line(nest, k, plan, (run, self._window.padded)) if needs_line else None
        self._read_from = self._line if found is None else None
        """Where bytes are read at the points whose code is emitted; None where that is where they lie."""
        self._waiting = [*self._waiting, self._copied(plan.staged_dims, partial(self._fill, found is not None))]

    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        self._read_from = self._line
        self._over_space(loops, point)
        self._read_from = None

    def _fill(self, is_outside: bool, loops: Sequence[Loop], point: Point) -> None:
        if self._read_from is not None:
            self._read_from.fill(point, is_outside=is_outside)

    def _size(self, points: int) -> int:
        return -(-points // CHANNELS) * CHANNELS

    def _start_at(self, point: Point) -> list[SSAValue]:
        return [self._packed.start(point, *super()._start_at(point))]

    def _sum(self, point: Point) -> None:
        k, (sums,), (loop,), window = self._k, self._sums, self._over, self._window
        if loop.extent < self._size(loop.extent):
            with k.loop("filled", loop.extent, self._size(loop.extent)) as i:
                k.store(k.value(0, i32), sums, [i])
        weights = k.index(self._packed.begin(point.entered(loop, 0)))
        bytes, first = first_byte(point, self._access, self._read_from)
        if self._read_from is not None:
            window = replace(window, steps=(prod(window.extents[1:]) * window.padded, window.padded))
        k.builder.insert(AddDotProductsOp(bytes, k.index(first), self._packed.words, weights, sums, **vars(window)))
