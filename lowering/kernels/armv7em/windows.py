"""Windows over four channels that stay apart, and bytes of their sums: the instructions.

The bytes of two taps become a word of two lanes for each channel. Source of the layout: `simd.sum_taps`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.simd import BYTES, Rescaling, SumTapsOp
from ....dialects.simd.taps import CLIPPED
from .arithmetic import (
    AddwOp,
    MovConstantOp,
    MovtOp,
    MovwOp,
    MvnOp,
    PkhbtOp,
    PkhtbOp,
    SmladOp,
    SubwOp,
    Sxtb16Op,
    Uxtb16Op,
)
from .assembler import Assembler, Where, register, several
from .control import KernelOp, kept
from .ending import Ending
from .memory import WORD, LdrAtOp, LdrdOp, LdrOp

REACH = 4095
"""Bytes behind a pointer from which LDR loads."""


@dataclass(frozen=True)
class Window:
    """Window that is read: the place of each tap in elements, and the memref that it is in."""

    places: tuple[int, ...]
    owners: tuple[int, ...]
    memrefs: int
    zeros: int
    """The word of zero points, for taps that are clipped."""
    signed: bool

    def nearest(self, owner: int) -> int:
        """The least place that is read of a memref."""
        places = zip(self.places, self.owners, strict=True)
        return min((place for place, own in places if place != CLIPPED and own == owner), default=0)


def window_of(op: SumTapsOp) -> Window:
    """Return the window that an operation reads."""
    places, memrefs = op.places.get_values(), 1 + len(op.beside)
    owners = (0,) * len(places) if op.owners is None else op.owners.get_values()
    zeros = (op.zero_point.value.data & 0xFF) * 0x01010101
    return Window(places, owners, memrefs, zeros, op.unsigned is None)


@dataclass
class _Taps:
    """Loads the bytes of taps. With a step the nearest one of a memref moves its pointer on, which lies there."""

    at: Assembler
    window: Window
    pointers: list[SSAValue]
    step: int = 0

    def __post_init__(self) -> None:
        self._moved = set[int]()

    def load(self, number: int, to: Where) -> SSAValue:
        """Load the bytes of a tap."""
        window, at = self.window, self.at
        place, owner = window.places[number], window.owners[number]
        if place == CLIPPED:
            return at.compute_by(MovConstantOp, by=window.zeros, to=to)
        if self.step:
            place -= window.nearest(owner)
            if place == 0:
                self._moved.add(owner)
                self.pointers[owner], (word,) = at.load_next(LdrOp, self.pointers[owner], self.step, [to])
                return word
            place -= self.step if owner in self._moved else 0
        pointer = self.pointers[owner]
        if place <= REACH:
            return at.load(LdrOp, pointer, place, [to])[0]
        distance = at.compute_by(MovwOp, by=place & 0xFFFF, to=to)
        if place >> 16:
            distance = at.compute_by(MovtOp, distance, by=place >> 16, to=distance)
        return at.add(LdrAtOp(pointer, distance, register(distance)))[0]

    def load_zeros(self, to: Where) -> SSAValue:
        """Load what two clipped taps are, as lanes."""
        zero, at = self.window.zeros & 0xFF, self.at
        if self.window.signed and zero > 0x7F:
            return at.compute_by(MvnOp, by=(zero ^ 0xFF) * 0x10001, to=to)
        return at.compute_by(MovConstantOp, by=zero * 0x10001, to=to)


_Weights = Callable[[bool], Sequence[SSAValue]]
"""The next weights of two channels; the first two of a tap come first, the last ones then."""


def _add_taps(
    taps: _Taps,
    sums: Sequence[SSAValue],
    weights: _Weights,
    skip: Callable[[], None],
    bytes: tuple[Where, Where, Where],
) -> Sequence[SSAValue]:
    """The sums with the products of all taps; `bytes` are two registers for taps, and one more.

    Where taps are all clipped, they are one word for all channels; of zeros, `skip` goes to the weights behind theirs.
    """
    at, (one, other, third), totals = taps.at, bytes, list(sums)
    take = Sxtb16Op if taps.window.signed else Uxtb16Op

    def add(channel: int, lanes: SSAValue, weight: SSAValue) -> None:
        totals[channel] = at.compute(SmladOp, lanes, weight, totals[channel], to=totals[channel])

    for first, *second in several(range(len(taps.window.places)), 2):
        if all(taps.window.places[number] == CLIPPED for number in (first, *second)):
            if not taps.window.zeros:
                skip()
                continue
            zeros = taps.load_zeros(one)
            for is_later in (False, True):
                for channel, weight in enumerate(weights(is_later), 2 * is_later):
                    add(channel, zeros, weight)
            continue
        word, *words = [taps.load(first, one), *(taps.load(number, other) for number in second)]
        even, odd = weights(False)
        if words:
            low = at.compute_by(PkhbtOp, word, *words, by=16, to=third)
            high = at.compute_by(PkhtbOp, *words, word, by=16, to=other)
            add(0, at.compute_by(take, low, by=0, to=one), even)
            add(1, at.compute_by(take, low, by=8, to=low), odd)
            even, odd = weights(True)
            add(2, at.compute_by(take, high, by=0, to=one), even)
            add(3, at.compute_by(take, high, by=8, to=high), odd)
        else:
            # Weights are in the lane of the channel.
            low, high = at.compute_by(take, word, by=0, to=other), at.compute_by(take, word, by=8, to=one)
            add(0, low, even)
            add(1, high, odd)
            even, odd = weights(True)
            add(2, low, even)
            add(3, high, odd)
    return totals


@kept
def sum_taps(window: Window) -> KernelOp:
    """Sums of one window: of pointers to the first bytes of each memref, and to words. Compilers choose registers."""
    names = iter(f"v{n}" for n in range(window.memrefs + BYTES + 6))
    inputs = [next(names) for _ in range(1 + window.memrefs)]
    sums = [next(names) for _ in range(BYTES)]
    a, b, t, x, y = names
    at = Assembler(*inputs)
    *pointers, words = at.inputs
    start = [one for n in (0, 2) for one in at.load(LdrdOp, words, n * WORD, sums[n : n + 2])]
    places = iter(range(BYTES, 2 * BYTES * len(window.places), 2))

    def weights(is_later: bool) -> Sequence[SSAValue]:
        return at.load(LdrdOp, words, next(places) * WORD, (x, y))

    def skip() -> None:
        for _ in range(2):
            next(places)

    return at.kernel(*_add_taps(_Taps(at, window, pointers), start, weights, skip, (a, b, t)))


@kept
def scale_bytes(skipped: int, rescaling: Rescaling) -> KernelOp:
    """Bytes of four sums: of where they go, of words, and of the sums, which change. Compilers choose registers."""
    at = Assembler(*(f"v{n}" for n in range(2 + BYTES)))
    bytes, words, *sums = at.inputs
    ending, (x, y, t) = Ending(at, rescaling), (f"v{2 + BYTES + n}" for n in range(3))
    if rescaling.is_real:
        _, record = at.reals(at.compute_by(AddwOp, words, by=WORD * skipped, to=x), 2 * BYTES, next=False)
        at.store_word(bytes, 0, ending.word(sums, record))
        return at.kernel()
    for channel, total in enumerate(sums):
        record = WORD * (skipped + rescaling.record * channel)
        loaded = [*at.load(LdrdOp, words, record, (x, y))]
        if rescaling.shift is None:
            loaded += at.load(LdrOp, words, record + 2 * WORD, (t,))
        at.store_byte(bytes, channel, ending.byte(ending.scaled([total], loaded)[0]))
    return at.kernel()


_POINTERS = ("r0", "fp", "ip")
"""To the bytes of each memref; those of a single one leave two more for weights."""
_SUMS = ("r4", "r5", "r6", "r8")


@kept
def windows(window: Window, rescaling: Rescaling, words: int, *, backward: bool) -> KernelOp:
    """Windows over all channels, four after four: of pointers to bytes, to words, to their end, and to results.

    A block has so many words. r7 and where the words end are on the stack.
    """
    at = Assembler(*_POINTERS[: window.memrefs], "r1", "r3", "lr")
    *pointers, stream, end, out = at.inputs
    ending = Ending(at, rescaling)
    taken = ("r9", "sl") if window.memrefs > 1 else ("r9", "sl", "fp", "ip")

    def block(values: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue, Sequence[SSAValue]]:
        *pointers, stream, result = values
        stream, sums = at.next_words(stream, _SUMS)

        later: Sequence[SSAValue] = []

        def weights(is_later: bool) -> Sequence[SSAValue]:
            nonlocal stream, later
            if is_later and later:
                return later
            stream, (even, odd, *later) = at.next_words(stream, taken)
            return even, odd

        def skip() -> None:
            nonlocal stream
            stream = at.compute_by(AddwOp, stream, by=BYTES * WORD, to=stream)

        taps = _Taps(at, window, pointers, -BYTES if backward else BYTES)
        sums = _add_taps(taps, sums, weights, skip, ("r2", "r3", "r7"))
        # Of the first three channels the pointer moves on by a byte, of the last one to the next block.
        steps = (1, 1, 1, 1 - 2 * BYTES if backward else 1)
        together = 1 if rescaling.shift is None else 2
        registers = ("r2", "r3", "r7", "r9")[: together * rescaling.record]
        if rescaling.is_real:
            stream, record = at.reals(stream, 2 * BYTES, next=True)
            result = at.store_next_word(result, sum(steps), ending.word(sums, record))
        for some in several(range(0 if rescaling.is_real else BYTES), together):
            stream, loaded = at.next_words(stream, registers)
            for n, record in zip(some, several(loaded, rescaling.record), strict=True):
                (number,) = ending.scaled([sums[n]], record)
                result = at.store_next_byte(result, steps[n], ending.byte(number))
        if backward:
            stream = at.compute_by(SubwOp, stream, by=2 * WORD * words, to=stream)
        return stream, at.reload(0, "r7"), [*taps.pointers, stream, result]

    at.frame([end, at.entering("r7")], lambda: at.loop([*pointers, stream, out], block)[:0])
    return at.kernel()
