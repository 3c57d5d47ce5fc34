"""The loops of a nest whose schedule has `dual` with `both`: neither factor is constant, and both are copied."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ....dialects.task import NestOp
from ....dialects.task.dual import dims_of_read, dual_plan
from ....dialects.task.loop import Loop
from ...builder import Loops
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
        self._channels = Stage(nest, k, other, channels, is_short=self._collects)
        self._channel_dims = dims_of_read(nest, plan.packed.read)
        self._stage = Stage(nest, k, plan, points, is_short=self._collects)
        self._packed = Packed(PairWeights(plan), self._channels.buffer, {}, {}, None)
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
