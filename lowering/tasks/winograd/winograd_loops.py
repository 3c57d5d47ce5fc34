"""The loops of a nest whose schedule has `winograd`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Winograd
from ....dialects.task.winograd import PRODUCTS, RESULTS, tiles, winograd_plan
from ...builder import Loops, Value
from ..dual.constants import Constants
from ..dual.stage import over_words
from ..inline import inline
from ..nest_loops import NestLoops
from ..point import Point
from .pack import pack
from .transforms import CENTRE, results
from .window import Window


class WinogradLoops(NestLoops):
    """Emits one nest: transformed words before the loops over channels, sums of products, then tiles of results."""

    def __init__(self, nest: NestOp, step: Winograd, k: Loops, constants: Constants):
        """Make the transformed constants, which take the place of those that are passed."""
        super().__init__(nest, k, clips=False)
        self._plan = winograd_plan(nest, step)
        self._packed = pack(nest, self._plan, self._space, constants)
        jammed = {loop.dim: loop.extent for loop in self._space if loop.form == "jam"}
        self._window = Window(nest, k, self._plan, [jammed[d] for d in self._plan.dims])
        self._is_filled = False

    def _over_space(self, loops: Sequence[Loop], point: Point) -> None:
        staged = self._plan.dual.staged_dims
        if self._is_filled or any(loop.dim in staged and loop.form != "jam" for loop in loops):
            super()._over_space(loops, point)
            return
        self._is_filled = True
        self._window.fill(point, [loop for loop in loops if loop.dim in self._plan.dims])
        super()._over_space(loops, point)
        self._is_filled = False

    def _side_by_side(self, jammed: Sequence[Loop], point: Point) -> None:
        k = self._k
        channel = next((loop for loop in jammed if loop.dim not in self._plan.dims), None)
        pixels = [next(loop for loop in jammed if loop.dim == dim) for dim in self._plan.dims]
        count = 1 if channel is None else channel.extent
        width = tiles([loop.extent for loop in pixels])
        sums = self._sums(point.child() if channel is None else point.entered(channel, 0), count, width)
        with k.loop("channel" if channel is None else channel.name, 0, count) as i:
            own = point.child() if channel is None else point.entered(channel, i)
            start = self._packed.start(k, self._nest, own)
            for number, tile in enumerate(itertools.product(*(range(tiles([loop.extent])) for loop in pixels))):
                found = [
                    k.load(sums, [k.add(i, (product * width + number) * count)], "product")
                    for product in range(self._plan.sums)
                ]
                self._finish_tile(own, pixels, tile, self._results(found, start))

    def _sums(self, point: Point, count: int, width: int) -> SSAValue:
        """Sums of products, `[product][tile][channel]`; `point` is at the first of the channels."""
        k, packed, words, buffer = self._k, self._packed, self._plan.words, self._window.buffer
        size, unroll = width * count, min(self._plan.dual.unroll, words)
        sums = k.emit(memref.AllocaOp.get(i32, shape=[self._plan.sums * size]), "sums")
        begin = packed.begin(k, point)

        def add(first: Value, place: int, acc: Sequence[SSAValue]) -> list[SSAValue]:
            values = [k.load(buffer, [k.add(k.mul(first, width), place * width + n)], f"x{n}") for n in range(width)]
            found = list(acc)
            for channel, weight in enumerate(packed.kind.factors(k, packed.words, begin, first, place, count)):
                for n, value in enumerate(values):
                    at = n * count + channel
                    found[at] = packed.kind.multiply_add(k, value, weight, found[at], wraps=True)
            return found

        with k.loop("product", 0, self._plan.sums) as product:
            first = k.mul(product, words)
            zeros = [k.value(0, i32)] * size
            acc = over_words(k, words, unroll, lambda at, n, acc: add(k.add(first, at), n, acc), zeros, "acc")
            for n, total in enumerate(acc):
                k.store(total, sums, [k.add(k.mul(product, size), n)])
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
        return [k.shift_right(value, self._packed.shift) if self._packed.shift else value for value in flat]

    def _finish_tile(self, own: Point, pixels: Sequence[Loop], tile: Sequence[int], values: list[SSAValue]) -> None:
        """Finish those points of a tile that are there; they share what is read by channel."""
        k, nest, staged = self._k, self._nest, self._plan.dual.staged_dims
        is_shared = all(staged.isdisjoint(nest.dims_of(access)) for access in nest.accesses("finish_reads"))
        once = own.read("finish_reads") if is_shared else None
        written: list[tuple[Point, list[SSAValue]]] = []
        for number, offset in enumerate(itertools.product(range(RESULTS), repeat=len(pixels))):
            places = [RESULTS * t + o for t, o in zip(tile, offset, strict=True)]
            if any(place >= loop.extent for place, loop in zip(places, pixels, strict=True)):
                continue
            here = own.child()
            for loop, place in zip(pixels, places, strict=True):
                here.put(loop, place)
            here.advance()
            reads = here.read("finish_reads") if once is None else once
            written.append((here, inline(nest.finish, k, here, [*reads, values[number]])))
        for here, found in written:
            for value, access in zip(found, nest.accesses("writes"), strict=True):
                k.store(value, access.buffer, here.places.indices(k, access.indices))
