"""Windows over four channels that stay apart, and bytes of their sums: the instructions.

The bytes of two taps become a word of two lanes for each channel. Source of the layout: `simd.sum_taps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice, repeat

from ....dialects.simd import BYTES, Rescaling, SumTapsOp
from ....dialects.simd.taps import CLIPPED
from .arithmetic import addw, mov_constant, movt, movw, mvn, pkhbt, pkhtb, smlad, subw, sxtb16, uxtb16
from .assembler import Assembler, Held, Where, several
from .control import KernelOp, kept
from .ending import Ending
from .memory import WORD, ldr, ldr_at, ldrd, str_, strb

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
    pointers: Sequence[Held]
    step: int = 0
    moved: set[int] = field(default_factory=set[int])
    """Memrefs whose pointers have moved on."""

    def load(self, number: int, to: Where) -> Held:
        """Load the bytes of a tap."""
        window, at = self.window, self.at
        place, owner = window.places[number], window.owners[number]
        if place == CLIPPED:
            return at.compute(mov_constant, by=window.zeros, to=to)
        pointer = self.pointers[owner]
        if self.step:
            place -= window.nearest(owner)
            if place == 0:
                self.moved.add(owner)
                return at.load(ldr, pointer, [to], by=self.step, next=True)[0]
            place -= self.step if owner in self.moved else 0
        if place <= REACH:
            return at.load(ldr, pointer, [to], by=place)[0]
        distance = at.compute(movw, by=place & 0xFFFF, to=to)
        if place >> 16:
            at.compute(movt, distance, by=place >> 16, to=distance)
        return at.compute(ldr_at, pointer, distance, to=distance)

    def load_zeros(self, to: Where) -> Held:
        """Load what two clipped taps are, as lanes."""
        zero = self.window.zeros & 0xFF
        if self.window.signed and zero > 0x7F:
            return self.at.compute(mvn, by=(zero ^ 0xFF) * 0x10001, to=to)
        return self.at.compute(mov_constant, by=zero * 0x10001, to=to)

    def lanes(self, loaded: Sequence[Held], registers: Sequence[Where]) -> Iterator[Held]:
        """The lanes of each channel, of the bytes of two taps, or of a single one: then two channels share them.

        They are taken apart as they are asked for, in three registers, of which the bytes are in the first ones.
        """
        at, take, (one, other, third) = self.at, sxtb16 if self.window.signed else uxtb16, registers
        if len(loaded) == 1:
            channels = [at.compute(take, *loaded, by=0, to=other), at.compute(take, *loaded, by=8, to=one)]
            yield from channels * 2
            return
        low = at.compute(pkhbt, *loaded, by=16, to=third)
        high = at.compute(pkhtb, *loaded[::-1], by=16, to=other)
        for both in (low, high):
            yield at.compute(take, both, by=0, to=one)
            yield at.compute(take, both, by=8, to=both)


def _add_taps(
    taps: _Taps,
    sums: Sequence[Held],
    weights: Callable[[int], Iterable[Sequence[Held]]],
    registers: Sequence[Where],
    skip: Callable[[], object] = lambda: None,
) -> None:
    """Add the products of all taps, in three registers.

    `weights` are those of two taps by their number, or of a single one in the lane of the channel: in groups of
    channels, each loaded when it is asked for. Where taps are all clipped, they are one word for all channels; of
    zeros, `skip` goes to the weights behind theirs.
    """
    for number, both in enumerate(several(range(len(taps.window.places)), 2)):
        if any(taps.window.places[tap] != CLIPPED for tap in both):
            lanes = taps.lanes([taps.load(tap, to) for tap, to in zip(both, registers, strict=False)], registers)
        elif taps.window.zeros:
            lanes = repeat(taps.load_zeros(registers[0]))
        else:
            skip()
            continue
        # Weights are loaded before bytes are taken apart.
        for total, weight, word in zip(sums, chain.from_iterable(weights(number)), lanes, strict=False):
            taps.at.compute(smlad, word, weight, total, to=total)


@kept
def sum_taps(window: Window) -> KernelOp:
    """Sums of one window: of pointers to the first bytes of each memref, and to words. Compilers choose registers."""
    names = (f"v{n}" for n in count())
    inputs, sums, registers, loaded = (list(islice(names, n)) for n in (window.memrefs + 1, BYTES, 3, 2))
    at = Assembler(*inputs)
    *pointers, words = at.inputs

    def weights(number: int) -> Iterator[list[Held]]:
        for n in (0, 2):
            yield at.load(ldrd, words, loaded, by=(BYTES * (1 + number) + n) * WORD)

    start = at.load_pairs(words, sums)
    _add_taps(_Taps(at, window, pointers), start, weights, registers)
    return at.kernel(*start)


@kept
def scale_bytes(skipped: int, rescaling: Rescaling) -> KernelOp:
    """Bytes of four sums: of where they go, of words, and of the sums, which change. Compilers choose registers."""
    at = Assembler(*(f"v{n}" for n in range(2 + BYTES)))
    bytes, words, *sums = at.inputs
    ending, (x, y, t) = Ending(at, rescaling), (f"v{2 + BYTES + n}" for n in range(3))
    if rescaling.is_real:
        place = at.compute(addw, words, by=WORD * skipped, to=x)
        at.store(str_, bytes, ending.word(sums, place), by=0)
        return at.kernel()
    for channel, total in enumerate(sums):
        place = WORD * (skipped + rescaling.record * channel)
        record = at.load(ldrd, words, (x, y), by=place)
        if rescaling.shift is None:
            record += at.load(ldr, words, (t,), by=place + 2 * WORD)
        ending.scale([total], record)
        at.store(strb, bytes, ending.byte(total), by=channel)
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
    *pointers, stream, end, result = at.inputs
    ending, taken = Ending(at, rescaling), ("r9", "sl") if window.memrefs > 1 else ("r9", "sl", "fp", "ip")

    def weights(_: int) -> Iterator[list[Held]]:
        for _ in range(0, BYTES, len(taken)):
            yield at.load_words(stream, taken, next=True)

    def skip() -> None:
        at.compute(addw, stream, by=BYTES * WORD, to=stream)

    # Of the first three channels the pointer moves on by a byte, of the last one to the next block.
    steps = (1, 1, 1, 1 - 2 * BYTES if backward else 1)
    with at.frame([end, at.entering("r7")]), at.loop(*pointers, stream, result) as until:
        sums = at.load_words(stream, _SUMS, next=True)
        _add_taps(_Taps(at, window, pointers, -BYTES if backward else BYTES), sums, weights, ("r2", "r3", "r7"), skip)
        if rescaling.is_real:
            at.store(str_, result, ending.word(sums, stream, next=True), by=sum(steps), next=True)
        else:
            together = 1 if rescaling.shift is None else 2
            for some in several(list(zip(sums, steps, strict=True)), together):
                loaded = at.load_words(stream, ("r2", "r3", "r7", "r9")[: together * rescaling.record], next=True)
                for (total, step), record in zip(some, several(loaded, rescaling.record), strict=True):
                    ending.store([total], record, result, step=step)
        if backward:
            at.compute(subw, stream, by=2 * WORD * words, to=stream)
        until(stream, at.reload(0, "r7"))
    return at.kernel()
