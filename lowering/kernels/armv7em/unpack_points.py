"""Bytes of two points taken apart into words of two lanes, side by side: the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .arithmetic import pkhbt, sxtb16, uxtb16
from .assembler import Assembler, Held, several
from .control import KernelOp, kept
from .memory import Moving, ldr, ldrb, ldrsb, stm

_TAKEN = ("r2", "r3", "r4", "r5")
"""Registers that a store of several takes, in the order in which it stores them."""


@dataclass(frozen=True)
class Unpacking:
    """Places that are read, and how their bytes are taken apart."""

    words: tuple[int, ...]
    """Offsets of words of four bytes behind each pointer."""
    singles: tuple[int, ...]
    """Offsets of single bytes, two of which become a word."""
    passed: int
    """Words in one pass of a loop, which moves pointers on; none without one. Words behind it lie there then."""
    apart: int | None
    """Bytes from one point to the other; None where there is a pointer to each."""
    unsigned: bool


@kept
def unpack_points(unpacking: Unpacking) -> KernelOp:
    """Build a kernel of the pointers to the words, to the bytes of points, and in a loop to the end of the first's."""
    pointers, apart = 1 if unpacking.apart is not None else 2, unpacking.apart or 0
    # Compilers choose the registers of pointers.
    at = Assembler(*(f"v{n}" for n in range(1 + pointers + bool(unpacking.passed))))
    lanes, *given = at.inputs
    points, end = given[:pointers], given[pointers:]

    def store_word(loaded: Sequence[Held]) -> None:
        """Four bytes of each point."""
        take = uxtb16 if unpacking.unsigned else sxtb16
        even = [at.compute(take, word, by=0, to=to) for word, to in zip(loaded, _TAKEN[:2], strict=True)]
        odd = [at.compute(take, word, by=8, to=word) for word in loaded]
        at.store(stm, lanes, *even, *odd, next=True)

    def load(kind: type[Moving], place: int, to: Sequence[str]) -> list[Held]:
        """Load the bytes at a place of each point."""
        places = ((points[0], place), (points[-1], place + apart))
        return [at.load(kind, pointer, [name], by=by)[0] for (pointer, by), name in zip(places, to, strict=True)]

    def next_word() -> None:
        """Load the next word at the pointers, which move on."""
        # A second point that lies apart from the first one is read before the pointer moves.
        before = at.load(ldr, points[0], _TAKEN[3:], by=apart) if pointers == 1 else []
        moved = [at.load_words(pointer, [to], next=True)[0] for pointer, to in zip(points, _TAKEN[2:], strict=False)]
        store_word([*moved, *before])

    def pair(places: Sequence[int]) -> None:
        """A word of each point of two bytes, or of one."""
        kind = ldrb if unpacking.unsigned else ldrsb
        words, *more = [load(kind, place, to) for place, to in zip(places, several(_TAKEN, 2), strict=False)]
        for high in more:
            for word, upper in zip(words, high, strict=True):
                at.compute(pkhbt, word, upper, by=16, to=word)
        at.store(stm, lanes, *words, next=True)

    if unpacking.passed:
        with at.loop(lanes, *points) as until:
            for _ in range(unpacking.passed):
                next_word()
            until(points[0], *end)
        for _ in unpacking.words:
            next_word()
    else:
        for place in unpacking.words:
            store_word(load(ldr, place, _TAKEN[2:]))
        for places in several(unpacking.singles, 2):
            pair(places)
    return at.kernel()
