"""The loops of a nest whose schedule has `lanes`: one point of the jammed dimension stands for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue

from ....dialects.simd import LANES
from ....dialects.simd.moves import LoadLanesOp, StoreLanesOp
from ....dialects.task import NestOp
from ....dialects.task.lanes import lane_axis
from ....dialects.task.loop import Loop
from ....dialects.task.syntax import Access
from ...builder import Loops
from ..dual.constants import Constants
from ..nest_loops import NestLoops
from ..parts import part_of
from ..point import Point
from ..whole_loops import WholeLoops
from .blocks import LANE_READS, arrange
from .lane_region import as_lanes, inline_lanes
from .window import ChannelWindow


class LaneLoops(NestLoops):
    """Emits one nest: regions compute with vectors, each lane at a place of its own."""

    _reads_early = False
    _groups: tuple[str, ...] = LANE_READS
    """Operands that are read in lanes."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants, *, clips: bool = True):
        """Arrange constants in the order of their use."""
        super().__init__(nest, k, clips=clips)
        self._find_lanes(nest, constants)

    def _find_lanes(self, nest: NestOp, constants: Constants) -> None:
        (jammed,) = (loop for loop in self._space if loop.form == "jam")
        self._lane = jammed.dim
        self._blocks = arrange(nest, jammed.dim, self._groups, constants)
        self._count = jammed.extent
        """Lanes that are points of the nest: fewer at the end of a dimension."""

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        (loop,) = jammed
        before, self._count = self._count, loop.extent
        first = point.entered(loop, 0)
        self._body(jammed, [first], first)
        self._count = before

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        k = self._k
        results = self._sums(point) if self._nest.fold.data else []
        written = self._run(self._nest.finish, point, "finish_reads", results)
        for value, access in zip(written, self._nest.accesses("writes"), strict=True):
            at = [k.index(index) for index in point.places.indices(k, access.indices)]
            k.builder.insert(StoreLanesOp(as_lanes(k, value), access.buffer, at, count=self._count))

    def _sums(self, point: Point) -> list[SSAValue]:
        """Start and fold."""
        initial = self._run(self._nest.start, point, "start_reads", [])
        return self._over_fold(self._fold, point, [point], [as_lanes(self._k, value) for value in initial])

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        made = self._run(self._step_region, point, "step_reads", acc)
        return [as_lanes(self._k, value) for value in made]

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        accesses = self._nest.accesses(group)
        arguments = region.block.args[: len(accesses)]
        values = [self._read(access, argument, point) for access, argument in zip(accesses, arguments, strict=True)]
        return inline_lanes(region, self._k, point, [*values, *acc])

    def _read(self, access: Access, argument: SSAValue, point: Point) -> SSAValue:
        """Read for a region: a vector if every lane reads at a place of its own."""
        k, buffer = self._k, access.buffer
        unsigned = any(isinstance(use.operation, arith.ExtUIOp) for use in argument.uses)
        at, hint = point.places.indices(k, access.indices), argument.name_hint
        if (blocks := self._blocks.get(buffer)) is not None:
            place = k.index(blocks.place(k, at))
            return k.emit(LoadLanesOp(buffer, [place], count=LANES, unsigned=unsigned), hint)
        buffer, at = part_of(buffer, at)
        if lane_axis(self._nest, access, self._lane) is None:
            return k.load(buffer, at, hint)
        return k.emit(LoadLanesOp(buffer, [k.index(i) for i in at], count=self._count, unsigned=unsigned), hint)


class WholeLaneLoops(LaneLoops, WholeLoops):
    """Loops over lanes where the schedule has `whole`, too."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Initialise both bases."""
        WholeLoops.__init__(self, nest, k, constants)
        self._find_lanes(nest, constants)
        starts = nest.accesses("start_reads")
        if any(access.buffer in self._blocks and len(access.indices) > 1 for access in starts):
            self._starts = None
        found = ChannelWindow.of(nest, self._lane, self._blocks)
        self._window = found if found is not None and (self._starts is not None or not found.zero_point) else None

    def _sums(self, point: Point) -> list[SSAValue]:
        if self._window is None or not self._is_whole or self._count < LANES:
            return super()._sums(point)
        (start,) = self._run(self._nest.start, point, "start_reads", [])
        return [self._window.emit(self._k, point, as_lanes(self._k, start))]

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        if self._starts is None or not self._is_whole or region is not self._nest.start:
            return super()._run(region, point, group, acc)
        (access,) = self._nest.accesses(group)
        return [self._read(replace(access, buffer=self._starts), region.block.args[0], point)]
