"""Copies what two points side by side read into words, those of both beside each other, where neither is clipped."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ....dialects.simd import BYTES, TILE_POINTS, UnpackPointsOp
from ....dialects.simd.unpack_points import FARTHEST_RUN, MOST_UNPACKED
from ....dialects.strides import row_major
from ....dialects.task import JoinOp, NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.join import decided_dims
from ....dialects.task.loop import Loop
from ....dialects.task.syntax import Access
from ...builder import Loops, Value
from ..conditions import Condition, conjunction
from ..inside import is_inside
from ..parts import part_of
from ..point import Point
from ..reading import is_dense

_FARTHEST = FARTHEST_RUN - BYTES * MOST_UNPACKED
"""Farthest beginning of what is read, behind the first byte."""
_LONGEST_LINE = 8
"""Words of a run up to which it is no loop at all."""
_LINES = range(4, _LONGEST_LINE + 1)
"""Words that are written out in a loop over a longer one."""

_Emit = Callable[[Sequence[Point], Value], None]


@dataclass(frozen=True)
class BothPoints:
    """Words of a nest's fold: runs of bytes, and single elements behind them."""

    nest: NestOp
    plan: DualPlan
    access: Access
    outer: tuple[int, ...]
    """Fold dimensions in loops; behind the runs of each of their points stand the words of what is left."""
    around: tuple[int, ...]
    """Fold dimensions in loops around the runs of one operation."""
    inner: tuple[int, ...]
    """Fold dimensions of these."""
    places: tuple[int, ...]
    """Beginnings of the runs of one operation."""
    count: int
    """Words of four bytes in each."""
    singles: tuple[int, ...]
    """Places of what is left, if the operation takes it along."""

    @staticmethod
    def of(nest: NestOp, plan: DualPlan) -> BothPoints | None:
        """Return the words of a nest; None where elements are no bytes, not in the order of the fold, or changed."""
        access, first_fold = nest.accesses("step_reads")[plan.staged.read], len(nest.space.data)
        shape, dims = access.shape, range(first_fold, len(nest.extents))
        forms = [nest.form(index) for index in access.indices]
        if plan.lanes != 2 or plan.both or not forms or not is_dense(access, i8) or min(shape) < 0:
            return None
        if any(form.coefficient(d) < 0 for form in forms for d in dims):
            return None
        strides, fixed = row_major(shape), _not_in_one(nest, access)
        steps = {d: sum(form.coefficient(d) * s for form, s in zip(forms, strides, strict=True)) for d in dims}
        run = dims[len(plan.outer) :]
        left = () if plan.by_words else plan.run_points()[4 * plan.words_of_run :]
        singles = tuple(sum(n * steps[d] for n, d in zip(tap, run, strict=True)) for tap in left)
        if not plan.words_of_run:
            found = BothPoints(nest, plan, access, tuple(dims[: len(plan.outer)]), (), tuple(run), (), 0, singles)
            return found if found._takes_singles and not fixed.intersection(run) else None
        # What is left of each row follows all rows of the run.
        outer = dims[: len(plan.outer)] if left else dims[:0]
        open, length = list(dims[len(outer) :]), 1
        while open and open[-1] not in fixed and (nest.extents[open[-1]] == 1 or steps[open[-1]] == length):
            length *= nest.extents[open.pop()]
        count, places, inner = length // BYTES, (0,), len(open)
        while inner and open[inner - 1] not in fixed:
            dim = open[inner - 1]
            more = tuple(n * steps[dim] + place for n in range(nest.extents[dim]) for place in places)
            if len(more) * count > MOST_UNPACKED or max(more) > _FARTHEST:
                break
            places, inner = more, inner - 1
        assert count, "some elements are read in words"
        covered = tuple(d for d in dims[len(outer) :] if d not in open[:inner])
        around = tuple(open[:inner])
        found = BothPoints(nest, plan, access, tuple(outer), around, covered, places, count, singles)
        return found if found._takes_singles and not around else replace(found, singles=())

    @property
    def _takes_singles(self) -> bool:
        """Whether the words of what is left are few enough for one operation."""
        words = self.count * len(self.places) + -(-len(self.singles) // 2)
        return words <= MOST_UNPACKED and max(self.singles, default=0) <= _FARTHEST

    def at(self, k: Loops, point: Point, jammed: Sequence[Loop], lanes: SSAValue) -> TwoPoints:
        """The copies of the two points of jammed loops, into a buffer of lanes."""
        moves = any(loop.clamped or loop.is_outer for loop in jammed)
        steps = None if moves else {loop.dim: 1 for loop in jammed if loop.extent > 1}
        return TwoPoints(self, k, point.side_by_side(jammed), steps, lanes)

    @property
    def unroll(self) -> int:
        """Words of a run that are written out."""
        if self.count <= _LONGEST_LINE or len(self.places) > 1 or self.singles:
            return self.count
        return min(_LINES, key=lambda line: (self.count % line, line))


@dataclass(frozen=True)
class TwoPoints:
    """The copies of two points side by side."""

    words: BothPoints
    k: Loops
    points: Sequence[Point]
    steps: Mapping[int, int] | None
    """By space dimension how many points further the second one is; None where that is not always the same."""
    lanes: SSAValue
    """Where the words lie."""

    def are_inside(self) -> Condition:
        """Whether no fold point of both points is clipped."""
        k, nest, accesses = self.k, self.words.nest, [self.words.access]
        if self.steps is not None:
            return is_inside(k, nest, self.points[0].places, accesses, reaches=self.steps)
        return conjunction(k, [is_inside(k, nest, point.places, accesses) for point in self.points])

    def emit(self, packed: Callable[[Sequence[Point]], list[SSAValue]]) -> None:
        """Emit the copies; `packed` makes words of single elements."""
        words = self.words

        def run(points: Sequence[Point], begin: Value) -> None:
            self._over(points, words.around, begin, 2 * words.count * len(words.places), self._runs)
            self._rest(points, begin, packed)

        self._over(self.points, words.outer, 0, words.plan.pairs_of_run, run)

    def _over(self, points: Sequence[Point], dims: Sequence[int], begin: Value, words: int, emit: _Emit) -> None:
        """Loops over fold dimensions, each of whose points has so many words; `begin` is where they begin."""
        if not dims:
            emit(points, begin)
            return
        (dim, *rest), nest = dims, self.words.nest
        step = words * math.prod(nest.extents[d] for d in rest)
        for n in points[0].along(dim, written_out=dim in decided_dims(nest, self.words.access)):
            inner = [point.at({dim: n}) for point in points]
            self._over(inner, rest, self.k.add(begin, self.k.mul(n, step)), words, emit)

    def _runs(self, points: Sequence[Point], word: Value) -> None:
        """One operation."""
        k, words, access = self.k, self.words, self.words.access
        forms = [words.nest.form(index) for index in access.indices]
        first, other = (point.at(dict.fromkeys(words.inner, 0)) for point in points)
        indices = first.places.indices(k, access.indices)
        if self.steps is None:
            others = other.places.indices(k, access.indices)
        else:
            # The same sum for both, so that one pointer reaches them.
            further = [sum(form.coefficient(dim) * n for dim, n in self.steps.items()) for form in forms]
            others = [k.add(index, more) for index, more in zip(indices, further, strict=True)]
        box = [1 + sum(form.coefficient(d) * (words.nest.extents[d] - 1) for d in words.inner) for form in forms]
        places = [part_of(access.buffer, at) for at in (indices, others)]
        k.builder.insert(
            UnpackPointsOp(
                *(part for buffer, at in places for part in (buffer, [k.index(index) for index in at])),
                *(self.lanes, k.index(k.mul(word, TILE_POINTS))),
                places=words.places,
                count=words.count,
                box=box,
                singles=words.singles or None,
                unroll=words.unroll,
                unsigned=not words.plan.staged.signed,
            )
        )

    def _rest(self, points: Sequence[Point], begin: Value, packed: Callable[[Sequence[Point]], list[SSAValue]]) -> None:
        """The words of what is left of the rows of a run."""
        k, plan, nest = self.k, self.words.plan, self.words.nest
        if plan.by_words or self.words.singles:
            return
        words, run = 2 * plan.words_of_run, range(len(nest.space.data) + len(plan.outer), len(nest.extents))
        left = plan.run_points()[2 * words :]
        for number, place in enumerate(range(0, len(left), 2), words):
            for n, point in enumerate(points):
                taps = [point.at(dict(zip(run, tap, strict=True))) for tap in left[place : place + 2]]
                (word,) = packed(taps)
                k.store(word, self.lanes, [k.add(k.mul(k.add(begin, number), TILE_POINTS), n)])


def _not_in_one(nest: NestOp, access: Access) -> frozenset[int]:
    """Dimensions along which what is read does not lie at the same distances in each part of a join."""
    if not isinstance(join := access.buffer.owner, JoinOp):
        return frozenset()
    outer = [nest.form(index).positions() for index in access.indices[: join.axis.value.data + 1]]
    return frozenset(position for positions in outer for position in positions)
