"""The loops of a nest whose schedule has `lanes 16`: sums of sixteen products an instruction, four channels at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import LANES
from ....dialects.simd.dots import SumProductsOp
from ....dialects.task import NestOp
from ....dialects.task.lanes import lanes_plan, run_of
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ..dual.constants import Constants
from ..dual.pack import pack
from ..inline import inline
from ..inside import leaving
from ..point import Point
from .blocks import PRODUCT_READS
from .lane_loops import LaneLoops
from .line import Line, first_byte
from .weights import SixteenWeights


class ProductLoops(LaneLoops):
    """Emits one nest: bytes are put side by side before the loops over channels, unless they lie so in memory."""

    _groups = PRODUCT_READS

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Make the packed constants, which take the place of those that are passed."""
        super().__init__(nest, k, constants, clips=False)
        self._plan = lanes_plan(nest)
        self._packed = pack(nest, self._plan, self._space, constants, SixteenWeights(self._plan))
        self._access = nest.accesses("step_reads")[self._plan.staged.read]
        is_line = run_of(nest, self._access) < len(nest.fold.data) or bool(leaving(nest, [self._access]))
        self._line = Line(nest, k, self._plan) if is_line else None
        self._is_staged = self._line is None
        self._channels: list[Point] = []
        """The points of the lanes."""

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

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        (loop,) = jammed
        self._channels = [point.entered(loop, i) for i in range(loop.extent)]
        super()._side_by_side(jammed, point)

    def _sums(self, point: Point) -> list[SSAValue]:
        k, bytes, first, count = self._k, *self._bytes(point)
        weights = k.index(self._packed.begin(k, point))
        starts = [self._start(own) for own in self._channels]
        starts += [k.value(0, i32)] * (LANES - len(starts))
        return [k.emit(SumProductsOp(bytes, k.index(first), self._packed.words, weights, starts, count=count), "sums")]

    def _start(self, channel: Point) -> SSAValue:
        """Return the start of a channel's sum."""
        (start,) = inline(self._nest.start, self._k, channel, channel.read("start_reads"))
        return self._packed.start(self._k, channel, start)

    def _bytes(self, point: Point) -> tuple[SSAValue, Value, int]:
        """Return the place of all fold points' bytes, and how many there are."""
        if self._line is not None:
            return self._line.buffer, 0, self._line.size
        return *first_byte(self._k, self._nest, self._access, point), self._plan.pairs
