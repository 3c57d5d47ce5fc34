"""The loops of a nest whose schedule has `lanes 16`: sums of sixteen products an instruction, four channels at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.simd import LanesAddOp
from ....dialects.simd.lane_memory import LoadLanesOp
from ....dialects.simd.sixteen import SumProductsOp
from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.lanes import lanes_plan, run_of
from ....dialects.task.loops import Loop
from ...builder import Loops, Value
from ..dual.constants import Constants
from ..dual.pack import pack
from ..inside import leaving
from ..parts import part_of
from ..point import Point
from .flat import flat
from .lane_loops import LaneLoops
from .lane_region import as_lanes
from .line import Line
from .weights import SixteenWeights


class ProductLoops(LaneLoops):
    """Emits one nest: bytes side by side before the loops over channels, unless they lie so in memory, then products."""

    _groups = ("start_reads", "finish_reads")

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Make the packed constants, which take the place of those that are passed.

        Raises:
            ValueError: the factor to pack is not a constant.
        """
        super().__init__(nest, k, constants, clips=False)
        self._plan = lanes_plan(nest)
        self._packed = pack(nest, self._plan, self._space, constants, SixteenWeights(self._plan))
        self._access = nest.accesses("step_reads")[self._plan.staged.read]
        is_line = run_of(nest, self._access) < len(nest.fold.data) or bool(leaving(nest, [self._access]))
        self._line = Line(nest, k, self._plan) if is_line else None
        self._is_staged = self._line is None

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        staged = self._plan.staged_dims
        if self._is_staged or any(loop.dim in staged for loop in loops):
            super()._over_space(loops, point)
            return
        assert self._line is not None, "what lies side by side needs no copy"
        self._is_staged = True
        self._line.fill(point)
        super()._over_space(loops, point)
        self._is_staged = False

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        k, packed, (start,) = self._k, self._packed, acc
        if packed.sums is not None:
            channel = point.places.value(k, Linear(tuple(packed.strides.items()), 0))
            more = k.emit(LoadLanesOp(packed.sums, [k.index(channel)], self._count), "sum")
            start = k.emit(LanesAddOp(as_lanes(k, start), more))
        bytes, first, count = self._bytes(point)
        weights = k.index(packed.begin(k, point))
        return [k.emit(SumProductsOp(bytes, k.index(first), count, packed.words, weights, start), "sums")]

    def _bytes(self, point: Point) -> tuple[SSAValue, Value, int]:
        """Where the bytes of all fold points lie, and how many there are."""
        if self._line is not None:
            return self._line.buffer, 0, self._line.size
        inner, nest = point.child(), self._nest
        for dim in range(len(nest.space.data), len(nest.extents)):
            inner.places.put(dim, 0)
        inner.advance()
        indices = inner.places.indices(self._k, self._access.indices)
        return *flat(self._k, *part_of(self._access.buffer, indices)), self._plan.pairs
