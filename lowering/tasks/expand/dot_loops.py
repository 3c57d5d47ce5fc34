"""The loops of a nest whose schedule has `expand d dots`: runs of the fold are operations on an array of sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd.dots import CHANNELS, AddDotProductsOp, Runs
from ....dialects.task import NestOp
from ....dialects.task.lanes import lanes_plan
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ..decided_loops import DecidedLoops
from ..dual.constants import Constants
from ..dual.pack import pack
from ..inside import leaving
from ..lanes.line import Line, first_byte
from ..lanes.weights import DotWeights
from ..point import Point
from .expand_loops import ExpandLoops
from .window import window_of


class DotLoops(DecidedLoops, ExpandLoops):
    """Emits one nest: what is clipped, or lies in short pieces, is put side by side before the loops over channels."""

    _tells_compilers = True

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Make the packed constants, which take the place of those that are passed."""
        super().__init__(nest, k, clips=False)
        self._plan = lanes_plan(nest)
        self._access = nest.accesses("step_reads")[self._plan.staged.read]
        found = window_of(nest, self._access)
        self._window = Runs((1, 1), (0, 0), self._plan.pairs) if found is None else found
        weights = DotWeights(self._plan, self._window.count)
        self._packed = pack(nest, self._plan, self._space, constants, weights, block=CHANNELS)
        needs_line = found is None or bool(leaving(nest, [self._access]))
        run = self._inner_dims(), self._window.padded
        self._line = Line(nest, k, self._plan, run) if needs_line else None
        self._gathers = self._is_decided = self._from_line = found is None
        self._is_filled = False

    def _inner_dims(self) -> int:
        """Innermost fold dimensions of a run."""
        folds, inner = self._nest.extents[len(self._nest.space.data) :], 0
        while prod(folds[len(folds) - inner :]) < self._window.count:
            inner += 1
        return inner

    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        self._over_space(loops, point)

    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        self._from_line = True
        self._over_space(loops, point)
        self._from_line = False

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        is_known = not any(loop.dim in self._plan.staged_dims for loop in loops)
        if not self._from_line or self._is_filled or not is_known:
            super()._over_space(loops, point)
            return
        assert self._line is not None, "bytes are read from it"
        self._is_filled = True
        self._line.fill(point, is_outside=not self._gathers)
        super()._over_space(loops, point)
        self._is_filled = False

    def _size(self, points: int) -> int:
        return -(-points // CHANNELS) * CHANNELS

    def _start(self, point: Point) -> list[SSAValue]:
        (start,) = super()._start(point)
        return [self._packed.start(self._k, point, start)]

    def _sum(self, point: Point) -> None:
        k, (sums,), extent = self._k, self._kept, self._loop.extent
        if extent < self._size(extent):
            with k.loop("filled", extent, self._size(extent)) as i:
                k.store(k.value(0, i32), sums, [i])
        weights = k.index(self._packed.begin(k, point.entered(self._loop, 0)))
        bytes, first, window = self._line_bytes() if self._from_line else self._bytes(point)
        k.builder.insert(AddDotProductsOp(bytes, k.index(first), self._packed.words, weights, sums, **vars(window)))

    def _line_bytes(self) -> tuple[SSAValue, Value, Runs]:
        """Return the place of all fold points' bytes once they were copied."""
        assert self._line is not None, "bytes are read from it"
        padded = self._window.padded
        return self._line.buffer, 0, replace(self._window, steps=(prod(self._window.extents[1:]) * padded, padded))

    def _bytes(self, point: Point) -> tuple[SSAValue, Value, Runs]:
        """Return the place of all fold points' bytes where they are not copied."""
        return *first_byte(self._k, self._nest, self._access, point), self._window
