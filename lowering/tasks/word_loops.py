"""The loops of a nest whose schedule has `words`: sums of products of four channels that lie in one word.

Bytes (a0, a1, a2, a3) of one fold point and (b0, b1, b2, b3) of the next are packed into (a0, a1, b0, b1) and
(a2, a3, b2, b3), and these are (a0, b0), (a1, b1), (a2, b2), (a3, b3) as lanes: eight instructions with the loads, for
eight products.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.operations import all_of
from ...dialects.simd.moves import LoadBytesOp
from ...dialects.simd.windows import ScaleBytesOp, SumTapsOp, WindowsOp
from ...dialects.simd.words import BYTES, PackHighOp, PackOp
from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.loop import Loop
from ...dialects.task.steps import Words
from ...dialects.task.words import borders, words_plan
from ..builder import Loops
from ..constants import Constants
from .bytes_of_words import UNPACKINGS, splat
from .conditions import chosen, conjunction, is_inside, is_point_inside, leaving
from .dual.layouts import PAIRS, WORDS
from .dual.pack import check_packed, pack
from .dual.stream import Stream
from .dual.taps import taps_of
from .function_block import function_block
from .inline import inline
from .nest_loops import NestLoops, carries_out, jammed_of
from .point import Point


@carries_out(Words)
class WordLoops(NestLoops):
    """Emits one nest: the fold written out in pairs of points; what is clipped is a word of zero points."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        check_packed(nest, words_plan(nest, jammed_of(loops).dim), Words.keyword, constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        jammed = jammed_of(self._space)
        self._plan = words_plan(nest, jammed.dim)
        decided = self._decision(partial(self._emit_at, {}), self._clipped)
        self._waiting, self._deciding = [decided], decided.dims
        layout = WORDS if len(self._plan.run_points()) % 2 else PAIRS
        self._packed = pack(nest, k, self._plan, constants, self._space, layout)
        self._access = nest.accesses("step_reads")[self._plan.staged.read]
        self._sides = leaving(nest, [self._access])
        self._border_dims = [nest.space.names.index(name) for name in nest.required_step(Words).borders]
        self._stream = None if self._collects else Stream.planned(self._packed, jammed.dim)
        if self._stream is not None:
            self._stream = self._stream.put(jammed.extent)
            self._packed = self._stream.packed
        self._folds = list(product(*(range(nest.extents[d]) for d in nest.folds)))
        """The fold points, in the order of the packed constant."""
        self._in_block: list[Point] = []
        """The points that run side by side."""
        self._inside: Sequence[bool] | None = None
        """Whether each fold point is not clipped at the points whose code is emitted; None where it has to be asked."""

    def emit(self) -> None:
        """Emit the loops; those over windows are operations of their own."""
        block = function_block(self._nest)
        super().emit()
        for loop in all_of(block, scf.ForOp):
            if (windows := WindowsOp.taken(loop)) is not None:
                Rewriter.replace_op(loop, windows)

    def _clipped(self, loops: Sequence[Loop], point: Point) -> None:
        along = [[None, *((dim, border) for border in borders(self._nest, dim))] for dim in self._border_dims]
        cases = [dict(filter(None, case)) for case in product(*along)]
        # What lies at fewer borders at once comes first, for it is met more often.
        self._at_borders(sorted(filter(None, cases), key=len), loops, point)

    def _at_borders(self, cases: Sequence[Mapping[int, range]], loops: Sequence[Loop], point: Point) -> None:
        """A branch for each border and corner, and for what is left."""
        if not cases:
            self._emit_at(None, loops, point)
            return
        k, nest, (case, *rest) = self._k, self._nest, cases
        at_border = partial(self._emit_at, {dim: border.start for dim, border in case.items()}, loops, point)
        if not rest and {*self._deciding} <= {*self._border_dims}:
            # Every other place is somewhere else: this corner is what is left.
            at_border()
            return
        others = [side for side in self._sides if not any(map(nest.form(side[0]).coefficient, case))]
        found = [is_inside(point, others)]
        for dim, border in case.items():
            place = point.value(Linear(((dim, 1),), 0))
            found += [k.holds("sge", place, border.start)] if border.start > 0 else []
            found += [k.holds("slt", place, border.stop)] if border.stop < nest.extents[dim] else []
        k.branch(conjunction(k, found), at_border, partial(self._at_borders, rest, loops, point))

    def _emit_at(self, at: Mapping[int, int] | None, loops: Sequence[Loop], point: Point) -> None:
        """Emit code for places along space dimensions that say what is clipped, each of them alone."""
        self._inside = None if at is None else self._inside_at(at)
        self._over_space(loops, point)
        self._inside = None

    def _inside_at(self, at: Mapping[int, int]) -> list[bool]:
        """Whether the staged factor has what each fold point reads, as far as indices depend on these places."""
        nest = self._nest
        sides = [(nest.form(index), extent) for index, extent in self._sides]
        along = [(form, extent) for form, extent in sides if any(map(form.coefficient, at))]
        places = [{**at, **dict(zip(nest.folds, fold, strict=True))} for fold in self._folds]
        return [all(0 <= form.at(place) < extent for form, extent in along) for place in places]

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        self._in_block = list(points)
        if not self._in_one_operation(points, point):
            super()._body(jammed, points, point)

    def _in_one_operation(self, points: Sequence[Point], point: Point) -> bool:
        """Emit the whole window as one operation, where there is one for it."""
        k, stream = self._k, self._stream
        if stream is None or self._inside is None or len(points) != BYTES:
            return False
        found = taps_of(self._nest, self._access, self._folds, self._inside, self._plan.staged)
        if found is None:
            return False
        begin = stream.begin(points[0])
        folds = sorted(self._fold, key=lambda loop: loop.dim)
        tap = point.within(folds, self._folds[found.first]).beside(points[0])
        (buffer, at), words = tap.operands(self._access), k.index(begin)
        sums = k.emit(memref.AllocaOp.get(i32, shape=[BYTES]), "sums")
        k.builder.insert(SumTapsOp(buffer, at, found.beside, stream.packed.words, words, sums, **vars(found.taps)))
        if stream.ending is None:
            for number, own in enumerate(points):
                self._finish_at(own, [k.load(sums, [number], "acc")])
            return True
        out = points[0].operands(*self._nest.accesses("writes"))
        skipped = stream.ends(BYTES)
        k.builder.insert(ScaleBytesOp(sums, stream.packed.words, words, *out, skipped=skipped, **vars(stream.ending)))
        return True

    def _start_at(self, point: Point) -> list[SSAValue]:
        stream = self._stream
        if stream is None:
            return [self._packed.start(point, *super()._start_at(point))]
        return [stream.start(stream.begin(self._in_block[0]), self._in_block.index(point))]

    def _finish_at(self, point: Point, acc: Sequence[SSAValue]) -> None:
        stream, block, nest = self._stream, self._in_block, self._nest
        if stream is None:
            super()._finish_at(point, acc)
            return
        hints = [argument.name_hint for argument in nest.finish.block.args[: len(nest.finish_reads)]]
        reads = stream.end(stream.begin(block[0]), len(block), block.index(point), hints)
        point.write(inline(nest.finish, point, [*reads, *acc]))

    def _over_fold(
        self, loops: Sequence[Loop], point: Point, points: Sequence[Point], acc: list[SSAValue]
    ) -> list[SSAValue]:
        k, packed, stream = self._k, self._packed, self._stream
        # Nothing reads it where there is a stream, but with rows a plan of memory differs without it.
        begin = packed.begin(points[0])
        if stream is not None:
            # The starts of a block come first.
            begin = k.add(stream.begin(points[0]), len(points))
        taps = list(enumerate(self._taps(loops, point)))
        for pair in range(self._plan.pairs):
            lanes = self._lanes(taps[2 * pair : 2 * pair + 2], points)
            weights = packed.factors(begin, 0, pair, len(points))
            # One after the other, as they are asked for: the fewer registers they need together.
            triples = zip(lanes, weights, acc, strict=True)
            acc = [packed.multiply_add(*triple) for triple in triples]
        return acc

    def _taps(self, loops: Sequence[Loop], point: Point) -> list[Point]:
        """All fold points, in the order of the packed constant."""
        found = [point]
        for loop in sorted(loops, key=lambda loop: loop.dim):
            found = [outer.entered(loop, i) for outer in found for i in range(loop.extent)]
        return found

    def _lanes(self, taps: Sequence[tuple[int, Point]], points: Sequence[Point]) -> Iterator[SSAValue]:
        """Return for each channel a word of what two fold points read; of the last one alone, in one half."""
        k = self._k
        if len(points) != BYTES:
            for own in points:
                values = [self._read(*tap, own) for tap in taps]
                yield values[0] if len(values) == 1 else k.emit(PackOp(*values), "x")
            return
        words = [self._read(*tap, points[0], are_four=True) for tap in taps]
        if len(words) == 1:
            # The lanes are (a0, a2) and (a1, a3), each for two channels: `WORDS` has zeros for the other.
            even, odd = (k.emit(unpack(*words), "x") for unpack in UNPACKINGS[self._plan.staged.signed])
            yield from (even, odd, even, odd)
            return
        for both in (PackOp, PackHighOp):
            half = k.emit(both(*words))
            for unpack in UNPACKINGS[self._plan.staged.signed]:
                yield k.emit(unpack(half), "x")

    def _read(self, number: int, tap: Point, own: Point, *, are_four: bool = False) -> SSAValue:
        """What a fold point reads for a point, or for it and those beside it, four bytes; zero points if clipped."""
        k, staged = self._k, self._plan.staged
        zero, hint = (splat(staged.zero_point), "bytes") if are_four else (staged.zero_point, "x")

        def loaded() -> SSAValue:
            here = tap.beside(own)
            if are_four:
                return k.emit(LoadBytesOp(*here.operands(self._access)), hint)
            value = k.load(*here.element(self._access), "value")
            return k.emit((arith.ExtSIOp if staged.signed else arith.ExtUIOp)(value, i32), hint)

        inside = is_point_inside(tap, self._sides) if self._inside is None else self._inside[number]
        return chosen(k, inside, loaded, lambda: k.value(zero, i32), hint)
