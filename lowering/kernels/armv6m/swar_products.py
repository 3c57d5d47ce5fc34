"""Sums of two channels in one word, of two such words side by side: the instructions.

Eight registers are for all instructions, and they are all taken. What loops add to or compare with is in high ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..thumb.control import EnteringOp, FrameOp, KernelOp, UnlessOp, Walk, YieldOp, kept
from ..thumb.memory import WORD, ldm, ldr, reload, str_
from ..thumb.registers import GENERAL, Register
from .instructions import HIGH, HighRegister, adcs_asrs, add, adds, lsls, mov, muls, subs

_HALF = 16
"""Bits of a channel's part of a word."""
_WRITTEN = (*GENERAL[:7], *HIGH)


@kept
def swar_products(windows: int) -> KernelOp:
    """Add to four sums, of the numbers, their words, the numbers' end, the sums, and the last number of single windows.

    A window is two numbers, and for each two channels two words. Those up to the last number are taken one by one, the
    others so many in a pass.
    """
    kernel = KernelOp("r0", "r1", "r2", "r3", "r4", writes=_WRITTEN)
    with kernel.filled() as (number, word, end, sums, last):
        last, end = (mov(one, to=HighRegister).result for one in (last, end))
        totals = [each for at in (0, 2 * WORD) for each in _started(sums, at)]
        frame = FrameOp(sums, EnteringOp("r7").result)
        with frame.filled():
            state: Sequence[SSAValue] = [number, word, *totals]
            for until, written in ((last, 1), (end, windows)):
                state = _windows(state, until, written)
            place = reload(by=0).result
            for at, (total, upper) in enumerate((state[2:4], state[4:6])):
                _store(place, 2 * WORD * at, total, upper)
            YieldOp()
    return kernel


def _started(sums: SSAValue, at: int) -> tuple[SSAValue, SSAValue]:
    """Two sums as a total of both, and the upper one of them."""
    lower, upper = (ldr(sums, by=at + by).result for by in (0, WORD))
    return mov(adds(lower, lsls(upper, by=_HALF).result).result, to=HighRegister).result, upper


def _windows(state: Sequence[SSAValue], until: SSAValue, written: int) -> Sequence[SSAValue]:
    """Windows up to a number, perhaps none: the next number and word, and totals and upper sums, from those before."""
    unless = UnlessOp(state[0], until, *state)
    with unless.filled():
        YieldOp(*Walk(written, 0).over(_window, lambda number, *_: (number, until), *state))
    return unless.results


def _window(number: SSAValue, word: SSAValue, *totals: SSAValue) -> Sequence[SSAValue]:
    """Go on by a window."""
    number, *numbers = ldm(number, loaded=2, next=True).results
    found: list[SSAValue] = []
    for total, upper in (totals[:2], totals[2:]):
        word, *words = ldm(word, loaded=2, next=True).results
        both = adds(*(muls(one, other).result for one, other in zip(words, numbers, strict=True))).result
        found += [add(total, both).result, adcs_asrs(upper, both, by=_HALF).results[0]]
    return number, word, *found


def _store(place: SSAValue, at: int, total: SSAValue, upper: SSAValue) -> None:
    """Store two sums of a total and the upper one."""
    str_(place, upper, by=at + WORD)
    moved = lsls(upper, by=_HALF).result
    str_(place, subs(mov(total, to=Register).result, moved).result, by=at)
