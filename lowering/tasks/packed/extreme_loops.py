"""The loops of a nest that finds extremes of bytes, four neighbours at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import (
    BYTES,
    LoadBytesOp,
    MaximumBytesOp,
    MaximumUnsignedBytesOp,
    MinimumBytesOp,
    MinimumUnsignedBytesOp,
    StoreBytesOp,
)
from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.packed import extreme_of
from ....dialects.task.syntax import Access
from ...builder import Loops
from ..dual.constants import Constants
from ..nest_loops import NestLoops
from ..parts import part_of
from ..point import Point
from ..whole_loops import WholeLoops

_KINDS = {
    (True, False): MaximumBytesOp,
    (False, False): MinimumBytesOp,
    (True, True): MaximumUnsignedBytesOp,
    (False, True): MinimumUnsignedBytesOp,
}


def splat(byte: int) -> int:
    """The i32 all four bytes of which are one, whatever its sign."""
    return int.from_bytes(bytes([byte & 0xFF] * BYTES), "little", signed=True)


def load_bytes(k: Loops, point: Point, access: Access) -> SSAValue:
    """Read four bytes side by side, the first of which is at a point."""
    buffer, at = part_of(access.buffer, point.places.indices(k, access.indices))
    return k.emit(LoadBytesOp(buffer, [k.index(index) for index in at]), "bytes")


def store_bytes(k: Loops, word: SSAValue, point: Point, access: Access) -> None:
    """Write four bytes side by side, the first of which is at a point."""
    at = [k.index(index) for index in point.places.indices(k, access.indices)]
    k.builder.insert(StoreBytesOp(word, access.buffer, at))


class ExtremeLoops(NestLoops):
    """Emits one nest: where four points run side by side, words are compared."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True):
        super().__init__(nest, k, clips=clips)
        self._find_bytes(nest)

    def _find_bytes(self, nest: NestOp) -> None:
        (jammed,) = (loop for loop in self._space if loop.form == "jam")
        found = extreme_of(nest, jammed.dim)
        assert found is not None, "verified: the fold finds extremes of bytes"
        self._extreme = found
        self._first: SSAValue | None = None
        """Bytes that the fold starts from, if nothing is less (or more) than that."""
        self._in_words = False

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        if len(points) != BYTES:
            super()._body(jammed, points, point)
            return
        k, extreme, first = self._k, self._extreme, points[0]
        start = k.value(splat(extreme.start), i32)
        ends = (0, 255) if extreme.unsigned else (-128, 127)
        self._first = start if extreme.start == ends[0 if extreme.is_maximum else 1] else None
        self._in_words = True
        (word,) = self._over_fold(self._fold, point, [first], [start])
        self._in_words = False
        for is_maximum, byte in extreme.limits:
            word = self._chosen(word, k.value(splat(byte), i32), is_maximum=is_maximum)
        (write,) = self._nest.accesses("writes")
        store_bytes(k, word, first, write)

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        if not self._in_words:
            return super()._step(point, points, acc)
        (read,) = self._nest.accesses("step_reads")
        word = load_bytes(self._k, point.beside(points[0]), read)
        return [word if acc[0] is self._first else self._chosen(acc[0], word, is_maximum=self._extreme.is_maximum)]

    def _chosen(self, a: SSAValue, b: SSAValue, *, is_maximum: bool) -> SSAValue:
        return self._k.emit(_KINDS[is_maximum, self._extreme.unsigned](a, b), "acc")


class WholeExtremeLoops(ExtremeLoops, WholeLoops):
    """Loops over extremes where the schedule has `whole`, too."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        WholeLoops.__init__(self, nest, k, constants)
        self._find_bytes(nest)
