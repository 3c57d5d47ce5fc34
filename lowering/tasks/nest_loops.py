"""The loops of one nest: space loops, the fold inside them, and the regions' operations in their places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
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

        def whole() -> None:
            for i in self._indices(loop):
                self._over_space(rest, point.entered(loop, i))

        def last() -> None:
            if tail:
                self._over_space(_shortened(rest, loop, tail), point.entered(loop, loop.extent))

        for part in (last, whole) if loop.reverse else (whole, last):
            part()

    def _indices(self, loop: Loop) -> Iterator[Value]:
        """The points of a loop: one after the other, or what runs over them in the loop that is open meanwhile."""
        if loop.form == "unroll":
            yield from loop.sequence()
            return
        name = f"{loop.name}_done" if loop.reverse and loop.extent > 1 else loop.name
        with self._k.loop(name, 0, loop.extent) as i:
            yield self._k.sub(loop.extent - 1, i, loop.name) if loop.reverse else i

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        """Everything that is computed at the points of `jammed` loops."""
        self._body(jammed, point.side_by_side(jammed), point)

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
        point.write(self._run(self._nest.finish, point, "finish_reads", acc))

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
        if not loops:
            return self._step(point, points, acc)
        loop, *rest = loops
        tail = loop.extent_of_tail(self._nest.extents)
        whole = partial(self._fold_loop, loop, rest, point, points)
        if not tail:
            return whole(acc)
        shortened = _shortened(rest, loop, tail)

        def last(acc: list[SSAValue]) -> list[SSAValue]:
            return self._over_fold(shortened, point.entered(loop, loop.extent), points, acc)

        return whole(last(acc)) if loop.reverse else last(whole(acc))

    def _fold_loop(
        self, loop: Loop, rest: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        k = self._k
        if loop.form == "unroll":
            for i in loop.sequence():
                acc = self._over_fold(rest, point.entered(loop, i), points, acc)
            return acc
        begin, end = point.fold_range(loop)

        def body(i: Value, state: list[SSAValue]) -> Sequence[SSAValue]:
            at = k.sub(k.add(begin, k.sub(end, 1)), i, loop.name) if loop.reverse else i
            return self._over_fold(rest, point.entered(loop, at), points, state)

        arguments = self._nest.step.block.args[len(self._nest.step_reads) :]
        hints = [argument.name_hint or "acc" for argument in arguments] * len(points)
        name = f"{loop.name}_done" if loop.reverse else loop.name
        return k.reduce_several(name, begin, end, acc, body, hints)

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


def _shortened(loops: Sequence[Loop], outer: Loop, extent: int) -> list[Loop]:
    """The loops inside the last, incomplete block of a split."""
    return [replace(loop, extent=extent) if loop.dim == outer.dim else loop for loop in loops]
