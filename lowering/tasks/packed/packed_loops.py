"""The loops of a nest without a fold that reads four neighbouring bytes as a word."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.simd import BYTES
from ....dialects.task import NestOp
from ....dialects.task.loops import Loop
from ....dialects.task.packed import word_reads
from ...builder import Loops
from ..nest_loops import NestLoops
from ..point import Point
from .lanes_of_bytes import LanesOfBytes


class PackedLoops(NestLoops):
    """Emits one nest: where four points run side by side, words are taken apart into what is computed of them."""

    def __init__(self, nest: NestOp, k: Loops):
        super().__init__(nest, k)
        (jammed,) = (loop for loop in self._space if loop.form == "jam")
        self._reads_late = word_reads(nest, "finish_reads", jammed.dim)

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        if len(points) != BYTES:
            super()._body(jammed, points, point)
            return
        lanes = LanesOfBytes(self._nest, self._k, self._reads_late, points)
        for number, own in enumerate(points):
            written = lanes.results_at(number)
            for value, access in zip(written, self._nest.accesses("writes"), strict=True):
                self._k.store(value, access.buffer, own.places.indices(self._k, access.indices))
