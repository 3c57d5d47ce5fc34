"""Sums of dual products of four channels with one point or two, and bytes of them: the instructions.

There are fourteen registers, and two points need all: eight sums, two words of points, two of weights, two pointers.
The frame may be addressed by r7, which no compiler lets a program say that it changes: it is kept on the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from ....dialects.simd import Rescaling
from ....dialects.simd.tiles import loads_one_record
from .arithmetic import add_lsl, asr, lsl, mov, smlad, sub, sxtb16
from .assembler import Assembler, Held, several
from .control import KernelOp, kept
from .ending import Ending
from .memory import WORD, ldrd, str_

_CHANNELS = 4


@dataclass(frozen=True)
class Walk:
    """The words of a channel: how many stand in the pass of a loop, none without one, and how many behind it."""

    passed: int
    after: int

    @staticmethod
    def of(count: int, unroll: int) -> Walk:
        """Return the walk over `count` words, so many of which are written out in a pass."""
        return Walk(0, count) if count // unroll == 1 else Walk(unroll, count % unroll)


@dataclass(frozen=True)
class _Registers:
    """Which ones a tile takes."""

    sums: tuple[tuple[str, ...], ...]
    """[channel][point]."""
    points: tuple[str, ...]
    weights: tuple[str, ...]
    """Registers that one load fills."""


_TILES = {
    2: _Registers((("r4", "r5"), ("r6", "r8"), ("r9", "sl"), ("fp", "ip")), ("r2", "r3"), ("r7", "lr")),
    1: _Registers((("r4",), ("r6",), ("r9",), ("fp",)), ("r2",), ("r3", "r5", "r8", "sl")),
}


class _Tile:
    """Instructions of a tile: of pointers to the next words, and of its sums."""

    def __init__(self, at: Assembler, points: int, place: Held, weights: Held, *, shares: bool):
        """With `shares` two channels share the lanes of a word of weights, `lower + 256 * upper`."""
        self.at, self.place, self.weights, self.shares = at, place, weights, shares
        self.registers = _TILES[points]
        self.sums: list[list[Held]] = []
        """[channel][point]."""

    @property
    def first(self) -> list[str]:
        """Return the registers of the sums of the first point."""
        return [channel[0] for channel in self.registers.sums]

    @property
    def all_sums(self) -> list[Held]:
        """Return the sums, those of a channel side by side."""
        return [one for channel in self.sums for one in channel]

    def start(self, first: Sequence[Held], *, copies: bool) -> None:
        """Begin with the sums of the first point; those of upper channels get 256 times their lower ones' weights.

        Those of the second point are `copies`, or are in the registers of the first one's until they have products.
        """
        if self.shares:
            for low, high in several(first, 2):
                self.at.compute(add_lsl, low, high, by=8, to=high)
        for one, (_, *names) in zip(first, self.registers.sums, strict=True):
            others = [self.at.compute(mov, one, to=to) if copies else self.at.still_in(one, to) for to in names]
            self.sums.append([one, *others])

    def word(self) -> None:
        """The products of one word of each point."""
        words = self.at.load_words(self.place, self.registers.points, next=True)
        if not self.shares:
            for some in several(self.sums, len(self.registers.weights)):
                weights = self.at.load_words(self.weights, self.registers.weights, next=True)
                for sums, weight in zip(some, weights, strict=True):
                    _add_products(self.at, sums, words, weight)
            return
        taken = self.registers.weights[: _CHANNELS // 2]
        if len(words) > 1:
            weights = self.at.load_words(self.weights, taken, next=True)
        else:
            weights = self.at.load(ldrd, self.weights, taken, by=2 * WORD, next=True)
        for (lower, upper), both in zip(several(self.sums, 2), weights, strict=True):
            _add_products(self.at, upper, words, both)
            _add_products(self.at, lower, words, self.at.compute(sxtb16, both, by=0, to=both))

    def walk(self, walk: Walk, ends: Callable[[], tuple[Held, Held]]) -> None:
        """The products of all words; `ends` are the registers that are equal behind the last pass."""
        if walk.passed:
            with self.at.loop(self.place, self.weights, *self.all_sums) as until:
                for _ in range(walk.passed):
                    self.word()
                until(*ends())
        for _ in range(walk.after):
            self.word()

    def part(self, *, doubled: bool) -> None:
        """Take shared sums apart: what is above the lower one's is 256 times the upper one's."""
        if not self.shares:
            return
        for lower, upper in several(self.sums, 2):
            for low, high in zip(lower, upper, strict=True):
                self.at.compute(sub, high, low, to=high)
                self.at.compute(asr, high, by=7 if doubled else 8, to=high)
                if doubled:
                    self.at.compute(lsl, low, by=1, to=low)


def _add_products(at: Assembler, sums: Sequence[Held], words: Sequence[Held], weight: Held) -> None:
    """Add the products of a word of each point to the sums of a channel."""
    # A second one may still be in the register of the first one, which therefore changes last.
    for total, word in reversed([*zip(sums, words, strict=True)]):
        at.compute(smlad, word, weight, total, to=total)


@kept
def dual_products(walk: Walk, points: int, *, shares: bool) -> KernelOp:
    """Sums: of the words of points, weights, where sums start and where the weights of a loop end."""
    at = Assembler("r0", "r1", "r2", "lr" if points > 1 else "ip")
    place, weights, starts, end = at.inputs
    tile = _Tile(at, points, place, weights, shares=shares)
    tile.start(at.load_pairs(starts, tile.first), copies=True)
    # The stack holds where the loop ends if there is no register left.
    with at.frame([at.entering("r7"), end], tile.all_sums) if points > 1 else nullcontext():
        tile.walk(walk, lambda: (weights, at.reload(1, "r2") if points > 1 else end))
    tile.part(doubled=False)
    return at.kernel(*tile.all_sums)


@kept
def dual_bytes(walk: Walk, apart: int | None, rescaling: Rescaling, *, shares: bool) -> KernelOp:
    """Bytes of all channels: of the words of points, the stream, results, its end, and where a loop over words ends.

    The bytes of a second point lie `apart` from those of the first one.
    """
    points = 1 if apart is None else 2
    at = Assembler("r0", "r1", "r2", "r3", *(["lr"] if walk.passed else []))
    place, stream, out, end, *last = at.inputs
    # Without a loop the register is kept, too: the frame has the same words.
    last = last or [at.entering("lr")]
    ending = Ending(at, rescaling, scratch="r0")
    with at.frame([place, out, end, at.entering("r7"), *last]), at.loop(stream) as until:
        tile = _Tile(at, points, at.reload(0, "r0"), stream, shares=shares)
        tile.start(at.load_words(stream, tile.first, next=True), copies=bool(walk.passed))
        tile.walk(walk, lambda: (tile.place, at.reload(4, "r2")))
        tile.part(doubled=not rescaling.is_real)
        result = at.reload(1, "lr")
        if rescaling.is_real:
            for point in reversed(range(points)):
                word = ending.word([sums[point] for sums in tile.sums], stream, next=point == 0)
                at.store(str_, result, word, by=apart if point else _CHANNELS, next=point == 0)
        else:
            together = 1 if loads_one_record(rescaling) else 2
            registers = ("r0", "r2", "r3", "r7") if together > 1 else ("r2", "r3", "r7")[: rescaling.record]
            for channels in several(tile.sums, together):
                words = at.load_words(stream, registers, next=True)
                for sums, record in zip(channels, several(words, rescaling.record), strict=True):
                    ending.store(sums, record, result, apart)
        at.spill(1, result)
        until(stream, at.reload(2, "r3"))
    return at.kernel()


_HELD = ("r4", "r5", "r6", "r8", "r9", "sl", "fp", "ip")
"""Registers for words of points, in the order in which these lie in memory."""


@kept
def dual_bytes_held(count: int, apart: int | None, rescaling: Rescaling) -> KernelOp:
    """Build the kernel that keeps all words of points in registers: its stream has one channel after the other."""
    points = 1 if apart is None else 2
    at = Assembler("r0", "r1", "r2", "r3")
    place, stream, out, end = at.inputs
    ending = Ending(at, rescaling)

    def channel(words: Sequence[Sequence[Held]], result: Held) -> None:
        sums: list[Held] = []
        for some in several(words, 2):
            registers = ("r2", "r3")[: len(some)]
            if sums:
                weights = at.load_words(stream, registers, next=True)
            else:
                start, *weights = at.load_words(stream, ("r0", *registers), next=True)
                sums = [start, at.still_in(start, "r7")][:points]
            for own, weight in zip(some, weights, strict=True):
                _add_products(at, sums, own, weight)
        ending.scale(sums, at.load_words(stream, ("r2", "r3"), next=True))
        if rescaling.shift is None:
            ending.shift(sums, *at.load_words(stream, ("r2",), next=True))
        ending.store(sums, (), result, apart)

    with at.frame([end, at.entering("r7")]):
        result = at.compute(mov, out, to="lr")
        words = several(at.load_words(place, _HELD[: count * points]), points)
        with at.loop(stream, result) as until:
            for _ in range(_CHANNELS):
                channel(words, result)
            until(stream, at.reload(0, "r2"))
    return at.kernel()
