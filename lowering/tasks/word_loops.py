"""The loops of a nest whose schedule has `words`: sums of products of four channels that lie in one word.

Bytes (a0, a1, a2, a3) of one fold point and (b0, b1, b2, b3) of the next are packed into (a0, a1, b0, b1) and
(a2, a3, b2, b3), and these are (a0, b0), (a1, b1), (a2, b2), (a3, b3) as lanes: eight instructions with the loads, for
eight products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region, SSAValue

from ...dialects.simd import BYTES, LoadBytesOp, PackHighOp, PackOp, ScaleBytesOp, SumTapsOp
from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.loop import Loop
from ...dialects.task.loops import planned_loops
from ...dialects.task.schedule import Collect, Words
from ...dialects.task.words import Border, borders, words_plan
from ..builder import Loops
from .conditions import Condition, compared, conjunction
from .decided_loops import DecidedLoops
from .dual.common_shift import with_common_shift
from .dual.constants import Constants
from .dual.ending import ending
from .dual.pack import pack
from .dual.stream import Stream
from .dual.taps import Window, taps_of
from .dual.unpack import unpackings
from .dual.weights import WordWeights
from .inline import inline
from .inside import is_inside, is_point_inside, leaving
from .parts import part_of
from .point import Point


class WordLoops(DecidedLoops):
    """Emits one nest: the fold written out in pairs of points; what is clipped is a word of zero points."""

    def __init__(self, nest: NestOp, step: Words, k: Loops, constants: Constants):
        """Make the packed constants, which take the place of those that are passed."""
        (jammed,) = (loop for loop in planned_loops(nest) if loop.form == "jam")
        self._plan, scales = words_plan(nest, jammed.dim), None
        if Collect() not in nest.steps:
            nest, scales = with_common_shift(nest, k, self._plan, constants, scales=True)
        super().__init__(nest, k, clips=False)
        self._kind = WordWeights(self._plan)
        self._packed = pack(nest, self._plan, self._space, constants, self._kind, scales=scales)
        self._access = nest.accesses("step_reads")[self._plan.staged.read]
        self._border_dims = [nest.space.names.index(name) for name in step.borders]
        stream = None
        if not self._collects:
            stream = Stream.planned(nest, self._plan, self._packed, jammed.dim, constants)
        self._ending = None if stream is None else ending(nest, stream)
        if stream is not None:
            started = None if self._ending is None else self._ending.started
            stream = stream.put(nest, jammed.extent, constants, started=started)
        self._stream = stream
        self._words = self._packed.words if stream is None else stream.words
        self._decides = False
        """Whether what is clipped is known at compile time, at the points whose code is emitted."""
        self._in_block: list[Point] = []
        """The points that run side by side."""
        self._is_inside: Callable[[Point], Condition] = _always
        """Whether the staged factor has what a fold point reads, at the points whose code is emitted."""

    def _whole(self, loops: Sequence[Loop], point: Point) -> None:
        self._emit_with(_always, loops, point, decides=True)

    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        along = [[(dim, border) for border in borders(self._nest, dim)] for dim in self._border_dims]
        sides = [[(border,) for border in each] for each in along]
        cases = [sum(case, ()) for case in product(*([(), *each] for each in sides))]
        # What lies at fewer borders at once comes first, for it is met more often.
        self._at_borders(sorted(filter(None, cases), key=len), loops, point)

    def _at_borders(self, cases: Sequence[Sequence[tuple[int, Border]]], loops: Sequence[Loop], point: Point) -> None:
        """A branch for each border and corner, and for what is left."""
        if not cases:
            self._emit_with(self._is_inside_anywhere, loops, point, decides=False)
            return
        k, (case, *rest) = self._k, cases
        if not rest and self._deciding <= {*self._border_dims}:
            # Every other place is somewhere else: this corner is what is left.
            self._emit_with(partial(self._is_inside_at, _firsts(case)), loops, point, decides=True)
            return
        dims = [dim for dim, _ in case]
        found = [is_inside(k, self._nest, point.places, self._leaving, but_for=dims)]
        for dim, border in case:
            place = point.places.value(k, Linear(((dim, 1),), 0))
            found += [compared(k, "sge", place, border.first)] if border.first > 0 else []
            found += [compared(k, "slt", place, border.end)] if border.end < self._nest.extents[dim] else []
        inside = partial(self._is_inside_at, _firsts(case))
        at_border = partial(self._emit_with, inside, loops, point, decides=True)
        elsewhere = partial(self._at_borders, rest, loops, point)
        condition = conjunction(k, found)
        if isinstance(condition, bool):
            (at_border if condition else elsewhere)()
        else:
            k.branch(condition, at_border, elsewhere)

    def _emit_with(
        self, inside: Callable[[Point], Condition], loops: Sequence[Loop], point: Point, *, decides: bool
    ) -> None:
        self._is_inside, self._decides = inside, decides
        self._over_space(loops, point)
        self._is_inside, self._decides = _always, False

    def _is_inside_anywhere(self, tap: Point) -> Condition:
        return is_point_inside(self._k, self._nest, tap.places, self._access)

    def _is_inside_at(self, at: Mapping[int, int], tap: Point) -> Condition:
        """Whether what a fold point reads is inside where that depends on some dimensions alone, and lies there."""
        k, places = self._k, tap.places.child()
        for dim, place in at.items():
            places.put(dim, place)
        forms = [(self._nest.form(index), extent) for index, extent in leaving(self._nest, [self._access])]
        along = [(places.value(k, form), extent) for form, extent in forms if any(map(form.coefficient, at))]
        return conjunction(k, (compared(k, "ult", value, extent) for value, extent in along))

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        self._in_block = list(points)
        if not self._in_one_operation(points, point):
            super()._body(jammed, points, point)

    def _in_one_operation(self, points: Sequence[Point], point: Point) -> bool:
        """Emit the whole window as one operation, where there is one for it."""
        k, stream, nest = self._k, self._stream, self._nest
        if stream is None or not self._decides or len(points) != BYTES:
            return False
        found = self._window(point)
        if found is None:
            return False
        begin = stream.begin(k, points[0])
        tap = self._taps(self._fold, point)[found.first].beside(points[0])
        buffer, indices = part_of(self._access.buffer, tap.places.indices(k, self._access.indices))
        at, words = [k.index(i) for i in indices], k.index(begin)
        sums = k.emit(memref.AllocaOp.get(i32, shape=[BYTES]), "sums")
        k.builder.insert(SumTapsOp(buffer, at, found.taps, stream.words, words, sums, found.beside))
        if self._ending is None:
            for number, own in enumerate(points):
                self._finish_at(own, [k.load(sums, [number], "acc")])
            return True
        (access,) = nest.accesses("writes")
        to = [k.index(i) for i in points[0].places.indices(k, access.indices)]
        skipped = stream.ends(BYTES)
        k.builder.insert(ScaleBytesOp(sums, stream.words, words, skipped, access.buffer, to, self._ending))
        return True

    def _window(self, point: Point) -> Window | None:
        inside = list[bool]()
        for tap in self._taps(self._fold, point):
            is_in = self._is_inside(tap)
            if not isinstance(is_in, bool):
                return None
            inside.append(is_in)
        first = len(self._nest.space.data)
        folds = list(product(*map(range, self._nest.extents[first:])))
        return taps_of(self._nest, self._access, folds, inside, self._plan.staged)

    def _run(self, region: Region, point: Point, group: str, acc: Sequence[SSAValue]) -> list[SSAValue]:
        if self._stream is None:
            values = super()._run(region, point, group, acc)
            return [self._packed.start(self._k, point, values[0])] if region is self._nest.start else values
        k, begin = self._k, self._stream.begin(self._k, self._in_block[0])
        number, count = self._in_block.index(point), len(self._in_block)
        if region is self._nest.start:
            return [self._stream.start(k, begin, number)]
        hints = [argument.name_hint for argument in region.block.args[: len(self._nest.finish_reads)]]
        return inline(region, k, point, [*self._stream.end(k, begin, count, number, hints), *acc])

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        k, packed, stream = self._k, self._packed, self._stream
        begin = packed.begin(k, points[0])
        if stream is not None:
            begin = k.add(stream.begin(k, points[0]), stream.weights(len(points)))
        taps = self._taps(loops, point)
        for pair in range(self._plan.pairs):
            lanes = self._lanes(taps[2 * pair : 2 * pair + 2], points)
            weights = self._kind.factors(k, self._words, begin, 0, pair, len(points))
            # One after the other, as they are asked for: the fewer registers they need together.
            triples = zip(lanes, weights, acc, strict=True)
            acc = [self._kind.multiply_add(k, *triple, wraps=packed.wraps) for triple in triples]
        return acc

    def _taps(self, loops: Sequence[Loop], point: Point) -> list[Point]:
        """All fold points, in the order of the packed constant."""
        found = [point]
        for loop in sorted(loops, key=lambda loop: loop.dim):
            found = [self._at(outer, loop, i) for outer in found for i in range(loop.extent)]
        return found

    @staticmethod
    def _at(point: Point, loop: Loop, i: int) -> Point:
        inner = point.child()
        inner.put(loop, i)
        inner.advance()
        return inner

    def _lanes(self, taps: Sequence[Point], points: Sequence[Point]) -> Iterator[SSAValue]:
        """Return for each channel a word of what two fold points read; of the last one alone, in one half."""
        k = self._k
        if len(points) != BYTES:
            for own in points:
                values = [self._element(tap, own) for tap in taps]
                yield values[0] if len(values) == 1 else k.emit(PackOp(*values), "x")
            return
        words = [self._word(tap, points[0]) for tap in taps]
        if len(words) == 1:
            # The lanes are (a0, a2) and (a1, a3), each for two channels: `WordWeights` has zeros for the other.
            even, odd = (k.emit(unpack(*words), "x") for unpack in unpackings(self._plan.staged))
            yield from (even, odd, even, odd)
            return
        for both in (PackOp, PackHighOp):
            half = k.emit(both(*words))
            for unpack in unpackings(self._plan.staged):
                yield k.emit(unpack(half), "x")

    def _word(self, tap: Point, own: Point) -> SSAValue:
        def load(here: Point) -> Operation:
            buffer, indices = part_of(self._access.buffer, here.places.indices(self._k, self._access.indices))
            return LoadBytesOp(buffer, [self._k.index(index) for index in indices])

        zero = int.from_bytes((self._plan.staged.zero_point & 0xFF,) * BYTES, "little", signed=True)
        return self._unless_clipped(tap, own, load, zero, "bytes")

    def _element(self, tap: Point, own: Point) -> SSAValue:
        def load(here: Point) -> Operation:
            indices = here.places.indices(self._k, self._access.indices)
            value = self._k.load(*part_of(self._access.buffer, indices), "value")
            return (arith.ExtSIOp if self._plan.staged.signed else arith.ExtUIOp)(value, i32)

        return self._unless_clipped(tap, own, load, self._plan.staged.zero_point, "x")

    def _unless_clipped(
        self, tap: Point, own: Point, load: Callable[[Point], Operation], zero: int, hint: str
    ) -> SSAValue:
        """Return what is read at a fold point for one of the points side by side, or `zero`."""
        k = self._k

        def loaded() -> SSAValue:
            return k.emit(load(tap.beside(own)), hint)

        inside = self._is_inside(tap)
        if isinstance(inside, bool):
            return loaded() if inside else k.value(zero, i32)
        (value,) = k.either(inside, lambda: [loaded()], [k.value(zero, i32)])
        value.name_hint = hint
        return value


def _firsts(case: Sequence[tuple[int, Border]]) -> dict[int, int]:
    return {dim: border.first for dim, border in case}


def _always(_: Point) -> Condition:
    return True
