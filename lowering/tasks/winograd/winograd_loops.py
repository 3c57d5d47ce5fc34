"""The loops of a nest whose schedule has `winograd`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Winograd
from ....dialects.task.winograd import PRODUCTS, RESULTS, tiles, winograd_plan
from ...builder import Loops, Value
from ...constants import Constants
from ..dual.stage import over_words
from ..nest_loops import NestLoops
from ..point import Point
from .pack import check_exact, pack_transformed
from .transforms import CENTRE, results
from .window import Window


class WinogradLoops(NestLoops):
    """Emits one nest: transformed words before the loops over channels, sums of products, then tiles of results."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        check_exact(nest, winograd_plan(nest, nest.required_step(Winograd)), constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._plan = winograd_plan(nest, nest.required_step(Winograd))
        self._packed, self._shift = pack_transformed(nest, k, self._plan, constants, self._space)
        jammed = {loop.dim: loop.extent for loop in self._space if loop.form == "jam"}
        self._window = Window(nest, k, self._plan, [jammed[d] for d in self._plan.dims])
        self._waiting = [self._copied(self._plan.dual.staged_dims, self._window.fill)]

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        k, plan = self._k, self._plan
        channels = [loop for loop in jammed if loop.dim not in plan.dims]
        pixels = [next(loop for loop in jammed if loop.dim == dim) for dim in plan.dims]
        count, width = prod(loop.extent for loop in channels), tiles([loop.extent for loop in pixels])
        sums = self._sums(point.within(channels, [0] * len(channels)), count, width)

        def finish(own: Point, channel: Value) -> None:
            start = self._start(own)
            for number, tile in enumerate(product(*(range(tiles([loop.extent])) for loop in pixels))):
                places = [k.add(channel, (n * width + number) * count) for n in range(plan.sums)]
                found = self._results([k.load(sums, [place], "product") for place in places], start)
                self._finish_sharing(own, self._of_tile(own, pixels, tile, found), plan.dual.staged_dims)

        point.each(channels, finish)

    def _start(self, point: Point) -> SSAValue:
        """The start of a channel's results, scaled."""
        (start,) = self._start_at(point)
        if self._packed.sums is not None:
            # There is no constant that is scaled already.
            start = self._k.shift_left(start, len(self._plan.dims))
        return self._packed.start(point, start, hint="start")

    def _sums(self, point: Point, count: int, width: int) -> SSAValue:
        """Sums of products, `[product][tile][channel]`; `point` is at the first of the channels."""
        k, packed, words, buffer = self._k, self._packed, self._plan.words, self._window.buffer
        size, unroll = width * count, min(self._plan.dual.step.unroll, words)
        sums = k.emit(memref.AllocaOp.get(i32, shape=[self._plan.sums * size]), "sums")
        begin = packed.begin(point)

        def add(first: Value, place: int, acc: Sequence[SSAValue]) -> list[SSAValue]:
            values = [k.load(buffer, [k.add(k.mul(first, width), place * width + n)], f"x{n}") for n in range(width)]
            found = list(acc)
            for channel, weight in enumerate(packed.factors(begin, first, place, count)):
                for n, value in enumerate(values):
                    at = n * count + channel
                    found[at] = packed.multiply_add(value, weight, found[at])
            return found

        with k.loop("product", 0, self._plan.sums) as number:
            first = k.mul(number, words)
            zeros = [k.value(0, i32)] * size
            acc = over_words(k, words, unroll, lambda at, n, acc: add(k.add(first, at), n, acc), zeros, "acc")
            for n, total in enumerate(acc):
                k.store(total, sums, [k.add(k.mul(number, size), n)])
        return sums

    def _results(self, sums: Sequence[SSAValue], start: SSAValue) -> list[SSAValue]:
        """The sums of all products at the points of a tile, in order."""
        k, dims = self._k, len(self._plan.dims)
        rows = [list(sums[n : n + PRODUCTS ** (dims - 1)]) for n in range(0, len(sums), PRODUCTS ** (dims - 1))]
        centre = CENTRE if dims == 2 else 0
        rows[CENTRE][centre] = k.emit(arith.AddiOp(rows[CENTRE][centre], start))
        found = results(k, rows)
        if dims == 2:
            found = [[value for (value,) in results(k, [[one] for one in row])] for row in found]
        flat = [value for row in found for value in row]
        return [k.shift_right(value, self._shift) if self._shift else value for value in flat]

    @staticmethod
    def _of_tile(
        own: Point, pixels: Sequence[Loop], tile: Sequence[int], values: Sequence[SSAValue]
    ) -> Iterator[tuple[Point, SSAValue]]:
        """Return those points of a tile that are there, each with its value."""
        for value, offset in zip(values, product(range(RESULTS), repeat=len(pixels)), strict=True):
            places = [RESULTS * t + o for t, o in zip(tile, offset, strict=True)]
            if all(place < loop.extent for place, loop in zip(places, pixels, strict=True)):
                yield own.within(pixels, places), value
