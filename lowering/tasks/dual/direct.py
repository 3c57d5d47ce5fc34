"""Words of the factor that is not packed, taken from where its bytes lie each time they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.simd import LoadBytesOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ..point import Point
from .unpack import unpackings


class Direct:
    """Direct reads in place of `Stage`, for a fold that walks along bytes and meets nothing that is clipped."""

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan):
        self._nest = nest
        self._k = k
        self._access = nest.accesses("step_reads")[plan.staged.read]
        self._unpackings = unpackings(plan.staged)
        self._point: Point | None = None
        self._word: SSAValue | None = None

    def fill(self, point: Point, jammed: Sequence[Loop]) -> None:
        """Remember the place; there are no loops to run side by side."""
        self._point = point

    def value(self, first: Value, place: int, number: int, width: int) -> SSAValue:
        """The word of a pair of fold points; those at even places load the bytes of the next one, too."""
        k = self._k
        if place % 2:
            assert self._word is not None, "pairs come in order"
            return k.emit(self._unpackings[1](self._word), "x0")
        assert self._point is not None, "filled before the sums"
        *outer, last = range(len(self._nest.space.data), len(self._nest.extents))
        tap = self._point.at({**dict.fromkeys(outer, 0), last: k.add(k.mul(first, 2), 2 * place)})
        self._word = k.emit(LoadBytesOp(*tap.operands(self._access)), "bytes")
        return k.emit(self._unpackings[0](self._word), "x0")

    def total(self, number: int) -> SSAValue | None:
        """Sums of elements are asked for where these are raised, which words of bytes are not."""
        return None
