"""The loops of a nest whose schedule has `lanes`: one point of the jammed dimension stands for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue

from ....dialects.simd.lanes import LANES
from ....dialects.simd.moves import LoadLanesOp, StoreLanesOp
from ....dialects.task import NestOp
from ....dialects.task.lanes import lane_axis
from ....dialects.task.loop import Loop
from ....dialects.task.syntax import Access
from ...builder import Loops
from ...constants import Constants
from ..nest_loops import jammed_of
from ..point import Point, part_of
from ..whole_loops import WholeLoops
from .blocks import LANE_READS, arrange, blocks_of
from .lane_region import as_lanes, inline_lanes
from .window import ChannelWindow


class LaneLoops(WholeLoops):
    """Emits one nest: regions compute with vectors, each lane at a place of its own."""

    _groups: tuple[str, ...] = LANE_READS
    """Operands that are read in lanes."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        blocks_of(nest, jammed_of(loops).dim, cls._groups, constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Arrange constants in the order of their use."""
        super().__init__(nest, k, constants)
        self._reads_late = range(len(nest.finish_reads))
        self._count, self._lane = self._jammed.extent, self._jammed.dim
        """Lanes that are points of the nest: fewer at the end of a dimension."""
        self._blocks = arrange(nest, self._lane, self._groups, constants)
        if any(access.buffer in self._blocks and len(access.indices) > 1 for access in nest.accesses("start_reads")):
            self._starts = None
        self._window = ChannelWindow.of(nest, self._lane, self._blocks) if self._splits else None
        """What one operation adds up where nothing is clipped, zero points taken off."""
        if self._window is not None and self._window.zero_point and self._starts is None:
            self._window = None

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        k, (loop,) = self._k, jammed
        self._count = loop.extent
        first = point.entered(loop, 0)
        results = self._sums(first) if self._nest.fold.data else []
        written = self._run(self._nest.finish, first, "finish_reads", results)
        for value, access in zip(written, self._nest.accesses("writes"), strict=True):
            k.builder.insert(StoreLanesOp(as_lanes(k, value), *first.operands(access), count=self._count))

    def _sums(self, point: Point) -> list[SSAValue]:
        """Start and fold."""
        initial = [as_lanes(self._k, value) for value in self._start_at(point)]
        if self._window is not None and self._is_whole and self._count == LANES:
            return [self._window.emit(point, *initial)]
        return self._over_fold(self._fold, point, [point], initial)

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        made = self._run(self._step_region, point, "step_reads", acc)
        return [as_lanes(self._k, value) for value in made]

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        reads = zip(self._nest.accesses(group), region.block.args, strict=False)
        values = [self._read(access, argument, point) for access, argument in reads]
        return inline_lanes(region, point, [*values, *acc])

    def _start_from(self, access: Access, point: Point) -> SSAValue:
        return self._read(access, self._nest.start.block.args[0], point)

    def _read(self, access: Access, argument: SSAValue, point: Point) -> SSAValue:
        """Read for a region: a vector if every lane reads at a place of its own."""
        k, hint = self._k, argument.name_hint
        unsigned = any(isinstance(use.operation, arith.ExtUIOp) for use in argument.uses)
        at = point.indices(access.indices)
        if (blocks := self._blocks.get(access.buffer)) is not None:
            place = k.index(blocks.place(k, at))
            return k.emit(LoadLanesOp(access.buffer, [place], count=LANES, unsigned=unsigned), hint)
        buffer, at = part_of(access.buffer, at)
        if lane_axis(self._nest, access, self._lane) is None:
            return k.load(buffer, at, hint)
        return k.emit(LoadLanesOp(buffer, [k.index(i) for i in at], count=self._count, unsigned=unsigned), hint)
