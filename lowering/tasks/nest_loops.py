"""The loops of one nest: space loops, the fold inside them, and the regions' operations in their places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import ClassVar

from xdsl.dialects import memref
from xdsl.ir import Region, SSAValue

from ...dialects.task import NestOp
from ...dialects.task.loop import Loop
from ...dialects.task.loops import planned_loops
from ...dialects.task.schedule import Collect
from ..builder import Loops, Value
from .inline import inline
from .point import Point

Visit = Callable[[Value], None]


class NestLoops:
    """Emits one nest at the builder's insertion point."""

    _reads_early: ClassVar[bool] = True
    """Whether what a nest without fold reads is read as soon as the place is known."""
    _reads_late: Collection[int] = ()
    """Reads, by number, that are read where they are used."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True):
        """`clips` says whether loops over fold dimensions leave out what is clipped."""
        self._clips = clips
        self._nest = nest
        self._step_region = nest.step
        self._k = k
        loops, first_fold = planned_loops(nest), len(nest.space.data)
        self._space = [loop for loop in loops if loop.dim < first_fold]
        self._fold = [loop for loop in loops if loop.dim >= first_fold]
        self._collects = Collect() in nest.steps

    @property
    def nest(self) -> NestOp:
        """Return the nest of the loops, the one that was given or another in its place."""
        return self._nest

    def emit(self) -> None:
        """Emit the loops."""
        point = Point(self._nest, self._k, clips=self._clips, reads=self._reads_early, late=self._reads_late)
        point.advance()
        self._over_space(self._space, point)

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        if not loops or loops[0].form == "jam":
            self._side_by_side(loops, point)
            return
        loop, *rest = loops
        tail = loop.extent_of_tail(self._nest.extents)
        parts: list[Callable[[], None]] = [partial(self._each, loop, lambda i: self._enter(point, loop, i, rest))]
        if tail:
            parts.append(lambda: self._enter(point, loop, loop.extent, _shortened(rest, loop, tail)))
        for part in reversed(parts) if loop.reverse else parts:
            part()

    def _each(self, loop: Loop, visit: Visit) -> None:
        """Visit the points of a loop, in a loop or one after the other."""
        if loop.form == "unroll":
            for i in loop.sequence():
                visit(i)
            return
        name = f"{loop.name}_done" if loop.reverse and loop.extent > 1 else loop.name
        with self._k.loop(name, 0, loop.extent) as i:
            visit(self._k.sub(loop.extent - 1, i, loop.name) if loop.reverse else i)

    def _enter(self, point: Point, loop: Loop, i: Value, rest: Sequence[Loop]) -> None:
        inner = point.child()
        inner.put(loop, i)
        inner.advance()
        self._over_space(rest, inner)

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        """Everything that is computed at the points of `jammed` loops."""
        self._body(jammed, _jammed(jammed, point), point)

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        """Start, fold and finish side by side at several points, which share what `point` knows."""
        results = [list[SSAValue]() for _ in points]
        if self._nest.fold.data:
            initial = [self._run(self._nest.start, own, "start_reads", []) for own in points]
            flat = [value for values in initial for value in values]
            folded = self._over_fold(self._fold, point, points, flat)
            count = len(self._nest.accumulators)
            results = [folded[n * count : (n + 1) * count] for n in range(len(points))]
        if self._collects and len(points) > 1:
            self._finish_in_loops(jammed, point, results)
            return
        for own, values in zip(points, results, strict=True):
            self._finish_at(own, values)

    def _finish_at(self, point: Point, acc: Sequence[SSAValue]) -> None:
        written = self._run(self._nest.finish, point, "finish_reads", acc)
        for value, access in zip(written, self._nest.accesses("writes"), strict=True):
            self._k.store(value, access.buffer, point.places.indices(self._k, access.indices))

    def _finish_in_loops(self, jammed: Sequence[Loop], point: Point, results: Sequence[Sequence[SSAValue]]) -> None:
        """Keep what the fold gave for points side by side, in the order of `jammed` loops, and finish one by one."""
        k = self._k
        kept: list[SSAValue] = []
        for number, first in enumerate(results[0]):
            alloc = memref.AllocaOp.get(first.type, shape=[len(results)])
            kept.append(k.emit(alloc, first.name_hint or "acc"))
            for n, values in enumerate(results):
                k.store(values[number], kept[-1], [n])

        def visit(loops: Sequence[Loop], point: Point, place: Value) -> None:
            if not loops:
                self._finish_at(point, [k.load(buffer, [place], "acc") for buffer in kept])
                return
            loop, *rest = loops
            with k.loop(loop.name, 0, loop.extent) as i:
                inner = point.child()
                inner.put(loop, k.sub(loop.extent - 1, i) if loop.reverse else i)
                inner.advance()
                visit(rest, inner, k.add(k.mul(place, loop.extent), i))

        visit(jammed, point, 0)

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        if not loops:
            return self._step(point, points, acc)
        loop, *rest = loops
        tail = loop.extent_of_tail(self._nest.extents)
        whole = partial(self._fold_loop, loop, rest, point, points)
        if not tail:
            return whole(acc)
        last = partial(self._fold_at, loop, _shortened(rest, loop, tail), point, points, loop.extent)
        return whole(last(acc)) if loop.reverse else last(whole(acc))

    def _fold_loop(
        self, loop: Loop, rest: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        k = self._k
        if loop.form == "unroll":
            for i in loop.sequence():
                acc = self._fold_at(loop, rest, point, points, i, acc)
            return acc
        begin, end = point.fold_range(loop)

        def body(i: Value, state: list[SSAValue]) -> Sequence[SSAValue]:
            at = k.sub(k.add(begin, k.sub(end, 1)), i, loop.name) if loop.reverse else i
            return self._fold_at(loop, rest, point, points, at, state)

        arguments = self._nest.step.block.args[len(self._nest.step_reads) :]
        hints = [argument.name_hint or "acc" for argument in arguments] * len(points)
        name = f"{loop.name}_done" if loop.reverse else loop.name
        return k.reduce_several(name, begin, end, acc, body, hints)

    def _fold_at(
        self,
        loop: Loop,
        rest: Sequence[Loop],
        point: Point,
        points: Sequence[Point],
        i: Value,
        acc: list[SSAValue],
    ) -> list[SSAValue]:
        inner = point.child()
        inner.put(loop, i)
        inner.advance()
        return self._over_fold(rest, inner, points, acc)

    def _step(self, point: Point, points: Sequence[Point], acc: list[SSAValue]) -> list[SSAValue]:
        """One step at each point; what several read in one place is read once."""
        count, found = len(self._nest.accumulators), list[SSAValue]()
        loaded: dict[tuple[int, tuple[Value, ...]], SSAValue] = {}
        for number, own in enumerate(points):
            here = point if len(points) == 1 and own is point else point.beside(own)
            state = acc[number * count : (number + 1) * count]
            found += inline(self._step_region, self._k, here, [*here.read("step_reads", loaded), *state])
        return found

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        return inline(region, self._k, point, [*point.read(group), *acc])


def _jammed(loops: Sequence[Loop], point: Point) -> list[Point]:
    """The points that run side by side."""
    if not loops:
        return [point]
    found: list[Point] = []
    for combination in product(*(loop.sequence() for loop in loops)):
        own = point.child()
        for loop, i in zip(loops, combination, strict=True):
            own.put(loop, i)
        own.advance()
        found.append(own)
    return found


def _shortened(loops: Sequence[Loop], outer: Loop, extent: int) -> list[Loop]:
    """The loops inside the last, incomplete block of a split."""
    return [replace(loop, extent=extent) if loop.dim == outer.dim else loop for loop in loops]
