"""The loops of a nest whose schedule has `dual` with `both`: neither factor is constant, and both are copied."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import DualSubtractOp, PackOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan, dims_of_read, dual_plan, lies_in_words
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ..nest_loops import NestLoops
from ..point import Point
from .dual_loops import DualLoops
from .pack import Packed
from .stage import Stage
from .tile import is_tile
from .weights import PairWeights


class BothLoops(DualLoops):
    """Copies the factor that outer loops walk along once for each block of channels, and inside it the other one."""

    def __init__(self, nest: NestOp, k: Loops):
        NestLoops.__init__(self, nest, k, clips=False)
        self._plan = plan = dual_plan(nest)
        jammed = [loop for loop in self._space if loop.form == "jam"]
        points = math.prod(loop.extent for loop in jammed if loop.dim in plan.staged_dims)
        channels = math.prod(loop.extent for loop in jammed if loop.dim not in plan.staged_dims)
        self._has_tiles = is_tile(plan, channels, points)
        # Roles change, the order of fold points stays.
        other = replace(plan, staged=plan.packed, packed=plan.staged)
        self._channels = _LessZeroPoint(nest, k, other, channels, is_short=self._collects)
        self._channel_dims = dims_of_read(nest, plan.packed.read)
        self._stage = _LessZeroPoint(nest, k, plan, points, is_short=self._collects)
        self._packed = _InPlace(PairWeights(plan), self._channels.buffer, {}, {}, None)
        self._is_staged = self._has_channels = False

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        mine = [loop for loop in loops if loop.dim in self._channel_dims]
        if self._has_channels or any(loop.form != "jam" for loop in mine):
            super()._over_space(loops, point)
            return
        self._has_channels = True
        self._channels.fill(point, mine)
        super()._over_space(loops, point)
        self._has_channels = False


class _InPlace(Packed):
    """Words that are there for one block of channels at a time."""

    def begin(self, k: Loops, point: Point) -> Value:
        return 0


class _LessZeroPoint(Stage):
    """Stage of elements less their zero point; what an odd last point is paired with is zero."""

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan, points: int, *, is_short: bool):
        super().__init__(nest, k, plan, points, is_short=is_short)
        self._reads_words = plan.by_words and lies_in_words(nest, plan.staged)
        zero_point = plan.staged.zero_point & 0xFFFF
        self._zero_points = int.from_bytes(zero_point.to_bytes(2, "little") * 2, "little", signed=True)

    def _read(self, taps: Sequence[Point]) -> list[SSAValue]:
        if not self._reads_words:
            return self._packed(self._element, taps)
        words = super()._read(taps)
        if not self._zero_points:
            return words
        return [self._k.emit(DualSubtractOp(word, self._k.value(self._zero_points, i32))) for word in words]

    def _packed(self, element: Callable[[Point], SSAValue], taps: Sequence[Point]) -> list[SSAValue]:
        zero = self._k.value(0, i32)
        elements = [element(tap) for tap in taps] + [zero] * (len(taps) % 2)
        return [self._k.emit(PackOp(*elements[n : n + 2])) for n in range(0, len(elements), 2)]

    def _element(self, point: Point) -> SSAValue:
        value = super()._element(point)
        zero_point = self._plan.staged.zero_point
        return self._k.value(self._k.sub(value, zero_point), i32) if zero_point else value
