"""Sums of dual products of four channels with one point or two, and bytes of them: the instructions.

There are fourteen registers, and two points need all: eight sums, two words of points, two of weights, two pointers.
The frame may be addressed by r7, which no compiler lets a program say that it changes: it is kept on the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.simd.rescaling import Rescaling
from ....dialects.simd.tiles import loads_one_record
from ..thumb.control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp, kept
from ..thumb.memory import WORD, ldm, ldr, load_words, reload, several, spill
from .arithmetic import add_lsl, asr, lsl, mov, smlad, sub, sxtb16
from .ending import Ending
from .memory import ldrd, load_pairs

_CHANNELS = 4


@dataclass(frozen=True)
class Walk:
    """The words of a channel: how many stand in the pass of a loop, none without one, and how many behind it."""

    passed: int
    after: int


class _Tile:
    """Instructions of a tile: of pointers to the next words, and of its sums."""

    def __init__(self, points: int, place: SSAValue, weights: SSAValue, *, shares: bool):
        """With `shares` two channels share the lanes of a word of weights, `lower + 256 * upper`."""
        self.points, self.place, self.weights, self.shares = points, place, weights, shares
        self.sums: list[list[SSAValue]] = []
        """[channel][point]."""

    @property
    def all_sums(self) -> list[SSAValue]:
        """Return the sums, those of a channel side by side."""
        return [one for channel in self.sums for one in channel]

    def start(self, first: list[SSAValue], *, copies: bool) -> None:
        """Begin with the sums of the first point; those of upper channels get 256 times their lower ones' weights.

        Those of the second point are `copies`, or the same until they have products: a loop has a register for each.
        """
        if self.shares:
            for upper in range(1, _CHANNELS, 2):
                first[upper] = add_lsl(first[upper], first[upper - 1], by=8).result
        self.sums = [[one, *(mov(one).result if copies else one for _ in range(1, self.points))] for one in first]

    def word(self) -> None:
        """The products of one word of each point."""
        self.place, *words = load_words(self.place, self.points)
        if not self.shares:
            # Beside the sums of two points there are registers for the weights of two channels.
            for channels in several(range(_CHANNELS), _CHANNELS // self.points):
                self.weights, *weights = load_words(self.weights, len(channels))
                for channel, weight in zip(channels, weights, strict=True):
                    self.sums[channel] = _add_products(self.sums[channel], words, weight)
            return
        two = ldm(self.weights, loaded=2, next=True) if len(words) > 1 else ldrd(self.weights, by=2 * WORD, next=True)
        self.weights, *weights = two.results
        for lower, both in zip(range(0, _CHANNELS, 2), weights, strict=True):
            self.sums[lower + 1] = _add_products(self.sums[lower + 1], words, both)
            self.sums[lower] = _add_products(self.sums[lower], words, sxtb16(both, by=0).result)

    def walk(self, walk: Walk, ends: Callable[[], tuple[SSAValue, SSAValue]]) -> None:
        """The products of all words; `ends` are the registers that are equal behind the last pass."""
        if walk.passed:
            loop = LoopOp(self.place, self.weights, *self.all_sums)
            with loop.filled() as carried:
                self._go_on(*carried)
                for _ in range(walk.passed):
                    self.word()
                UntilOp(*ends(), self.place, self.weights, *self.all_sums)
            self._go_on(*loop.results)
        for _ in range(walk.after):
            self.word()

    def _go_on(self, place: SSAValue, weights: SSAValue, *sums: SSAValue) -> None:
        self.place, self.weights, self.sums = place, weights, several(sums, self.points)

    def part(self, *, doubled: bool) -> None:
        """Take shared sums apart: what is above the lower one's is 256 times the upper one's."""
        if not self.shares:
            return
        for lower, upper in several(self.sums, 2):
            for point, low in enumerate(lower):
                upper[point] = asr(sub(upper[point], low).result, by=7 if doubled else 8).result
                if doubled:
                    lower[point] = lsl(low, by=1).result


def _add_products(sums: Sequence[SSAValue], words: Sequence[SSAValue], weight: SSAValue) -> list[SSAValue]:
    """Add the products of a word of each point to the sums of a channel, those of the second point first."""
    return [smlad(total, word, weight).result for total, word in reversed([*zip(sums, words, strict=True)])][::-1]


@kept
def dual_products(walk: Walk, points: int, *, shares: bool) -> KernelOp:
    """Sums: of the words of points, weights, where sums start and where the weights of a loop end."""
    kernel = KernelOp("r0", "r1", "r2", "r3")
    with kernel.filled() as (place, weights, starts, end):
        tile = _Tile(points, place, weights, shares=shares)
        tile.start(load_pairs(starts, _CHANNELS), copies=True)
        if points > 1:
            # The stack holds where the loop ends: no register is left.
            frame = FrameOp(end, EnteringOp("r7").result, known=len(tile.all_sums))
            with frame.filled():
                tile.walk(walk, lambda: (tile.weights, reload(by=0).result))
                YieldOp(*tile.all_sums)
            tile.sums = several(frame.results, points)
        else:
            tile.walk(walk, lambda: (tile.weights, end))
        tile.part(doubled=False)
        YieldOp(*tile.all_sums)
    return kernel


@kept
def dual_bytes(walk: Walk, apart: int | None, rescaling: Rescaling, *, shares: bool) -> KernelOp:
    """Bytes of all channels: of the words of points, the stream, results, its end, and where a loop over words ends.

    The bytes of a second point lie `apart` from those of the first one.
    """
    kernel = KernelOp("r0", "r1", "r2", "r3", *(["lr"] if walk.passed else []))
    ending = Ending(rescaling, apart, 1 if loads_one_record(rescaling) else 2)
    with kernel.filled() as (place, stream, out, end, *last):
        # Without a loop the register is kept, too: the frame has the same words.
        last = last or [EnteringOp("lr").result]
        with FrameOp(place, out, end, EnteringOp("r7").result, *last).filled():
            with LoopOp(stream).filled() as (stream,):
                tile = _Tile(1 if apart is None else 2, reload(by=0).result, stream, shares=shares)
                tile.weights, *first = load_words(stream, _CHANNELS)
                tile.start(first, copies=bool(walk.passed))
                tile.walk(walk, lambda: (tile.place, reload(by=4 * WORD).result))
                tile.part(doubled=not rescaling.is_real)
                stream, result = ending.store(tile.sums, tile.weights, reload(by=WORD).result)
                spill(result, by=WORD)
                UntilOp(stream, reload(by=2 * WORD).result, stream)
    return kernel


@kept
def dual_bytes_held(count: int, apart: int | None, rescaling: Rescaling) -> KernelOp:
    """Build the kernel that keeps all words of points in registers: its stream has one channel after the other."""
    points = 1 if apart is None else 2
    kernel, ending = KernelOp("r0", "r1", "r2", "r3"), Ending(rescaling, apart)

    def channel(words: list[list[SSAValue]], stream: SSAValue, result: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Go on in the stream and the results."""
        sums: list[SSAValue] = []
        for some in several(words, 2):
            if sums:
                stream, *weights = load_words(stream, len(some))
            else:
                stream, start, *weights = load_words(stream, 1 + len(some))
                sums = [start] * points
            for own, weight in zip(some, weights, strict=True):
                sums = _add_products(sums, own, weight)
        stream, *record = load_words(stream, 2)
        sums = ending.scale(sums, record)
        if rescaling.shift is None:
            stream, shift = load_words(stream, 1)
            sums = ending.shift(sums, shift)
        return stream, ending.store_channel(sums, result)

    with kernel.filled() as (place, stream, out, end), FrameOp(end, EnteringOp("r7").result).filled():
        taken = count * points
        words = ldm(place, loaded=taken) if taken > 1 else ldr(place, by=0)
        with LoopOp(stream, out).filled() as (stream, result):
            for _ in range(_CHANNELS):
                stream, result = channel(several(words.loaded, points), stream, result)
            UntilOp(stream, reload(by=0).result, stream, result)
    return kernel
