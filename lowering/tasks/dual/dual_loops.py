"""The loops of a nest whose schedule has `dual`, `single` or `swar`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd.tiles import SWAR_CHANNELS, TILE_CHANNELS, DualProductsOp, SwarProductsOp
from ....dialects.task import NestOp
from ....dialects.task.dual import InWords, dual_plan, is_direct
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ...constants import Constants
from ..nest_loops import NestLoops, Once, carries_out
from ..point import Loaded, Point
from .layouts import PAIRS, SHARED_BITS, SHARED_BYTES, SWAR
from .pack import Packed, check_packed, pack
from .stage import Direct, Stage, over_words
from .tiles import blocks, is_tile, starts_in_line, written_out


class SideBySide:
    """Points that run side by side: all places of the staged factor with all channels of the packed one."""

    def __init__(self, points: Sequence[Point], jammed: Sequence[Loop], staged_dims: Collection[int]):
        self.points = points
        self.places: list[tuple[int, int]] = []
        """The number of each point among the places of the staged factor, and that of its channel."""
        for indices in itertools.product(*(loop.sequence() for loop in jammed)):
            pixel = channel = 0
            for loop, i in zip(jammed, indices, strict=True):
                if loop.dim in staged_dims:
                    pixel = pixel * loop.extent + i
                else:
                    channel = channel * loop.extent + i
            self.places.append((pixel, channel))
        self.width = 1 + max(pixel for pixel, _ in self.places)
        """Places of the staged factor."""
        channels = range(len(points) // self.width)
        self.channels = [[n for n, (_, own) in enumerate(self.places) if own == channel] for channel in channels]
        """The numbers of each channel's points."""
        self.firsts = [points[numbers[0]] for numbers in self.channels]
        """The first point of each channel."""

    def sharing(self) -> dict[int, int]:
        """Return the points of the words' upper channels, each with that of the lower one."""
        numbers = {place: n for n, place in enumerate(self.places)}
        return {n: numbers[pixel, channel - 1] for (pixel, channel), n in numbers.items() if channel % 2}


@carries_out(InWords)
class DualLoops(NestLoops):
    """Emits one nest: words of lanes before the loops over channels, then sums of products of words."""

    @classmethod
    def check(cls, nest: NestOp, loops: Sequence[Loop], constants: Constants) -> None:
        plan = dual_plan(nest)
        check_packed(nest, plan, plan.step.keyword, constants)

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        super().__init__(nest, k, constants)
        self._plan = plan = dual_plan(nest)
        jammed = [loop for loop in self._space if loop.form == "jam"]
        points = math.prod(loop.extent for loop in jammed if loop.dim in plan.staged_dims)
        channels = next((loop.extent for loop in jammed if loop.dim not in plan.staged_dims), 1)
        of_tile = is_tile(plan, channels, points) and not is_direct(nest)
        if plan.step.both:
            # Roles change, the order of fold points stays.
            other = replace(plan, staged=plan.packed, packed=plan.staged)
            copy = Stage(nest, k, other, channels)
            self._waiting = [self._copied(copy.dims, copy.fill)]
            # One block of channels at a time is there.
            self._packed = Packed(nest, k, plan, constants, PAIRS, copy.buffer, {}, {})
        else:
            shares = plan.step.bytes and of_tile and not self._collects
            self._packed = pack(nest, k, plan, constants, self._space, shares=shares)
        self._has_tiles = of_tile and (not plan.step.bytes or self._packed.layout == SHARED_BYTES)
        self._stage: Stage | Direct
        if is_direct(nest):
            self._stage = Direct(nest, k, plan)
        else:
            self._stage = Stage(nest, k, plan, points, with_totals=self._packed.raised != 0)
        self._waiting = [*self._waiting, self._copied(plan.staged_dims, self._stage.fill)]
        if self._has_tiles and not self._collects:
            emit = blocks(self._packed, self._buffer, self._space)
            if emit is not None:
                # All channels in one operation.
                self._waiting = [*self._waiting, Once(plan.staged_dims, emit)]

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        """Sums side by side: all points of the staged factor with all channels of the packed one."""
        block = SideBySide(points, jammed, self._plan.staged_dims)
        if self._plan.step.swar:
            sums = self._swar_sums(block)
        elif self._has_tiles and is_tile(self._plan, len(block.firsts), block.width):
            sums = self._tile_sums(jammed, block)
        else:
            sums = self._sums(block)
        sums = self._less_zero_points(block, sums)
        if self._collects and len(points) > 1:
            self._finish_in_loops(jammed, point, [[one] for one in sums])
            return
        for first, numbers in zip(block.firsts, block.channels, strict=True):
            self._finish_sharing(first, [(points[n], sums[n]) for n in numbers], self._plan.staged_dims)

    def _sums(self, block: SideBySide) -> list[SSAValue]:
        """Return the sum of each point, made by an instruction for each word of two factors."""
        k, packed, layout = self._k, self._packed, self._packed.layout
        starts, begin = [self._start(own) for own in block.firsts], packed.begin(block.firsts[0])

        def add(first: Value, place: int, acc: list[SSAValue]) -> list[SSAValue]:
            values = [self._stage.value(first, place, n, block.width) for n in range(block.width)]
            acc = list(acc)
            weights = packed.factors(begin, first, place, len(starts))
            for numbers, weight in zip(block.channels, weights, strict=True):
                for n in numbers:
                    acc[n] = packed.multiply_add(values[block.places[n][0]], weight, acc[n])
            return acc

        starting = [starts[channel] for _, channel in block.places]
        for n, (pixel, _) in enumerate(block.places) if packed.raised else ():
            # Raising the constants adds so much.
            more = k.emit(arith.MuliOp(self._stage.totals[pixel], k.value(packed.raised, i32)))
            starting[n] = k.emit(arith.SubiOp(starting[n], more), "acc")
        shared = block.sharing() if layout == SHARED_BYTES else {}
        for upper, lower in shared.items():
            raised = k.emit(arith.MuliOp(starting[upper], k.value(1 << SHARED_BITS, i32)))
            starting[upper] = k.emit(arith.AddiOp(raised, starting[lower]), "acc")
        sums = [k.value(0, i32)] * len(starting) if layout.scale else starting
        sums = over_words(k, self._plan.pairs, self._plan.step.unroll, add, sums, "acc")
        if layout.scale:
            pairs = zip(sums, starting, strict=True)
            sums = [k.emit(arith.AddiOp(k.shift_right(one, layout.scale), first), "acc") for one, first in pairs]
        for upper, lower in shared.items():
            sums[upper] = k.shift_right(k.emit(arith.SubiOp(sums[upper], sums[lower])), SHARED_BITS)
        return sums

    def _tile_sums(self, jammed: Sequence[Loop], block: SideBySide) -> list[SSAValue]:
        """Return the sum of each point, all made by one operation."""
        k, plan, first, count = self._k, self._plan, block.firsts[0], TILE_CHANNELS * block.width
        weights = self._packed.words, k.index(self._packed.begin(first))
        (channels,) = (loop for loop in jammed if loop.dim not in plan.staged_dims)
        starts = starts_in_line(self._packed, channels, first)
        if starts is None:
            starts = k.emit(memref.AllocaOp.get(i32, shape=[TILE_CHANNELS]), "starts"), 0
            for channel, own in enumerate(block.firsts):
                k.store(self._start(own), starts[0], [channel])
        sums = k.emit(memref.AllocaOp.get(i32, shape=[count]), "sums")
        places = self._buffer, k.index(0), *weights, starts[0], k.index(starts[1]), sums
        k.builder.insert(DualProductsOp(*places, count=plan.pairs, unroll=written_out(plan), bytes=plan.step.bytes))
        found = [k.load(sums, [place], "acc") for place in range(count)]
        return [found[channel * block.width + pixel] for pixel, channel in block.places]

    def _swar_sums(self, block: SideBySide) -> list[SSAValue]:
        """Return the sum of each channel, all made by one operation, which adds them to where they start."""
        k, packed = self._k, self._packed
        begin = packed.begin(block.firsts[0])
        sums = k.emit(memref.AllocaOp.get(i32, shape=[SWAR_CHANNELS]), "sums")
        starts = [self._start(own) for own in block.firsts]
        for n, start in enumerate([*starts, *[k.value(0, i32)] * (SWAR_CHANNELS - len(starts))]):
            k.store(start, sums, [n])
        count = SWAR.extent_of_fold(self._plan.pairs)
        k.builder.insert(SwarProductsOp(self._buffer, k.index(0), packed.words, k.index(begin), sums, count=count))
        return [k.load(sums, [n], "acc") for n in range(len(starts))]

    @property
    def _buffer(self) -> SSAValue:
        assert isinstance(self._stage, Stage), "what is read directly is not asked for"
        return self._stage.buffer

    def _less_zero_points(self, block: SideBySide, sums: list[SSAValue]) -> list[SSAValue]:
        """The sums of points, less what zero points that are known at run time only add to them."""
        read = self._plan.staged.zero_point_read
        if read is None:
            return sums
        k, found = self._k, list[SSAValue]()
        loaded: Loaded = {}
        weights: dict[int, SSAValue] = {}
        for point, (_, channel), total in zip(block.points, block.places, sums, strict=True):
            (zero_point,) = point.read("step_reads", loaded, [read])
            if channel not in weights:
                weights[channel] = self._packed.weights_of(point)
            less = k.emit(arith.MuliOp(zero_point, weights[channel]))
            found.append(k.emit(arith.SubiOp(total, less), "acc"))
        return found

    def _start(self, point: Point) -> SSAValue:
        return self._packed.start(point, *self._start_at(point))
