"""The loops of a nest whose schedule has `dual`, `single` or `swar`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import SWAR_CHANNELS, TILE_CHANNELS, DualProductsOp, SwarProductsOp
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan, is_direct
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Collect
from ...builder import Loops, Value
from ...constants import Constants
from ..inline import inline
from ..nest_loops import NestLoops
from ..once import Once
from ..point import Point
from .common_shift import with_common_shift
from .pack import Packed, pack
from .stage import Direct, Stage, over_words
from .tiles import blocks, is_tile, starts_in_line, written_out
from .weights import SHARED_BITS, PairWeights, SharedWeights, swar_points


@dataclass(frozen=True)
class SideBySide:
    """Points that run side by side."""

    points: Sequence[Point]
    pixels: Sequence[int]
    """The number of each among the different places of the staged factor."""
    channels: Sequence[int]
    """And among those of the packed one."""

    @property
    def places(self) -> list[tuple[int, int]]:
        """Both numbers of each point."""
        return list(zip(self.pixels, self.channels, strict=True))

    @property
    def width(self) -> int:
        """Places of the staged factor."""
        return max(self.pixels) + 1

    @cached_property
    def firsts(self) -> list[Point]:
        """The first point of each channel."""
        return [self.points[self.channels.index(channel)] for channel in range(max(self.channels) + 1)]

    def sharing(self) -> dict[int, int]:
        """Return the points of the words' upper channels, each with that of the lower one."""
        numbers = {place: n for n, place in enumerate(self.places)}
        return {n: numbers[pixel, channel - 1] for (pixel, channel), n in numbers.items() if channel % 2}


class DualLoops(NestLoops):
    """Emits one nest: words of lanes before the loops over channels, then sums of products of words."""

    def __init__(self, nest: NestOp, k: Loops, constants: Constants):
        """Make the packed constants, which take the place of those that are passed."""
        self._plan = plan = dual_plan(nest)
        scales, is_late = None, plan.staged.zero_point_read is not None
        if plan.lanes == 2 and not (plan.both or plan.nibbles or is_late or Collect() in nest.steps):
            nest, scales = with_common_shift(nest, k, plan, constants, scales=not plan.bytes)
        super().__init__(nest, k, clips=False)
        jammed = [loop for loop in self._space if loop.form == "jam"]
        points = math.prod(loop.extent for loop in jammed if loop.dim in plan.staged_dims)
        channels = next((loop.extent for loop in jammed if loop.dim not in plan.staged_dims), 1)
        of_tile = is_tile(plan, channels, points) and not is_direct(nest)
        if plan.both:
            # Roles change, the order of fold points stays.
            other = replace(plan, staged=plan.packed, packed=plan.staged)
            copy = Stage(nest, k, other, channels, is_short=self._collects)
            self._waiting = [self._copied(copy.dims, copy.fill)]
            # One block of channels at a time is there.
            self._packed = Packed(PairWeights(plan), copy.buffer, {}, {}, None)
        else:
            shares = plan.bytes and of_tile and not self._collects
            self._packed = pack(nest, plan, self._space, constants, shares=shares, scales=scales)
        self._has_tiles = of_tile and (not plan.bytes or isinstance(self._packed.kind, SharedWeights))
        self._stage: Stage | Direct
        if is_direct(nest):
            self._stage = Direct(nest, k, plan)
        else:
            with_totals = self._packed.raised != 0
            self._stage = Stage(nest, k, plan, points, with_totals=with_totals, is_short=self._collects)
        self._waiting = [*self._waiting, self._copied(plan.staged_dims, self._stage.fill)]
        if self._has_tiles and not (self._collects or plan.both):
            emit = blocks(nest, k, plan, self._packed, self._buffer, self._space, constants)
            if emit is not None:
                # All channels in one operation.
                self._waiting = [*self._waiting, Once(plan.staged_dims, emit)]

    def _body(self, jammed: Sequence[Loop], points: Sequence[Point], point: Point) -> None:
        """Sums side by side: all points of the staged factor with all channels of the packed one."""
        block = SideBySide(points, *(self._numbers(jammed, staged=staged) for staged in (True, False)))
        if self._plan.swar:
            sums = self._swar_sums(block)
        elif self._has_tiles and is_tile(self._plan, len(block.firsts), block.width):
            sums = self._tile_sums(jammed, block)
        else:
            sums = self._sums(block)
        sums = self._less_zero_points(block, sums)
        if self._collects and len(points) > 1:
            self._finish_in_loops(jammed, point, [[one] for one in sums])
            return
        for channel, first in enumerate(block.firsts):
            own = [n for n, other in enumerate(block.channels) if other == channel]
            self._finish_sharing(first, [(points[n], sums[n]) for n in own], self._plan.staged_dims)

    def _sums(self, block: SideBySide) -> list[SSAValue]:
        """Return the sum of each point, made by an instruction for each word of two factors."""
        k, packed, kind = self._k, self._packed, self._packed.kind
        starts, begin = [self._start(own) for own in block.firsts], packed.begin(k, block.firsts[0])

        def add(first: Value, place: int, acc: list[SSAValue]) -> list[SSAValue]:
            values = [self._stage.value(first, place, n, block.width) for n in range(block.width)]
            acc = list(acc)
            for channel, weight in enumerate(kind.factors(k, packed.words, begin, first, place, len(starts))):
                for n in (n for n, other in enumerate(block.channels) if other == channel):
                    acc[n] = kind.multiply_add(k, values[block.pixels[n]], weight, acc[n], wraps=packed.wraps)
            return acc

        starting = [packed.less_raised(k, starts[c], self._stage.totals, pixel) for pixel, c in block.places]
        shared = block.sharing() if isinstance(kind, SharedWeights) else {}
        for upper, lower in shared.items():
            raised = k.emit(arith.MuliOp(starting[upper], k.value(1 << SHARED_BITS, i32)))
            starting[upper] = k.emit(arith.AddiOp(raised, starting[lower]), "acc")
        sums = [k.value(0, i32)] * len(starting) if kind.scale else starting
        sums = over_words(k, self._plan.pairs, min(self._plan.unroll, self._plan.pairs), add, sums, "acc")
        if kind.scale:
            pairs = zip(sums, starting, strict=True)
            sums = [k.emit(arith.AddiOp(k.shift_right(one, kind.scale), first), "acc") for one, first in pairs]
        for upper, lower in shared.items():
            sums[upper] = k.shift_right(k.emit(arith.SubiOp(sums[upper], sums[lower])), SHARED_BITS)
        return sums

    def _tile_sums(self, jammed: Sequence[Loop], block: SideBySide) -> list[SSAValue]:
        """Return the sum of each point, all made by one operation."""
        k, plan, first, count = self._k, self._plan, block.firsts[0], TILE_CHANNELS * block.width
        weights = self._packed.words, k.index(self._packed.begin(k, first))
        (channels,) = (loop for loop in jammed if loop.dim not in plan.staged_dims)
        starts = starts_in_line(k, self._nest, self._packed, channels, first)
        if starts is None:
            starts = k.emit(memref.AllocaOp.get(i32, shape=[TILE_CHANNELS]), "starts"), 0
            for channel, own in enumerate(block.firsts):
                k.store(self._start(own), starts[0], [channel])
        sums = k.emit(memref.AllocaOp.get(i32, shape=[count]), "sums")
        places = self._buffer, k.index(0), *weights, starts[0], k.index(starts[1]), sums
        k.builder.insert(DualProductsOp(*places, count=plan.pairs, unroll=written_out(plan), bytes=plan.bytes))
        found = [k.load(sums, [place], "acc") for place in range(count)]
        return [found[channel * block.width + pixel] for pixel, channel in block.places]

    def _swar_sums(self, block: SideBySide) -> list[SSAValue]:
        """Return the sum of each channel, all made by one operation, which adds them to where they start."""
        k, packed = self._k, self._packed
        begin = packed.begin(k, block.firsts[0])
        sums = k.emit(memref.AllocaOp.get(i32, shape=[SWAR_CHANNELS]), "sums")
        starts = [self._start(own) for own in block.firsts]
        for n, start in enumerate([*starts, *[k.value(0, i32)] * (SWAR_CHANNELS - len(starts))]):
            k.store(start, sums, [n])
        count = swar_points(self._plan)
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
        access = self._nest.accesses("step_reads")[read]
        zero_points, weights = dict[tuple[Value, ...], SSAValue](), dict[int, SSAValue]()
        for point, channel, total in zip(block.points, block.channels, sums, strict=True):
            place = tuple(point.places.indices(k, access.indices))
            if place not in zero_points:
                zero_points[place] = k.load(*point.element(access), "zero_point")
            if channel not in weights:
                weights[channel] = self._packed.weights_of(k, point)
            less = k.emit(arith.MuliOp(zero_points[place], weights[channel]))
            found.append(k.emit(arith.SubiOp(total, less), "acc"))
        return found

    def _numbers(self, jammed: Sequence[Loop], *, staged: bool) -> list[int]:
        """Return, for each point that runs side by side, its number among the different places of one factor."""
        chosen = [(loop.dim in self._plan.staged_dims) == staged for loop in jammed]
        extents = [loop.extent if mine else 1 for loop, mine in zip(jammed, chosen, strict=True)]
        strides = row_major(extents)
        steps = [stride if mine else 0 for stride, mine in zip(strides, chosen, strict=True)]
        places = itertools.product(*(loop.sequence() for loop in jammed))
        return [sum(i * step for i, step in zip(place, steps, strict=True)) for place in places]

    def _start(self, point: Point) -> SSAValue:
        (start,) = inline(self._nest.start, self._k, point, point.read("start_reads"))
        return self._packed.start(self._k, point, start)
