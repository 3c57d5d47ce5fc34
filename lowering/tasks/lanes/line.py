"""A copy of what one point of a nest reads, side by side in the order of its fold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ....dialects.simd.lanes import SIXTEEN, SixteenOfOp
from ....dialects.simd.moves import LoadSixteenOp, StoreSixteenOp
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.join import decided_dims, run_of
from ....dialects.task.syntax import Access
from ...builder import Loops, Value, flat
from ..conditions import is_inside, is_point_inside, leaving
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
        extents = [nest.extents[d] for d in nest.folds]
        inner, stride = (len(extents), plan.pairs) if run is None else run
        outer = extents[: len(extents) - inner]
        strides = [*(n * stride for n in row_major(outer)), *row_major(extents[len(outer) :])]
        self._strides = dict(zip(nest.folds, strides, strict=True))
        """Bytes of the buffer from one point of a fold dimension to the next."""
        self.size = -(-prod(outer) * stride // SIXTEEN) * SIXTEEN
        self.buffer = scratch(nest, i8, self.size, "line")
        if run is None and self.size > plan.pairs:
            zeros = k.emit(SixteenOfOp(0), "zeros")
            k.builder.insert(StoreSixteenOp(zeros, self.buffer, [k.index(plan.pairs)], count=self.size - plan.pairs))

    def fill(self, point: Point, *, is_outside: bool = False) -> None:
        """Emit the copies for a point; `is_outside` says that something is clipped there."""
        plain, clipped = (partial(self._copies, point, clips=clips) for clips in (False, True))
        inside = False if is_outside else is_inside(point, [self._access])
        self._k.branch(inside, plain, clipped)

    def _copies(self, point: Point, *, clips: bool) -> None:
        """Copy what lies side by side in memory at once, or zero points."""
        forms = [self._nest.form(index) for index, _ in leaving(self._nest, [self._access])] if clips else []
        clipping = frozenset(position for form in forms for position in form.positions())
        folds = self._nest.folds
        outer = len(folds) - run_of(self._nest, self._access, without=clipping)
        dims, inner = folds[:outer], folds[outer:]
        is_short = not clips and prod(self._nest.extents[d] for d in dims) <= _MOST_IN_LINE
        written_out = dims if is_short else decided_dims(self._nest, self._access)
        copy = partial(self._piece, inner, clips=clips)
        point.each(point.loops(dims, written_out), copy, strides=self._strides)

    def _piece(self, dims: Sequence[int], point: Point, first: Value, *, clips: bool) -> None:
        k, inner, count = self._k, point.at(dict.fromkeys(dims, 0)), prod(self._nest.extents[d] for d in dims)

        def store(value: Callable[[Value, int], SSAValue]) -> None:
            for at, size in self._vectors(count):
                k.builder.insert(StoreSixteenOp(value(at, size), self.buffer, [k.index(k.add(first, at))], count=size))

        def copy() -> None:
            bytes, begin = flat(k, *inner.element(self._access))
            store(lambda at, size: k.emit(LoadSixteenOp(bytes, [k.index(k.add(begin, at))], count=size), "bytes"))

        def fill() -> None:
            value = k.emit(SixteenOfOp(self._plan.staged.zero_point), "zeros")
            store(lambda at, size: value)

        k.branch(is_point_inside(inner, self._access) if clips else True, copy, fill)

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


def first_byte(point: Point, access: Access) -> tuple[SSAValue, Value]:
    """A view of the bytes that an access reads, and where its first fold point lies in it."""
    return flat(point.k, *point.at(dict.fromkeys(point.nest.folds, 0)).element(access))
