"""The loops of a nest whose schedule has `expand`: start, every place of the fold and finish are a loop each."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Expand
from ...builder import Loops
from ..inline import inline
from ..nest_loops import NestLoops
from ..point import Point


class ExpandLoops(NestLoops):
    """Emits one nest: sums lie in local arrays while the fold runs outside of the loop over their points."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True):
        super().__init__(nest, k, clips=clips)
        step = nest.step_of(Expand)
        assert step is not None, "the schedule has the step"
        self._expanded = step.dim
        self._loop = self._space[-1]
        """The loop in the current block: the last one may have fewer points."""
        self._kept: list[SSAValue] = []
        """The local arrays, one for each accumulator."""

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        if len(loops) != 1:
            super()._over_space(loops, point)
            return
        k, (loop,) = self._k, loops
        self._loop = loop
        self._kept = [
            k.emit(memref.AllocaOp.get(value.type, shape=[self._size(loop.extent)]), "sums")
            for value in self._nest.accumulators
        ]
        with k.loop(loop.name, 0, loop.extent) as i:
            for buffer, value in zip(self._kept, self._start(point.entered(loop, i)), strict=True):
                k.store(value, buffer, [i])
        self._sum(point)
        with k.loop(loop.name, 0, loop.extent) as i:
            self._finish_at(point.entered(loop, i), [k.load(buffer, [i], "acc") for buffer in self._kept])

    def _size(self, points: int) -> int:
        """Elements of the arrays."""
        return points

    def _start(self, point: Point) -> list[SSAValue]:
        return self._run(self._nest.start, point, "start_reads", [])

    def _sum(self, point: Point) -> None:
        """Add what the fold gives."""
        self._over_fold(self._fold, point, [], [])

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        k, loop = self._k, self._loop
        with k.loop(loop.name, 0, loop.extent) as i:
            own = point.entered(loop, i)
            state = [k.load(buffer, [i], "acc") for buffer in self._kept]
            made = inline(self._step_region, k, own, [*own.read("step_reads"), *state])
            for value, buffer in zip(made, self._kept, strict=True):
                k.store(value, buffer, [i])
        return acc
