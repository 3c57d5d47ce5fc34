"""Sums of dual products of four channels with one point or two, and bytes of them: the instructions.

There are fourteen registers, and two points need all: eight sums, two words of points, two of weights, two pointers.
The frame may be addressed by r7, which no compiler lets a program say that it changes: it is kept on the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.simd import Rescaling
from ....dialects.simd.tile_bytes import loads_one_record
from .arithmetic import AddLslOp, AsrOp, LslOp, MovOp, SmladOp, SubOp, Sxtb16Op
from .assembler import Assembler, Where, several
from .control import KernelOp, kept
from .ending import Ending
from .memory import WORD, LdrdOp

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

    sums: tuple[tuple[Where, ...], ...]
    """[channel][point]."""
    points: tuple[Where, ...]
    weights: tuple[Where, ...]
    """Registers that one load fills."""


_TILES = {
    2: _Registers((("r4", "r5"), ("r6", "r8"), ("r9", "sl"), ("fp", "ip")), ("r2", "r3"), ("r7", "lr")),
    1: _Registers((("r4",), ("r6",), ("r9",), ("fp",)), ("r2",), ("r3", "r5", "r8", "sl")),
}


class _Tile:
    """State of a tile's instructions so far."""

    def __init__(self, at: Assembler, points: int, place: SSAValue, weights: SSAValue, *, shares: bool):
        self.at, self.points, self.shares = at, points, shares
        """With `shares` two channels share the lanes of a word of weights, `lower + 256 * upper`."""
        self.registers = _TILES[points]
        self.place, self.weights = place, weights
        """Pointers to the next words."""
        self.sums: list[list[SSAValue]] = []
        """[channel][point]; of a second point none before it has products."""

    def start(self, first: Sequence[SSAValue]) -> None:
        """Begin with the sums of the first point; those of upper channels get 256 times their lower ones' weights."""
        self.sums = [[one] for one in first]
        if self.shares:
            for lower, upper in several(range(_CHANNELS), 2):
                low, high = self.sums[lower][0], self.sums[upper][0]
                self.sums[upper] = [self.at.compute_by(AddLslOp, low, high, by=8, to=high)]

    def copy(self) -> None:
        """Begin the sums of the second point as those of the first one."""
        if self.points > 1:
            for channel, names in zip(self.sums, self.registers.sums, strict=True):
                channel.append(self.at.compute(MovOp, channel[0], to=names[1]))

    def word(self) -> None:
        """The products of one word of each point."""
        self.place, words = self.at.next_words(self.place, self.registers.points)
        channels = range(_CHANNELS)
        if not self.shares:
            for some in several(channels, len(self.registers.weights)):
                self.weights, weights = self.at.next_words(self.weights, self.registers.weights)
                for channel, weight in zip(some, weights, strict=True):
                    self._add(channel, words, weight)
            return
        taken = self.registers.weights[: _CHANNELS // 2]
        if self.points > 1:
            self.weights, weights = self.at.next_words(self.weights, taken)
        else:
            self.weights, weights = self.at.load_next(LdrdOp, self.weights, 2 * WORD, taken)
        for (lower, upper), both in zip(several(channels, 2), weights, strict=True):
            self._add(upper, words, both)
            self._add(lower, words, self.at.compute_by(Sxtb16Op, both, by=0, to=both))

    def _add(self, channel: int, words: Sequence[SSAValue], weight: SSAValue) -> None:
        sums = self.sums[channel]
        # Both may start from the sum of the first point, which therefore changes last.
        starts = [*sums, *sums[:1] * (self.points - len(sums))]
        terms = list(zip(words, starts, self.registers.sums[channel], strict=True))
        added = [self.at.compute(SmladOp, word, weight, start, to=to) for word, start, to in reversed(terms)]
        self.sums[channel] = added[::-1]

    def walk(self, walk: Walk, ends: Callable[[], tuple[SSAValue, SSAValue]]) -> None:
        """The products of all words; `ends` are the registers that are equal behind the last pass."""

        def pass_(values: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue, Sequence[SSAValue]]:
            self._state = values
            for _ in range(walk.passed):
                self.word()
            return *ends(), self._state

        if walk.passed:
            self._state = self.at.loop(self._state, pass_)
        for _ in range(walk.after):
            self.word()

    @property
    def _state(self) -> Sequence[SSAValue]:
        """Return the values that go from pass to pass."""
        return [self.place, self.weights, *(one for channel in self.sums for one in channel)]

    @_state.setter
    def _state(self, values: Sequence[SSAValue]) -> None:
        self.place, self.weights, *sums = values
        self.sums = [list(channel) for channel in several(sums, self.points)]

    def part(self, *, doubled: bool) -> None:
        """Take shared sums apart: what is above the lower one's is 256 times the upper one's."""
        if not self.shares:
            return
        for lower, upper in several(range(_CHANNELS), 2):
            for point in range(self.points):
                low, high = self.sums[lower][point], self.sums[upper][point]
                rest = self.at.compute(SubOp, high, low, to=high)
                self.sums[upper][point] = self.at.compute_by(AsrOp, rest, by=7 if doubled else 8, to=high)
                if doubled:
                    self.sums[lower][point] = self.at.compute_by(LslOp, low, by=1, to=low)


@kept
def dual_products(walk: Walk, points: int, *, shares: bool) -> KernelOp:
    """Sums: of the words of points, weights, where sums start and where the weights of a loop end."""
    at = Assembler("r0", "r1", "r2", "lr" if points > 1 else "ip")
    place, weights, starts, end = at.inputs
    tile = _Tile(at, points, place, weights, shares=shares)
    first = [channel[0] for channel in tile.registers.sums]
    tile.start([one for n in (0, 2) for one in at.load(LdrdOp, starts, n * WORD, first[n : n + 2])])
    tile.copy()

    def products() -> Sequence[SSAValue]:
        # The stack holds where the loop ends, for there is no register left.
        tile.walk(walk, lambda: (tile.weights, at.reload(1, starts) if points > 1 else end))
        return [one for channel in tile.sums for one in channel]

    if points > 1:
        sums = at.frame([at.entering("r7"), end], products)
        tile.sums = [list(channel) for channel in several(sums, points)]
    else:
        products()
    tile.part(doubled=False)
    return at.kernel(*(one for channel in tile.sums for one in channel))


@kept
def dual_bytes(walk: Walk, apart: int | None, rescaling: Rescaling, *, shares: bool) -> KernelOp:
    """Bytes of all channels: of the words of points, the stream, results, its end, and where a loop over words ends.

    The bytes of a second point lie `apart` from those of the first one.
    """
    points = 1 if apart is None else 2
    at = Assembler("r0", "r1", "r2", "r3", "lr") if walk.passed else Assembler("r0", "r1", "r2", "r3")
    place, stream, out, end, *last = at.inputs
    # Without a loop the register is kept, too: the frame has the same words.
    last = last or [at.entering("lr")]
    ending = Ending(at, rescaling, scratch="r0")

    def block(values: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue, Sequence[SSAValue]]:
        tile = _Tile(at, points, at.reload(0, place), values[0], shares=shares)
        tile.weights, first = at.next_words(tile.weights, [channel[0] for channel in tile.registers.sums])
        tile.start(first)
        if walk.passed:
            tile.copy()
        tile.walk(walk, lambda: (tile.place, at.reload(4, "r2")))
        tile.part(doubled=not rescaling.is_real)
        stream, result = tile.weights, at.reload(1, "lr")
        if rescaling.is_real:
            for point in reversed(range(points)):
                stream, reals = at.reals(stream, 2 * _CHANNELS, next=point == 0)
                word = ending.word([sums[point] for sums in tile.sums], reals)
                if point:
                    assert apart is not None, "two points lie apart"
                    at.store_word(result, apart, word)
                else:
                    result = at.store_next_word(result, _CHANNELS, word)
            at.spill(1, result)
            return stream, at.reload(2, "r3"), [stream]
        together = 1 if loads_one_record(rescaling) else 2
        registers = ("r0", "r2", "r3", "r7") if together > 1 else ("r2", "r3", "r7")[: rescaling.record]
        for channels in several(tile.sums, together):
            stream, words = at.next_words(stream, registers)
            for sums, record in zip(channels, several(words, rescaling.record), strict=True):
                result = ending.store(ending.scaled(sums, record), result, apart)
        at.spill(1, result)
        return stream, at.reload(2, "r3"), [stream]

    at.frame([place, out, end, at.entering("r7"), *last], lambda: at.loop([stream], block))
    return at.kernel()


_HELD = ("r4", "r5", "r6", "r8", "r9", "sl", "fp", "ip")
"""Registers for words of points, in the order in which these lie in memory."""


@kept
def dual_bytes_held(count: int, apart: int | None, rescaling: Rescaling) -> KernelOp:
    """Build the kernel that keeps all words of points in registers: its stream has one channel after the other."""
    points = 1 if apart is None else 2
    at = Assembler("r0", "r1", "r2", "r3")
    place, stream, out, end = at.inputs
    ending, sums = Ending(at, rescaling), ("r0", "r7")[:points]

    def channel(state: Sequence[SSAValue], words: Sequence[Sequence[SSAValue]]) -> Sequence[SSAValue]:
        stream, result = state
        totals: list[SSAValue] = []
        for some in several(words, 2):
            weights = ("r2", "r3")[: len(some)]
            stream, loaded = at.next_words(stream, weights if totals else ("r0", *weights))
            # Where sums start is in the register of the first one, which therefore changes last.
            starts = totals or [loaded[0]] * points
            for own, weight in zip(some, loaded[-len(some) :], strict=True):
                terms = list(zip(own, starts, sums, strict=True))
                totals = [at.compute(SmladOp, one, weight, start, to=to) for one, start, to in reversed(terms)][::-1]
                starts = totals
        stream, (multiplier, added) = at.next_words(stream, ("r2", "r3"))
        numbers = ending.high(totals, multiplier, added)
        if rescaling.shift is None:
            stream, (shift,) = at.next_words(stream, ("r2",))
            numbers = ending.shifted(numbers, shift)
        return stream, ending.store(numbers, result, apart)

    def block() -> Sequence[SSAValue]:
        result = at.compute(MovOp, out, to="lr")
        words = several(at.load_words(place, _HELD[: count * points]), points)

        def pass_(values: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue, Sequence[SSAValue]]:
            for _ in range(_CHANNELS):
                values = channel(values, words)
            return values[0], at.reload(0, "r2"), values

        return at.loop([stream, result], pass_)[:0]

    at.frame([end, at.entering("r7")], block)
    return at.kernel()
