"""The loops of nests that add up several bytes' products at once: sixteen with `lanes 16`, four with `expand d dots`.

Bytes are put side by side before the loops over channels where they do not lie so in memory, or some are clipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd.dots import CHANNELS, AddDotProductsOp, Runs, SumProductsOp
from ....dialects.simd.lanes import LANES
from ....dialects.task import NestOp
from ....dialects.task.join import run_of
from ....dialects.task.lanes import lanes_plan
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Expand
from ...builder import Loops
from ...constants import Constants
from ..array_loops import ExpandLoops
from ..conditions import leaving
from ..dual.layouts import DOTS, SIXTEENS
from ..dual.pack import check_packed, pack
from ..inline import inline
from ..point import Point
from .blocks import PRODUCT_READS
from .lane_loops import LaneLoops
from .line import Line, first_byte
from .window import runs_of


class ProductLoops(LaneLoops):
    """Emits one nest whose schedule has `lanes 16`: sums of four channels in one instruction."""

    _groups = PRODUCT_READS

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
        k, start, count = self._k, self._nest.start, self._plan.pairs
        if self._line is None:
            bytes, first = first_byte(point, self._access)
        else:
            bytes, first, count = self._line.buffer, 0, self._line.size
        weights = k.index(self._packed.begin(point))
        starts = [self._packed.start(own, *inline(start, own, own.read("start_reads"))) for own in self._channels]
        starts += [k.value(0, i32)] * (LANES - len(starts))
        return [k.emit(SumProductsOp(bytes, k.index(first), self._packed.words, weights, starts, count=count), "sums")]


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
        self._gathers = self._from_line = found is None
        self._waiting = [*self._waiting, self._copied(plan.staged_dims, self._fill)]

    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        self._from_line = True
        self._over_space(loops, point)
        self._from_line = False

    def _fill(self, loops: Sequence[Loop], point: Point) -> None:
        if self._line is not None and self._from_line:
            self._line.fill(point, is_outside=not self._gathers)

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
        if self._line is not None and self._from_line:
            bytes, first = self._line.buffer, 0
            window = replace(window, steps=(prod(window.extents[1:]) * window.padded, window.padded))
        else:
            bytes, first = first_byte(point, self._access)
        k.builder.insert(AddDotProductsOp(bytes, k.index(first), self._packed.words, weights, sums, **vars(window)))
