"""A copy of what one point of a nest reads, side by side in the order of its fold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import prod

from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ....dialects.simd import SIXTEEN
from ....dialects.simd.lanes import SixteenOfOp
from ....dialects.simd.moves import LoadSixteenOp, StoreSixteenOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.join import decided_dims
from ....dialects.task.lanes import run_of
from ....dialects.task.syntax import Access
from ...builder import Loops, Value
from ..conditions import decide, is_inside, is_point_inside, leaving
from ..flat import flat
from ..function_block import scratch
from ..point import Point

_MOST_IN_LINE = 4
"""Pieces, and vectors of one, that are copied one after the other, without a loop."""


class Line:
    """A buffer of bytes, a multiple of sixteen, and the code that fills it; what is clipped is the zero point."""

    def __init__(self, nest: NestOp, k: Loops, plan: DualPlan, run: tuple[int, int] | None = None):
        """Allocate the buffer outside of all loops, and fill what the fold does not reach.

        Args:
            nest: the nest.
            k: emits.
            plan: which of its factors is copied.
            run: innermost fold dimensions, and the bytes after which their next ones begin; by default all bytes lie
                without gaps, and what the last sixteen lack is zero.
        """
        self._nest, self._k, self._plan = nest, k, plan
        self._access = nest.accesses("step_reads")[plan.staged.read]
        self._first_fold = len(nest.space.data)
        self._decided = decided_dims(nest, self._access)
        extents = nest.extents[self._first_fold :]
        self._inner, self._stride = (len(extents), plan.pairs) if run is None else run
        self.size = -(-prod(extents[: len(extents) - self._inner]) * self._stride // SIXTEEN) * SIXTEEN
        self.buffer = scratch(nest, k, i8, self.size, "line")
        if run is None and self.size > plan.pairs:
            zeros = k.emit(SixteenOfOp(0), "zeros")
            k.builder.insert(StoreSixteenOp(zeros, self.buffer, [k.index(plan.pairs)], count=self.size - plan.pairs))

    def fill(self, point: Point, *, is_outside: bool = False) -> None:
        """Emit the copies for a point; `is_outside` says that something is clipped there."""
        plain, clipped = (partial(self._outer, point, 0, 0, clips=clips) for clips in (False, True))
        inside = False if is_outside else is_inside(point, [self._access])
        decide(self._k, inside, plain, clipped)

    def _run(self, *, clips: bool) -> int:
        """Innermost fold dimensions that are copied at once."""
        forms = [self._nest.form(index) for index, _ in leaving(self._nest, [self._access])] if clips else []
        clipping = frozenset(position for form in forms for position in form.positions())
        return run_of(self._nest, self._access, without=clipping)

    def _outer(self, point: Point, number: int, first: Value, *, clips: bool) -> None:
        """The fold dimensions from `number` on; `first` is where their bytes begin in the buffer."""
        k, extents = self._k, self._nest.extents[self._first_fold :]
        outer = len(extents) - self._run(clips=clips)
        if number == outer:
            self._piece(point, first, clips=clips)
            return
        dim, outside = self._first_fold + number, len(extents) - self._inner
        size = prod(extents[number + 1 :])
        if number < outside:
            size = prod(extents[number + 1 : outside]) * self._stride
        is_short = not clips and prod(extents[:outer]) <= _MOST_IN_LINE
        for place in point.along(dim, written_out=is_short or dim in self._decided):
            self._outer(point.at({dim: place}), number + 1, k.add(first, k.mul(place, size)), clips=clips)

    def _piece(self, point: Point, first: Value, *, clips: bool) -> None:
        """Copy what lies side by side in memory, or zero points."""
        k, nest = self._k, self._nest
        dims = range(len(nest.extents) - self._run(clips=clips), len(nest.extents))
        inner, count = point.at(dict.fromkeys(dims, 0)), prod(nest.extents[d] for d in dims)

        def store(value: Callable[[Value, int], SSAValue]) -> None:
            for at, size in self._vectors(count):
                k.builder.insert(StoreSixteenOp(value(at, size), self.buffer, [k.index(k.add(first, at))], count=size))

        def copy() -> None:
            bytes, begin = flat(k, *inner.element(self._access))
            store(lambda at, size: k.emit(LoadSixteenOp(bytes, [k.index(k.add(begin, at))], count=size), "bytes"))

        def fill() -> None:
            value = k.emit(SixteenOfOp(self._plan.staged.zero_point), "zeros")
            store(lambda at, size: value)

        decide(k, is_point_inside(inner, self._access) if clips else True, copy, fill)

    def _vectors(self, count: int) -> Iterator[tuple[Value, int]]:
        """Return the beginnings of vectors that cover so many bytes, each with its bytes; the last may overlap."""
        whole, rest = divmod(count, SIXTEEN)
        if whole > _MOST_IN_LINE:
            with self._k.loop("vector", 0, whole) as number:
                yield self._k.mul(number, SIXTEEN), SIXTEEN
        else:
            yield from ((n * SIXTEEN, SIXTEEN) for n in range(whole))
        if rest:
            yield (count - SIXTEEN, SIXTEEN) if whole else (0, rest)


def first_byte(k: Loops, nest: NestOp, access: Access, point: Point) -> tuple[SSAValue, Value]:
    """A view of the bytes that an access reads, and where its first fold point lies in it."""
    first = point.at(dict.fromkeys(range(len(nest.space.data), len(nest.extents)), 0))
    return flat(k, *first.element(access))
