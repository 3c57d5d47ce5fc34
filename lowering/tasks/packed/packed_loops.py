"""The loops of a nest without a fold that reads four neighbouring bytes as a word."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument

from ....dialects.simd import BYTES
from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.packed import moves_bytes, word_reads
from ...builder import Loops
from ..nest_loops import NestLoops
from ..point import Point
from .extreme_loops import load_bytes, store_bytes
from .lanes_of_bytes import LanesOfBytes


class PackedLoops(NestLoops):
    """Emits one nest: where four points run side by side, words are taken apart into what is computed of them.

    Where nothing is computed they are stored as they are.
    """

    def __init__(self, nest: NestOp, k: Loops):
        super().__init__(nest, k)
        (jammed,) = (loop for loop in self._space if loop.form == "jam")
        self._moves = moves_bytes(nest, jammed.dim)
        self._reads_late = word_reads(nest, "finish_reads", jammed.dim)

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        if len(points) != BYTES:
            super()._body(jammed, points, point)
            return
        if self._moves:
            self._move(points[0])
            return
        lanes = LanesOfBytes(self._nest, self._k, self._reads_late, points)
        for number, own in enumerate(points):
            written = lanes.results_at(number)
            for value, access in zip(written, self._nest.accesses("writes"), strict=True):
                self._k.store(value, access.buffer, own.places.indices(self._k, access.indices))

    def _move(self, first: Point) -> None:
        """Four bytes each."""
        k, reads = self._k, self._nest.accesses("finish_reads")
        given = self._nest.terminator(self._nest.finish).values
        for value, write in zip(given, self._nest.accesses("writes"), strict=True):
            assert isinstance(value, BlockArgument), "it is read"
            store_bytes(k, load_bytes(k, first, reads[value.index]), first, write)
