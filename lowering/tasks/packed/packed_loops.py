"""The loops of nests whose schedule has `packed` or `quads`: four neighbouring bytes are read as a word."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.simd import words
from ....dialects.simd.moves import LoadBytesOp, StoreBytesOp
from ....dialects.simd.words import BYTES
from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.packed import extreme_of, moves_bytes, word_reads
from ....dialects.task.products import Factor
from ....dialects.task.steps import Packed, Quads
from ....dialects.task.words import quads_plan
from ...builder import Loops
from ...constants import Constants
from ..bytes_of_words import half, splat, unpacked
from ..nest_loops import NestLoops, carries_out, jammed_of
from ..point import Point
from .lanes_of_bytes import LanesOfBytes

_KINDS = {
    (True, False): words.MaximumBytesOp,
    (False, False): words.MinimumBytesOp,
    (True, True): words.MaximumUnsignedBytesOp,
    (False, True): words.MinimumUnsignedBytesOp,
}


@carries_out(Packed, lambda step, nest: not nest.fold.data)
class PackedLoops(NestLoops):
    """Emits one nest without a fold: where four points run side by side, words are taken apart to compute with.

    Where nothing is computed they are stored as they are.
    """

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        dim = jammed_of(self._space).dim
        self._moves = moves_bytes(nest, dim)
        self._reads_late = word_reads(nest, "finish_reads", dim)

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        if len(points) != BYTES:
            super()._body(jammed, points, point)
        elif self._moves:
            self._move(points[0])
        else:
            lanes = LanesOfBytes(self._nest, self._k, self._reads_late, points)
            for number, own in enumerate(points):
                own.write(lanes.results_at(number))

    def _move(self, first: Point) -> None:
        """Four bytes each."""
        k, reads = self._k, self._nest.accesses("finish_reads")
        given = self._nest.terminator(self._nest.finish).values
        for value, write in zip(given, self._nest.accesses("writes"), strict=True):
            assert isinstance(value, BlockArgument), "it is read"
            word = k.emit(LoadBytesOp(*first.operands(reads[value.index])), "bytes")
            k.builder.insert(StoreBytesOp(word, *first.operands(write)))


@carries_out(Packed, lambda step, nest: bool(nest.fold.data))
class ExtremeLoops(NestLoops):
    """Emits one nest that folds extremes of bytes: where four points run side by side, words are compared."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        found = extreme_of(nest, jammed_of(self._space).dim)
        assert found is not None, "verified: the fold finds extremes of bytes"
        self._extreme = found
        self._first: SSAValue | None = None
        """Bytes that the fold starts from, if nothing is less (or more) than that."""

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        if len(points) != BYTES:
            super()._body(jammed, points, point)
            return
        k, extreme, first = self._k, self._extreme, points[0]
        start = k.value(splat(extreme.start), i32)
        ends = (0, 255) if extreme.unsigned else (-128, 127)
        self._first = start if extreme.start == ends[0 if extreme.is_maximum else 1] else None
        (word,) = self._over_fold(self._fold, point, points, [start])
        for is_maximum, byte in extreme.limits:
            word = self._chosen(word, k.value(splat(byte), i32), is_maximum=is_maximum)
        k.builder.insert(StoreBytesOp(word, *first.operands(*self._nest.accesses("writes"))))

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        if len(points) != BYTES:
            return super()._step(point, points, acc)
        here = point.beside(points[0])
        word = self._k.emit(LoadBytesOp(*here.operands(*self._nest.accesses("step_reads"))), "bytes")
        return [word if acc[0] is self._first else self._chosen(acc[0], word, is_maximum=self._extreme.is_maximum)]

    def _chosen(self, a: SSAValue, b: SSAValue, *, is_maximum: bool) -> SSAValue:
        return self._k.emit(_KINDS[is_maximum, self._extreme.unsigned](a, b), "acc")


@carries_out(Quads)
class QuadLoops(NestLoops):
    """Emits one nest whose schedule has `quads`: products of four channels, both factors of which lie in words.

    Their bytes become lanes, zero points taken off, and each product is of two halves. The fold stays in loops.
    """

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        plan = quads_plan(nest, jammed_of(self._space).dim)
        self._factors = plan.staged, plan.packed

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        assert len(points) == BYTES, "blocks are whole"
        here = point.beside(points[0])
        lanes = [self._lanes(here, factor) for factor in self._factors]
        found: list[SSAValue] = []
        for n, total in enumerate(acc):
            lhs, rhs = (half(self._k, both[n % 2], is_upper=n > 1) for both in lanes)
            found.append(self._k.add(total, self._k.mul(lhs, rhs, "product"), "acc"))
        return found

    def _lanes(self, point: Point, factor: Factor) -> list[SSAValue]:
        """The lanes of the even bytes, and those of the odd ones."""
        k, access = self._k, self._nest.accesses("step_reads")[factor.read]
        word = k.emit(LoadBytesOp(*point.operands(access)), "bytes")
        added, sides = -factor.zero_point, (False, True)
        return [unpacked(k, word, is_odd=is_odd, added=added, signed=factor.signed) for is_odd in sides]
