"""Bytes of two points taken apart into words of two lanes, side by side: the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from .arithmetic import PkhbtOp, Sxtb16Op, Uxtb16Op
from .assembler import Assembler, several
from .control import KernelOp, kept
from .memory import WORD, LdrbOp, LdrOp, LdrsbOp, Loading

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
    pointers = 1 if unpacking.apart is not None else 2
    # Compilers choose the registers of pointers.
    names = [f"v{n}" for n in range(1 + pointers + bool(unpacking.passed))]
    at = Assembler(*names)
    lanes, *given = at.inputs
    points, end = given[:pointers], given[pointers:]

    def store_word(lanes: SSAValue, loaded: Sequence[SSAValue]) -> SSAValue:
        """Four bytes of each point."""
        take = Uxtb16Op if unpacking.unsigned else Sxtb16Op
        even = [at.compute_by(take, word, by=0, to=to) for word, to in zip(loaded, _TAKEN[:2], strict=True)]
        odd = [at.compute_by(take, word, by=8, to=word) for word in loaded]
        return at.store_words(lanes, [*even, *odd])

    def load(kind: type[Loading], place: int, to: Sequence[str]) -> list[SSAValue]:
        """Load the bytes at a place of each point."""
        places = ((points[0], place), (points[-1], place + (unpacking.apart or 0)))
        return [at.load(kind, pointer, by, [name])[0] for (pointer, by), name in zip(places, to, strict=True)]

    def next_word(state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Load the next word at the pointers, which move on."""
        lanes, first, *others = state
        if others:
            moved, (one,) = at.load_next(LdrOp, first, WORD, [_TAKEN[2]])
            next, (other,) = at.load_next(LdrOp, others[0], WORD, [_TAKEN[3]])
            return store_word(lanes, [one, other]), moved, next
        (other,) = at.load(LdrOp, first, unpacking.apart or 0, [_TAKEN[3]])
        moved, (one,) = at.load_next(LdrOp, first, WORD, [_TAKEN[2]])
        return store_word(lanes, [one, other]), moved

    def pair(lanes: SSAValue, places: Sequence[int]) -> SSAValue:
        """A word of each point of two bytes, or of one."""
        kind = LdrbOp if unpacking.unsigned else LdrsbOp
        words, *more = [load(kind, place, to) for place, to in zip(places, several(_TAKEN, 2), strict=False)]
        for high in more:
            words = [at.compute_by(PkhbtOp, *both, by=16, to=both[0]) for both in zip(words, high, strict=True)]
        return at.store_words(lanes, words)

    state: Sequence[SSAValue] = [lanes, *points]
    if unpacking.passed:

        def pass_(values: Sequence[SSAValue]) -> tuple[SSAValue, SSAValue, Sequence[SSAValue]]:
            for _ in range(unpacking.passed):
                values = next_word(values)
            return values[1], end[0], values

        state = at.loop(state, pass_)
        for _ in unpacking.words:
            state = next_word(state)
    else:
        for place in unpacking.words:
            lanes = store_word(lanes, load(LdrOp, place, _TAKEN[2:]))
        for places in several(unpacking.singles, 2):
            lanes = pair(lanes, places)
    return at.kernel()
