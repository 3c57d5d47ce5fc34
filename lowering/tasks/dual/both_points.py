"""Copies what two points side by side read into words, those of both beside each other, where neither is clipped."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import NoneAttr, i8
from xdsl.ir import SSAValue

from ....dialects.simd import BYTES, TILE_POINTS, UnpackPointsOp
from ....dialects.simd.unpack_points import FARTHEST_RUN, MOST_UNPACKED, Runs
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
        type = access.type
        dims, forms = range(first_fold, len(nest.extents)), [nest.form(index) for index in access.indices]
        is_bytes = type.element_type == i8 and isinstance(type.layout, NoneAttr) and bool(forms)
        if plan.lanes != 2 or plan.both or not is_bytes or any(extent < 0 for extent in type.get_shape()):
            return None
        if any(form.coefficient(d) < 0 for form in forms for d in dims):
            return None
        strides, fixed = row_major(type.get_shape()), _not_in_one(nest, access)
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

    def are_inside(self, k: Loops, points: Sequence[Point], jammed: Sequence[Loop]) -> Condition:
        """Whether no fold point of both points is clipped."""
        steps = self._steps(jammed)
        if steps is not None:
            return is_inside(k, self.nest, points[0].places, [self.access], reaches=steps)
        return conjunction(k, [is_inside(k, self.nest, point.places, [self.access]) for point in points])

    def emit(
        self,
        k: Loops,
        points: Sequence[Point],
        jammed: Sequence[Loop],
        lanes: SSAValue,
        packed: Callable[[Sequence[Point]], list[SSAValue]],
    ) -> None:
        """Emit the copies; `packed` makes words of single elements."""

        def run(at: Sequence[Point], begin: Value) -> None:
            self._over(k, at, self.around, begin, self._words, lambda at, word: self._runs(k, at, jammed, lanes, word))
            self._rest(k, at, begin, lanes, packed)

        self._over(k, points, self.outer, 0, self.plan.pairs_of_run, run)

    @property
    def _words(self) -> int:
        """Emit the words of a point, made by one operation."""
        return 2 * self.count * len(self.places)

    def _over(
        self, k: Loops, points: Sequence[Point], dims: Sequence[int], begin: Value, words: int, emit: _Emit
    ) -> None:
        """Loops over fold dimensions, each of whose points has so many words; `begin` is where they begin."""
        if not dims:
            emit(points, begin)
            return
        (dim, *rest), extents = dims, self.nest.extents
        step = words * math.prod(extents[d] for d in rest)

        for n in points[0].along(dim, written_out=dim in decided_dims(self.nest, self.access)):
            inner = [point.at({dim: n}) for point in points]
            self._over(k, inner, rest, k.add(begin, k.mul(n, step)), words, emit)

    def _runs(self, k: Loops, points: Sequence[Point], jammed: Sequence[Loop], lanes: SSAValue, word: Value) -> None:
        """One operation."""
        first, other = (point.at(dict.fromkeys(self.inner, 0)) for point in points)
        indices = first.places.indices(k, self.access.indices)
        steps, forms = self._steps(jammed), [self.nest.form(index) for index in self.access.indices]
        if steps is None:
            others = other.places.indices(k, self.access.indices)
        else:
            # The same sum for both, so that one pointer reaches them.
            further = [sum(form.coefficient(dim) * n for dim, n in steps.items()) for form in forms]
            others = [k.add(index, more) for index, more in zip(indices, further, strict=True)]
        box = [1 + sum(form.coefficient(d) * (self.nest.extents[d] - 1) for d in self.inner) for form in forms]
        places = [part_of(self.access.buffer, at) for at in (indices, others)]
        k.builder.insert(
            UnpackPointsOp(
                [(buffer, [k.index(index) for index in at]) for buffer, at in places],
                Runs(self.places, self.count, tuple(box), self.singles),
                self._unroll,
                (lanes, k.index(k.mul(word, TILE_POINTS))),
                unsigned=not self.plan.staged.signed,
            )
        )

    @property
    def _unroll(self) -> int:
        if self.count <= _LONGEST_LINE or len(self.places) > 1 or self.singles:
            return self.count
        return min(_LINES, key=lambda line: (self.count % line, line))

    def _rest(
        self,
        k: Loops,
        points: Sequence[Point],
        begin: Value,
        lanes: SSAValue,
        packed: Callable[[Sequence[Point]], list[SSAValue]],
    ) -> None:
        """The words of what is left of the rows of a run."""
        if self.plan.by_words or self.singles:
            return
        words, dims = 2 * self.plan.words_of_run, range(len(self.nest.space.data), len(self.nest.extents))
        run = dims[len(self.plan.outer) :]
        left = self.plan.run_points()[2 * words :]
        for number, place in enumerate(range(0, len(left), 2), words):
            for n, point in enumerate(points):
                taps = [point.at(dict(zip(run, tap, strict=True))) for tap in left[place : place + 2]]
                (word,) = packed(taps)
                k.store(word, lanes, [k.add(k.mul(k.add(begin, number), TILE_POINTS), n)])

    def _steps(self, jammed: Sequence[Loop]) -> dict[int, int] | None:
        """By space dimension how many points further the second one is; None where that is not always the same."""
        if any(loop.clamped or loop.is_outer for loop in jammed):
            return None
        return {loop.dim: 1 for loop in jammed if loop.extent > 1}


def _not_in_one(nest: NestOp, access: Access) -> frozenset[int]:
    """Dimensions along which what is read does not lie at the same distances in each part of a join."""
    if not isinstance(join := access.buffer.owner, JoinOp):
        return frozenset()
    outer = [nest.form(index).positions() for index in access.indices[: join.axis.value.data + 1]]
    return frozenset(position for positions in outer for position in positions)
