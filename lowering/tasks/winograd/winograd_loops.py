"""The loops of a nest whose schedule has `winograd`, whose constant is transformed and packed into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import prod

import numpy as np
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.loop import Loop
from ....dialects.task.steps import Dual, Winograd
from ....dialects.task.winograd import PRODUCTS, RESULTS, WinogradPlan, tiles, winograd_plan
from ...builder import Loops, Value
from ...constants import ConstantFactor, Constants, largest_sum, with_added
from ...constants.products import INT32_MAX
from ..dual.layouts import PAIRS, Lanes
from ..dual.pack import check_packed, folded, lanes, pack
from ..dual.stage import over_words
from ..ending import doublings, remove
from ..nest_loops import NestLoops, carries_out
from ..point import Point
from .transforms import CENTRE, TAPS, results
from .window import Window

_INT16_MAX = 2**15 - 1


@carries_out(Winograd)
class WinogradLoops(NestLoops):
    """Emits one nest: transformed words before the loops over channels, sums of products, then tiles of results."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        plan = winograd_plan(nest, nest.required_step(Winograd))
        check_packed(nest, plan.dual, Winograd.keyword, constants)
        of = ConstantFactor.of(nest, plan.dual.packed, constants)
        assert of is not None, "asked before: it is a constant"
        factors = [_transformed(nest, plan, each) for each in of.values]
        if any(abs(factor) > _INT16_MAX for each in factors for factor in (each.min(initial=0), each.max(initial=0))):
            raise ValueError("winograd: a transformed weight does not fit a lane of 16 bits")
        starts = with_added(nest, of.dims, [folded(each, 0) for each in of.values], constants)
        if starts is None:
            raise ValueError("winograd: sums do not start from constants, one for each channel")
        element = max(map(abs, plan.dual.staged.extremes))
        for each, start in zip(of.values, starts[1], strict=True):
            if largest_sum(each, start, element) << len(plan.dims) > INT32_MAX:
                raise ValueError("winograd: a sum may leave 32 bits when it is scaled")

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._plan = plan = winograd_plan(nest, nest.required_step(Winograd))
        scale, transform = len(plan.dims), partial(_transformed, nest, plan)
        self._packed = pack(nest, k, plan.dual, constants, self._space, PAIRS, transform=transform, scale=scale)
        twice = doublings(nest.finish.block.args[-1])
        # What is scaled back by one bit less is the double.
        remove(twice)
        self._shift = scale - 1 if twice else scale
        """By how many bits sums are scaled back."""
        jammed = {loop.dim: loop.extent for loop in self._space if loop.form == "jam"}
        self._window = Window(nest, k, plan, [jammed[d] for d in plan.dims])
        self._waiting = [self._copied(plan.dual.staged_dims, self._window.fill)]

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
        size, unroll = width * count, self._plan.dual.step.unroll
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
        k, found = self._k, list(sums)
        centre = sum(CENTRE * PRODUCTS**n for n in range(len(self._plan.dims)))
        found[centre] = k.emit(arith.AddiOp(found[centre], start))
        return [k.shift_right(value, self._shift) if self._shift else value for value in results(k, found)]

    @staticmethod
    def _of_tile(
        own: Point, pixels: Sequence[Loop], tile: Sequence[int], values: Sequence[SSAValue]
    ) -> Iterator[tuple[Point, SSAValue]]:
        """Return those points of a tile that are there, each with its value."""
        for value, offset in zip(values, product(range(RESULTS), repeat=len(pixels)), strict=True):
            places = [RESULTS * t + o for t, o in zip(tile, offset, strict=True)]
            if all(place < loop.extent for place, loop in zip(places, pixels, strict=True)):
                yield own.within(pixels, places), value


def _transformed(nest: NestOp, plan: WinogradPlan, values: Lanes) -> Lanes:
    """[channels, fold points] as [channels, products, other fold points in pairs]."""
    outer, values = nest.folds[:-1], lanes(dual_plan(nest, Dual(1, 1)), values)
    split = values.reshape(len(values), *(nest.extents[d] for d in outer), -1)
    order = [0, *(1 + outer.index(d) for d in (*plan.taps, *plan.rest)), split.ndim - 1]
    turned = split.transpose(order)
    for axis in range(1, 1 + len(plan.taps)):
        turned = np.moveaxis(np.tensordot(TAPS, turned, axes=(1, axis)), 0, axis)
    return turned.reshape(len(values), -1)
