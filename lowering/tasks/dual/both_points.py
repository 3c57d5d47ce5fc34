"""Copies what two points side by side read into words, those of both beside each other, where neither is clipped."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ....dialects.simd.tiles import TILE_POINTS, UnpackPointsOp
from ....dialects.simd.words import BYTES
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.join import decided_dims, join_axis, run_of
from ....dialects.task.loop import Loop
from ....dialects.task.syntax import Access
from ...builder import Condition, Loops, Value
from ...kernels.thumb.memory import REACH
from ..conditions import conjunction, is_inside, leaving
from ..point import Point, part_of

_MOST_UNPACKED = 16
"""Words of a point that one operation writes out."""
_FARTHEST_RUN = REACH - BYTES * _MOST_UNPACKED
"""Bytes from the first one to the farthest beginning of a run."""
_LONGEST_LINE = 8
"""Words of a run up to which it is no loop at all."""
_LINES = range(4, _LONGEST_LINE + 1)
"""Words that are written out in a loop over a longer one."""

_Emit: TypeAlias = Callable[[Sequence[Point], Value], None]
_Packed: TypeAlias = Callable[[Sequence[Point]], list[SSAValue]]


@dataclass(frozen=True)
class BothPoints:
    """Words of a nest's fold: runs of bytes, and single elements behind them."""

    nest: NestOp
    k: Loops
    plan: DualPlan
    access: Access
    outer: Sequence[int]
    """Fold dimensions in loops; behind the runs of each of their points stand the words of what is left."""
    around: Sequence[int]
    """Fold dimensions in loops around the runs of one operation."""
    inner: Sequence[int]
    """Fold dimensions of these."""
    places: tuple[int, ...]
    """Beginnings of the runs of one operation."""
    count: int
    """Words of four bytes in each."""
    singles: tuple[int, ...]
    """Places of what is left, if the operation takes it along."""

    @staticmethod
    def of(nest: NestOp, k: Loops, plan: DualPlan) -> BothPoints | None:
        """Return the words of a nest; None where elements are no bytes, not in the order of the fold, or changed."""
        access, dims, step = nest.accesses("step_reads")[plan.staged.read], nest.folds, plan.step
        if step.lanes != 2 or step.both or not access.shape or not access.is_dense_of(i8) or min(access.shape) < 0:
            return None
        if any(walked < 0 for d in dims for walked in nest.steps_along(access, d)):
            return None
        fixed, steps = _not_in_one(nest, access), {d: nest.stride(access, d) for d in dims}
        run = dims[len(plan.outer) :]
        left = () if plan.by_words else plan.run_points()[4 * plan.words_of_run :]
        singles = tuple(sum(n * steps[d] for n, d in zip(tap, run, strict=True)) for tap in left)
        # What is left of each row follows all rows of the run.
        outer = dims[: len(plan.outer)] if left else dims[:0]
        around, count, places = dims[:0], 0, tuple[int, ...]()
        if plan.words_of_run:
            around = dims[len(outer) : max(len(outer), len(dims) - run_of(nest, access, without=fixed))]
            count, places = math.prod(nest.extents[d] for d in dims if d not in (*outer, *around)) // BYTES, (0,)
            assert count, "some elements are read in words"
        while around and around[-1] not in fixed:
            more = tuple(n * steps[around[-1]] + place for n in range(nest.extents[around[-1]]) for place in places)
            if len(more) * count > _MOST_UNPACKED or max(more) > _FARTHEST_RUN:
                break
            places, around = more, around[:-1]
        inner, words = dims[len(outer) + len(around) :], count * len(places) + -(-len(singles) // 2)
        takes_singles = not around and words <= _MOST_UNPACKED and max(singles, default=0) <= _FARTHEST_RUN
        if not places and (not takes_singles or fixed.intersection(inner)):
            return None
        return BothPoints(nest, k, plan, access, outer, around, inner, places, count, singles if takes_singles else ())

    @property
    def unroll(self) -> int:
        """Words of a run that are written out."""
        if self.count <= _LONGEST_LINE or len(self.places) > 1 or self.singles:
            return self.count
        return min(_LINES, key=lambda line: (self.count % line, line))

    def are_inside(self, points: Sequence[Point], jammed: Sequence[Loop]) -> Condition:
        """Whether no fold point of both points of jammed loops is clipped."""
        sides = leaving(self.nest, [self.access])
        if (further := _further(jammed)) is not None:
            return is_inside(points[0], sides, reaches=further)
        return conjunction(self.k, [is_inside(point, sides) for point in points])

    def emit(self, points: Sequence[Point], jammed: Sequence[Loop], lanes: SSAValue, packed: _Packed) -> None:
        """Emit the copies of two points into a buffer of lanes; `packed` makes words of single elements."""
        k, pairs, first = self.k, 2 * self.count * len(self.places), 2 * self.plan.words_of_run
        run = self.nest.folds[len(self.plan.outer) :]
        left = () if self.plan.by_words or self.singles else self.plan.run_points()[2 * first :]

        def rows(points: Sequence[Point], begin: Value) -> None:
            self._over(points, self.around, begin, pairs, partial(self._runs, _further(jammed), lanes))
            # What is left of the rows of a run.
            for number, place in enumerate(range(0, len(left), 2), first):
                for n, point in enumerate(points):
                    taps = [point.at(dict(zip(run, tap, strict=True))) for tap in left[place : place + 2]]
                    (word,) = packed(taps)
                    k.store(word, lanes, [k.add(k.mul(k.add(begin, number), TILE_POINTS), n)])

        self._over(points, self.outer, 0, self.plan.pairs_of_run, rows)

    def _over(self, points: Sequence[Point], dims: Sequence[int], begin: Value, words: int, emit: _Emit) -> None:
        """Loops over fold dimensions, each of whose points has so many words; `begin` is where they begin."""
        if not dims:
            emit(points, begin)
            return
        dim, *rest = dims
        step = words * math.prod(self.nest.extents[d] for d in rest)
        (loop,) = points[0].loops([dim], decided_dims(self.nest, self.access))
        for n in points[0].along(loop):
            inner = [point.at({dim: n}) for point in points]
            self._over(inner, rest, self.k.add(begin, self.k.mul(n, step)), words, emit)

    def _runs(self, further: Collection[int] | None, lanes: SSAValue, points: Sequence[Point], word: Value) -> None:
        """One operation."""
        k, nest, access = self.k, self.nest, self.access
        forms = [nest.form(index) for index in access.indices]
        first, other = (point.at(dict.fromkeys(self.inner, 0)) for point in points)
        indices = first.indices(access.indices)
        if further is None:
            others = other.indices(access.indices)
        else:
            # The same sum for both, so that one pointer reaches them.
            others = [k.add(at, sum(map(form.coefficient, further))) for at, form in zip(indices, forms, strict=True)]
        box = [1 + sum(form.coefficient(d) * (nest.extents[d] - 1) for d in self.inner) for form in forms]
        places = [part_of(access.buffer, at) for at in (indices, others)]
        k.builder.insert(
            UnpackPointsOp(
                *(part for buffer, at in places for part in (buffer, [k.index(index) for index in at])),
                *(lanes, k.index(k.mul(word, TILE_POINTS))),
                places=self.places,
                count=self.count,
                box=box,
                singles=self.singles or None,
                unroll=self.unroll,
                unsigned=not self.plan.staged.signed,
            )
        )


def _further(jammed: Sequence[Loop]) -> Collection[int] | None:
    """The dimensions along which the second point is one further; None where that is not always so."""
    if any(loop.clamped or loop.is_outer for loop in jammed):
        return None
    return [loop.dim for loop in jammed if loop.extent > 1]


def _not_in_one(nest: NestOp, access: Access) -> frozenset[int]:
    """Dimensions along which what is read does not lie at the same distances in each part of a join."""
    axis = join_axis(access)
    outer = () if axis is None else access.indices[: axis + 1]
    return frozenset(position for index in outer for position in nest.form(index).positions())
