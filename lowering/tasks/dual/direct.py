"""Words of the factor that is not packed, taken from where its bytes lie each time they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.simd import LoadBytesOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ..parts import part_of
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
        inner, folds = self._point.child(), range(len(self._nest.space.data), len(self._nest.extents))
        for dim in folds:
            inner.places.put(dim, 0)
        inner.places.put(folds[-1], k.add(k.mul(first, 2), 2 * place))
        inner.advance()
        buffer, indices = part_of(self._access.buffer, inner.places.indices(k, self._access.indices))
        self._word = k.emit(LoadBytesOp(buffer, [k.index(index) for index in indices]), "bytes")
        return k.emit(self._unpackings[0](self._word), "x0")

    def total(self, number: int) -> SSAValue | None:
        """Sums of elements are asked for where these are raised, which words of bytes are not."""
        return None
