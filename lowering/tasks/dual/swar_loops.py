"""The loops of a nest whose schedule has `swar`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import i32

from ....dialects.simd import SWAR_CHANNELS, SwarProductsOp
from ....dialects.task.loop import Loop
from ..point import Point
from .dual_loops import DualLoops
from .stage import Stage
from .weights import swar_points


class SwarLoops(DualLoops):
    """Emits one nest: words of one element before the loops over channels, then one operation for four of these."""

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        k = self._k
        begin = self._packed.begin(k, points[0])
        sums = k.emit(memref.AllocaOp.get(i32, shape=[SWAR_CHANNELS]), "sums")
        starts = [self._start(own) for own in points]
        starts += [k.value(0, i32)] * (SWAR_CHANNELS - len(starts))
        for n, start in enumerate(starts):
            k.store(start, sums, [n])
        assert isinstance(self._stage, Stage), "nothing but `dual` is read directly"
        words, count = self._packed.words, swar_points(self._plan)
        k.builder.insert(SwarProductsOp(self._stage.buffer, k.index(0), count, words, k.index(begin), sums))
        results = [k.load(sums, [n], "acc") for n in range(len(points))]
        results = self._less_zero_points(points, range(len(points)), results)
        if self._collects and len(points) > 1:
            self._finish_in_loops(jammed, point, [[one] for one in results])
            return
        for n, own in enumerate(points):
            self._finish(own, [n], points, results)
