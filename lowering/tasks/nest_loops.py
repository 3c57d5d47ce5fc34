"""The loops of one nest: space loops, the fold inside them, and the regions' operations in their places.

Classes of loops register for the steps that they carry out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from typing import Any, TypeAlias, TypeVar

from xdsl.dialects import memref
from xdsl.ir import Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.code import Code, Manner, writes_out
from ...dialects.task.dual import dual_plan
from ...dialects.task.loop import Loop
from ...dialects.task.loops import loops_of
from ...dialects.task.steps import Collect, Dual, Whole
from ...dialects.task.syntax import Access
from ..builder import Loops, Value
from ..constants import Constants, starts_of_elements
from .conditions import is_inside, leaving
from .inline import inline
from .point import Loaded, Point
from .steps.fold_zero_point import remove_zero_point

_Rest: TypeAlias = Callable[[Sequence[Loop], Point, list[SSAValue]], list[SSAValue]]
"""Emits the loops that are left at a point, and returns what becomes of accumulators."""
OverSpace: TypeAlias = Callable[[Sequence[Loop], Point], None]
"""Emits loops over space and what is inside of them, at a point outside of them all."""


@dataclass(frozen=True)
class Once:
    """Something to emit once, as soon as it is known where the loops are along some dimensions; jammed ones wait."""

    dims: Collection[int]
    emit: OverSpace
    """Emits it, and the loops that are left."""


class NestLoops:
    """Emits one nest at the builder's insertion point.

    Inside the loops over space are the points of the innermost ones, side by side: each starts, folds and finishes.
    With `whole` the fold is written out where nothing is clipped, and zero points are in where it starts. The
    schedule's other steps have classes of their own, which compute these points in another way.
    """

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        """Check that the constants of the module allow the schedule of a nest, whose loops are these.

        Raises:
            ValueError: they do not; says which step, and why.
        """

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """The schedule was checked. Steps may put others in the place of the constants that the nest reads."""
        self._clips = not writes_out(nest.steps)
        """Whether loops over fold dimensions leave out what is clipped."""
        self._nest = nest
        self._step_region = nest.step
        self._k = k
        loops = loops_of(nest)
        self._space = [loop for loop in loops if not loop.is_fold]
        self._fold = [loop for loop in loops if loop.is_fold]
        self._inner = sum(loop.form == "jam" for loop in self._space)
        """Loops over space whose points are computed side by side, the innermost ones."""
        self._waiting: Sequence[Once] = ()
        self._reads_late: Collection[int] = ()
        """What a nest without fold does not read as soon as it is known where, by number."""
        self._collects = Collect() in nest.steps
        sums = nest.step.block.args[len(nest.step_reads) :] if nest.fold.data else ()
        self._hints = [argument.name_hint or "acc" for argument in sums]
        """Names of the accumulators of a point."""
        self._splits = self._clips and Whole() in nest.steps
        """Whether there is code of its own for points where nothing is clipped."""
        self._is_whole = False
        """Whether it is known that nothing is clipped at the points whose code is emitted."""
        self._starts: SSAValue | None = None
        """From what sums start there, zero points taken off; None where it is what the nest says."""
        if self._splits:
            self._waiting = [self._decision(self._whole, self._over_space)]
            self._starts = _whole_starts(nest, constants)

    def _decision(self, whole: OverSpace, clipped: OverSpace, *, is_likely: bool = False) -> Once:
        """Code for points of the space where no fold point is clipped, and other code for those where some are.

        `is_likely` tells compilers that mostly none are.
        """
        nest, folds = self._nest, self._nest.folds
        deciding = {position for limit in limits(nest) for position in limit.form.positions() if position not in folds}
        sides = leaving(nest, nest.accesses("step_reads"))

        def emit(loops: Sequence[Loop], point: Point) -> None:
            inside = is_inside(point, sides)
            self._k.branch(inside, partial(whole, loops, point), partial(clipped, loops, point), is_likely=is_likely)

        return Once(deciding, emit)

    def _copied(self, dims: Collection[int], fill: OverSpace) -> Once:
        """A copy, as soon as it is known where the loops are along some dimensions."""

        def emit(loops: Sequence[Loop], point: Point) -> None:
            fill(loops, point)
            self._over_space(loops, point)

        return Once(dims, emit)

    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        fold, step = self._fold, self._step_region
        self._is_whole = True
        self._fold = [replace(loop, form="unroll") for loop in fold]
        self._step_region = step.clone()
        if self._starts is not None:
            remove_zero_point(self._step_region, dual_plan(self._nest, Dual(1, 1)).staged.read)
        self._over_space(loops, point.whole())
        self._step_region.drop_all_references()
        self._is_whole, self._fold, self._step_region = False, fold, step

    def emit(self) -> None:
        """Emit the loops in the place of the nest."""
        point = Point(self._nest, self._k, clips=self._clips, late=self._reads_late)
        point.advance()
        self._over_space(self._space, point)
        Rewriter.erase_op(self._nest)

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        for once in self._waiting:
            if all(loop.form == "jam" for loop in loops if loop.dim in once.dims):
                waiting = self._waiting
                self._waiting = [other for other in waiting if other is not once]
                once.emit(loops, point)
                self._waiting = waiting
                return
        if len(loops) == self._inner:
            self._side_by_side(loops, point)
            return

        def rest(loops: Sequence[Loop], inner: Point, acc: list[SSAValue]) -> list[SSAValue]:
            self._over_space(loops, inner)
            return acc

        self._each(loops, point, [], rest)

    def _each(self, loops: Sequence[Loop], point: Point, acc: list[SSAValue], rest: _Rest) -> list[SSAValue]:
        """Emit `rest` at all points of the first of some loops, in its order, for what is computed from `acc` on."""
        k, (loop, *inner) = self._k, loops
        tail = loop.extent_of_tail(self._nest.extents)

        def whole(acc: list[SSAValue]) -> list[SSAValue]:
            if loop.form == "unroll":
                for i in loop.sequence():
                    acc = rest(inner, point.entered(loop, i), acc)
                return acc
            begin, end = point.range_of(loop)

            def body(i: Value, state: list[SSAValue]) -> list[SSAValue]:
                at = k.sub(k.add(begin, k.sub(end, 1)), i, loop.name) if loop.reverse else i
                return rest(inner, point.entered(loop, at), state)

            hints = [*islice(cycle(self._hints), len(acc))]
            return k.reduce_several(f"{loop.name}_done" if loop.reverse else loop.name, begin, end, acc, body, hints)

        def last(acc: list[SSAValue]) -> list[SSAValue]:
            shortened = [replace(one, extent=tail) if one.dim == loop.dim else one for one in inner]
            return rest(shortened, point.entered(loop, loop.extent), acc) if tail else acc

        return whole(last(acc)) if loop.reverse else last(whole(acc))

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        """Everything that is computed at the points of the innermost loops."""
        self._body(jammed, point.side_by_side(jammed), point)

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        """Start, fold and finish side by side at several points, which share what `point` knows."""
        results = [list[SSAValue]() for _ in points]
        if self._nest.fold.data:
            initial = [value for own in points for value in self._start_at(own)]
            folded = self._over_fold(self._fold, point, points, initial)
            count = len(self._nest.accumulators)
            results = [folded[n * count : (n + 1) * count] for n in range(len(points))]
        if self._collects and len(points) > 1:
            self._finish_in_loops(jammed, point, results)
            return
        for own, values in zip(points, results, strict=True):
            self._finish_at(own, values)

    def _start_at(self, point: Point) -> list[SSAValue]:
        """From what the sums of a point start."""
        if self._starts is None or not self._is_whole:
            return self._run(self._nest.start, point, "start_reads", [])
        (access,) = self._nest.accesses("start_reads")
        return [self._start_from(replace(access, buffer=self._starts), point)]

    def _start_from(self, access: Access, point: Point) -> SSAValue:
        return self._k.load(*point.element(access), "acc")

    def _finish_at(self, point: Point, acc: Sequence[SSAValue]) -> None:
        point.write(self._run(self._nest.finish, point, "finish_reads", acc))

    def _finish_sharing(self, first: Point, points: Iterable[tuple[Point, SSAValue]], apart: Collection[int]) -> None:
        """Finish points, each with its sum; they share what `first` reads if it depends on no dimension of `apart`."""
        nest = self._nest
        is_shared = all(nest.dims_of(access).isdisjoint(apart) for access in nest.accesses("finish_reads"))
        once = first.read("finish_reads") if is_shared else None
        written: list[tuple[Point, list[SSAValue]]] = []
        for own, total in points:
            reads = own.read("finish_reads") if once is None else once
            written.append((own, inline(nest.finish, own, [*reads, total])))
        for own, values in written:
            own.write(values)

    def _finish_in_loops(self, jammed: Sequence[Loop], point: Point, results: Sequence[Sequence[SSAValue]]) -> None:
        """Keep what the fold gave for points side by side, in the order of `jammed` loops, and finish one by one."""
        k = self._k
        kept: list[SSAValue] = []
        for number, first in enumerate(results[0]):
            alloc = memref.AllocaOp.get(first.type, shape=[len(results)])
            kept.append(k.emit(alloc, first.name_hint or "acc"))
            for n, values in enumerate(results):
                k.store(values[number], kept[-1], [n])

        def finish(own: Point, number: Value) -> None:
            self._finish_at(own, [k.load(buffer, [number], "acc") for buffer in kept])

        point.each(jammed, finish)

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        """Fold at `points`, which share what `point` knows, from `acc` on: the accumulators of one after the other."""
        if not loops:
            return self._step(point, points, acc)
        return self._each(loops, point, acc, lambda rest, inner, acc: self._over_fold(rest, inner, points, acc))

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        """One step at each point; what several read in one place is read once."""
        count, found = len(self._nest.accumulators), list[SSAValue]()
        loaded: Loaded = {}
        for number, own in enumerate(points):
            here, state = point.beside(own), acc[number * count : (number + 1) * count]
            found += inline(self._step_region, here, [*here.read("step_reads", loaded), *state])
        return found

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        return inline(region, point, [*point.read(group), *acc])


def jammed_of(loops: Iterable[Loop]) -> Loop:
    """The loop that is jammed, where there is one for sure."""
    (jammed,) = (loop for loop in loops if loop.form == "jam")
    return jammed


def _whole_starts(nest: NestOp, constants: Constants) -> SSAValue | None:
    """From what the sums start where elements count with their zero point; None where that is not known, or the same.

    These constants stand beside those from which the sums start that are clipped.
    """
    try:
        plan = dual_plan(nest, Dual(1, 1))
        found = starts_of_elements(nest, plan.staged, plan.packed, constants) if plan.staged.zero_point else None
    except ValueError:
        return None
    return found and constants.add(nest.start_reads[0], *found, "whole")


_Step = TypeVar("_Step", bound=Code)
_Loops = TypeVar("_Loops", bound=type[NestLoops])
_Where: TypeAlias = Callable[[_Step, NestOp], bool]

_LOOPS: list[tuple[type[Code], _Where[Any], type[NestLoops]]] = []


def carries_out(kind: type[_Step], where: _Where[_Step] = lambda step, nest: True) -> Callable[[_Loops], _Loops]:
    """Register loops for a kind of steps, which packages may bring, too: for those of a nest that `where` says."""

    def register(loops: _Loops) -> _Loops:
        _LOOPS.append((kind, where, loops))
        return loops

    return register


def kind_of(nest: NestOp) -> type[NestLoops]:
    """The loops of a nest, of the kind that one of its steps asks for.

    Raises:
        ValueError: there are none for a step.
    """
    for step in nest.steps:
        if isinstance(step, Code) and not isinstance(step, Manner):
            found = [(kind, loops) for kind, where, loops in _LOOPS if isinstance(step, kind) and where(step, nest)]
            if not found:
                raise ValueError(f"{step}: there are no loops that carry it out")
            # Those of the step's own class, not of one that it is derived from.
            return max(found, key=lambda one: len(one[0].mro()))[1]
    return NestLoops
