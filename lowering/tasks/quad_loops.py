"""The loops of a nest whose schedule has `quads`: products of four channels, which are read as a word at each point.

Bytes (a0, a1, a2, a3) become lanes (a0, a2) and (a1, a3), zero points taken off, and so do those of the other factor:
four products of halves.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i16, i32
from xdsl.ir import SSAValue

from ...dialects.simd import BYTES, DualAddOp, LoadBytesOp, UnpackEvenAddOp, UnpackOddAddOp
from ...dialects.task import NestOp
from ...dialects.task.products import Factor
from ...dialects.task.words import quads_plan
from ..builder import Loops
from .dual.unpack import both_lanes, unpackings
from .nest_loops import NestLoops
from .point import Point


class QuadLoops(NestLoops):
    """Emits one nest; the fold stays in loops."""

    def __init__(self, nest: NestOp, k: Loops):
        super().__init__(nest, k)
        (jammed,) = (loop for loop in self._space if loop.form == "jam")
        plan = quads_plan(nest, jammed.dim)
        self._factors = plan.staged, plan.packed

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        assert len(points) == BYTES, "blocks are whole"
        here = point.beside(points[0])
        lanes = [self._lanes(here, factor) for factor in self._factors]
        found: list[SSAValue] = []
        for n, total in enumerate(acc):
            lhs, rhs = (self._half(even if n % 2 == 0 else odd, n // 2) for even, odd in lanes)
            product = self._k.mul(lhs, rhs, "product")
            found.append(self._k.value(self._k.add(total, product, "acc"), i32))
        return found

    def _lanes(self, point: Point, factor: Factor) -> tuple[SSAValue, SSAValue]:
        k, access = self._k, self._nest.accesses("step_reads")[factor.read]
        word = k.emit(LoadBytesOp(*point.operands(access)), "bytes")
        unpack = unpackings(factor)
        if not factor.zero_point:
            even, odd = (each(word) for each in unpack)
            return k.emit(even, "even"), k.emit(odd, "odd")
        less = k.value(both_lanes(-factor.zero_point), i32)
        if factor.signed:
            return k.emit(UnpackEvenAddOp(word, less), "even"), k.emit(UnpackOddAddOp(word, less), "odd")
        even, odd = (DualAddOp(k.emit(each(word)), less) for each in unpack)
        return k.emit(even, "even"), k.emit(odd, "odd")

    def _half(self, lanes: SSAValue, number: int) -> SSAValue:
        k = self._k
        if number:
            return k.shift_right(lanes, 16)
        low = k.emit(arith.TruncIOp(lanes, i16))
        return k.emit(arith.ExtSIOp(low, i32))
