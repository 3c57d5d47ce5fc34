"""Sums of dual products of four channels with one point or two, and bytes of them: the instructions.

There are fourteen registers, and two points need all: eight sums, two words of points, two of weights, two pointers.
The frame may be addressed by r7, which no compiler lets a program say that it changes: it is kept on the stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.simd.rescaling import Rescaling
from ....dialects.simd.tiles import TILE_CHANNELS
from ..thumb.control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, Walk, YieldOp, kept
from ..thumb.memory import WORD, ldm, ldr, load_words, reload, several, spill
from . import instructions as v7
from .ending import Ending

MOST_WRITTEN = 16
"""Words of a channel that are written out, in the loop and behind it."""
_MOST_HELD = 8
"""Words of points for which there are registers."""


def most_written(points: int, rescaling: Rescaling, *, bytes: bool) -> int:
    """How many words may be written out for so many points: the texts of more do not fit a string."""
    less = rescaling.signed + bytes
    if rescaling.is_real:
        less = 2 if bytes else rescaling.lift % 2
    return MOST_WRITTEN - (less if points > 1 else 0)


def holds(count: int, points: int, rescaling: Rescaling, *, bytes: bool) -> bool:
    """Whether words of points may stay in registers: one more would be needed for signs, and to take bytes apart."""
    return count * points <= _MOST_HELD and not (rescaling.signed or bytes or rescaling.is_real)


@dataclass(frozen=True)
class _Tile:
    """Instructions of a tile, whose sums of a channel are side by side."""

    points: int
    shares: bool
    """Whether two channels share the lanes of a word of weights, `lower + 256 * upper`."""

    def start(self, first: list[SSAValue], *, copies: bool) -> list[SSAValue]:
        """Begin with the sums of the first point; those of upper channels get 256 times their lower ones' weights.

        Those of the second point are `copies`, or the same until they have products: a loop has a register for each.
        """
        if self.shares:
            for upper in range(1, TILE_CHANNELS, 2):
                first[upper] = v7.add_lsl(first[upper], first[upper - 1], by=8).result
        return [v7.mov(one).result if copies and point else one for one in first for point in range(self.points)]

    def word(self, place: SSAValue, weights: SSAValue, *sums: SSAValue) -> Sequence[SSAValue]:
        """Add the products of a word of each point, and move the pointers to both kinds of words on."""
        channels = several(sums, self.points)
        place, *words = load_words(place, self.points)
        if self.shares:
            two = ldm(weights, loaded=2, next=True) if self.points > 1 else v7.ldrd(weights, by=2 * WORD, next=True)
            weights, *loaded = two.results
            for lower, both in zip(range(0, TILE_CHANNELS, 2), loaded, strict=True):
                channels[lower + 1] = _add_products(channels[lower + 1], words, both)
                channels[lower] = _add_products(channels[lower], words, v7.sxtb16(both, by=0).result)
        else:
            # Beside the sums of two points there are registers for the weights of two channels.
            for some in several(range(TILE_CHANNELS), TILE_CHANNELS // self.points):
                weights, *loaded = load_words(weights, len(some))
                for channel, weight in zip(some, loaded, strict=True):
                    channels[channel] = _add_products(channels[channel], words, weight)
        return place, weights, *chain.from_iterable(channels)

    def parted(self, sums: Sequence[SSAValue], *, doubled: bool) -> list[list[SSAValue]]:
        """The sums of each channel; of shared ones what is above the lower one's is 256 times the upper one's."""
        channels = several(sums, self.points)
        for lower, upper in several(channels, 2) if self.shares else ():
            for point, low in enumerate(lower):
                upper[point] = v7.asr(v7.sub(upper[point], low).result, by=7 if doubled else 8).result
                if doubled:
                    lower[point] = v7.lsl(low, by=1).result
        return channels


def _add_products(sums: Sequence[SSAValue], words: Sequence[SSAValue], weight: SSAValue) -> list[SSAValue]:
    """Add the products of a word of each point to the sums of a channel, those of the second point first."""
    return [v7.smlad(total, word, weight).result for total, word in reversed([*zip(sums, words, strict=True)])][::-1]


@kept
def dual_products(walk: Walk, points: int, *, shares: bool) -> KernelOp:
    """Sums: of the words of points, weights, where sums start and where the weights of a loop end."""
    kernel = KernelOp("r0", "r1", "r2", "r3")
    with kernel.filled() as (place, weights, starts, end):
        tile = _Tile(points, shares)
        sums: Sequence[SSAValue] = tile.start(v7.load_pairs(starts, TILE_CHANNELS), copies=True)
        if points > 1:
            # The stack holds where the loop ends: no register is left.
            frame = FrameOp(end, EnteringOp("r7").result, known=len(sums))
            with frame.filled():
                walked = walk.over(tile.word, lambda _, words, *__: (words, reload(by=0).result), place, weights, *sums)
                YieldOp(*walked[2:])
            sums = frame.results
        else:
            _, _, *sums = walk.over(tile.word, lambda _, words, *__: (words, end), place, weights, *sums)
        YieldOp(*chain.from_iterable(tile.parted(sums, doubled=False)))
    return kernel


@kept
def dual_bytes(walk: Walk, apart: int | None, rescaling: Rescaling, *, shares: bool) -> KernelOp:
    """Bytes of all channels: of the words of points, the stream, results, its end, and where a loop over words ends.

    The bytes of a second point lie `apart` from those of the first one.
    """
    kernel = KernelOp("r0", "r1", "r2", "r3", *(["lr"] if walk.passed else []))
    # There are registers for the records of two channels, but for signs, and shifts of their own.
    ending = Ending(rescaling, apart, 1 if rescaling.signed or rescaling.shift is None else 2)
    with kernel.filled() as (place, stream, out, end, *last):
        # Without a loop the register is kept, too: the frame has the same words.
        last = last or [EnteringOp("lr").result]
        with FrameOp(place, out, end, EnteringOp("r7").result, *last).filled():
            with LoopOp(stream).filled() as (stream,):
                tile, place = _Tile(1 if apart is None else 2, shares), reload(by=0).result
                stream, *first = load_words(stream, TILE_CHANNELS)
                sums = tile.start(first, copies=bool(walk.passed))
                _, stream, *sums = walk.over(
                    tile.word, lambda place, *_: (place, reload(by=4 * WORD).result), place, stream, *sums
                )
                channels = tile.parted(sums, doubled=not rescaling.is_real)
                stream, result = ending.store(channels, stream, reload(by=WORD).result)
                spill(result, by=WORD)
                UntilOp(stream, reload(by=2 * WORD).result, stream)
    return kernel


@kept
def dual_bytes_held(count: int, apart: int | None, rescaling: Rescaling) -> KernelOp:
    """Build the kernel that keeps all words of points in registers: its stream has one channel after the other.

    Raises:
        VerifyException: there are not enough registers, or it does not rescale so.
    """
    points = 1 if apart is None else 2
    if not holds(count, points, rescaling, bytes=False):
        raise VerifyException(f"at most {_MOST_HELD} words of points stay in registers, of sums without signs")
    kernel, ending = KernelOp("r0", "r1", "r2", "r3"), Ending(rescaling, apart)

    def channel(stream: SSAValue, result: SSAValue) -> Sequence[SSAValue]:
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
        words = several((ldm(place, loaded=taken) if taken > 1 else ldr(place, by=0)).loaded, points)
        Walk(TILE_CHANNELS, 0).over(channel, lambda stream, _: (stream, reload(by=0).result), stream, out)
    return kernel
