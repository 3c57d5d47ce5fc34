"""End of sums that become bytes: a record of multiplier, what is added, and a shift if each channel has its own."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.simd import Rescaling
from .arithmetic import (
    add_asr,
    asr_by,
    eor,
    mov_constant,
    orr_lsl,
    pkhbt,
    sadd16,
    smmla,
    smmlar,
    ssat,
    usat,
    usat16,
    vcvt,
    vmla,
    vmov,
)
from .assembler import Assembler, Held, Where, several
from .memory import strb, vldm

_RECORD_OF_WORD = tuple(f"s{n}" for n in range(8))
"""Registers of the record of a word: four factors, and four times what products start from."""


class Ending:
    """The instructions for it. Sums become what is computed of them, in their registers."""

    def __init__(self, at: Assembler, rescaling: Rescaling, scratch: Where | None = None):
        """`scratch` is for what is added with a sign; without, a record is used once, and its own register is."""
        self._at, self._rescaling, self._scratch = at, rescaling, scratch

    def scale(self, sums: Sequence[Held], record: Sequence[Held]) -> None:
        """The upper halves of products, what is added, and the shift if that is loaded, too."""
        at, multiplied = self._at, smmla if self._rescaling.floor else smmlar
        multiplier, added, *shifts = record
        for one in sums:
            more = added
            if self._rescaling.signed:
                more = at.compute(add_asr, added, one, by=31, to=self._scratch or added)
            at.compute(multiplied, one, multiplier, more, to=one)
        for shift in shifts:
            self.shift(sums, shift)

    def shift(self, sums: Sequence[Held], shift: Held) -> None:
        """Sums that are multiplied, shifted as a channel's record says."""
        for one in sums:
            self._at.compute(asr_by, one, shift, to=one)

    def store(
        self, sums: Sequence[Held], record: Sequence[Held], result: Held, apart: int | None = None, step: int = 1
    ) -> None:
        """Store the bytes of a channel of a record that is loaded; that of a second point lies `apart`.

        The place of the first one moves on by a step. Without a record sums are scaled already.
        """
        if record:
            self.scale(sums, record)
        one, *other = map(self.byte, sums)
        for byte in other:
            self._at.store(strb, result, byte, by=apart)
        self._at.store(strb, result, one, by=step, next=True)

    def byte(self, number: Held) -> Held:
        """The nearest byte, after the shift of all channels."""
        nearest = usat if self._rescaling.unsigned else ssat
        return self._at.compute(nearest, number, by=self._rescaling.shift or 0, to=number)

    def word(self, sums: Sequence[Held], place: Held, *, next: bool = False) -> Held:
        """The bytes of four channels of one point, by products of floats; their record is at a place.

        With `next` the place moves on behind it.
        """
        at, rescaling = self._at, self._rescaling
        factors, started = several(at.load(vldm, place, _RECORD_OF_WORD, next=next), len(sums))
        pairs = zip(several(sums, 2), (("s8", "s9"), ("s10", "s11")), strict=True)
        reals = [at.compute(vcvt, one, to=one) for some, to in pairs for one in at.compute_pair(vmov, some, to)]
        for real, factor, product in zip(reals, factors, started, strict=True):
            at.compute(vmla, real, factor, product, to=product)
        for some, to in zip(several(started, 2), several(sums, 2), strict=True):
            at.compute_pair(vmov, some, to)
        a, b, c, d = sums
        even, odd = (at.compute(pkhbt, low, high, by=16, to=low) for low, high in ((a, c), (b, d)))
        if rescaling.lift % 2:
            lift = at.compute(mov_constant, by=rescaling.lift * 0x10001, to=c)
            for each in (even, odd):
                at.compute(sadd16, each, lift, to=each)
        for each in (even, odd):
            at.compute(usat16, each, to=each)
        word = at.compute(orr_lsl, even, odd, by=8, to=even)
        return word if rescaling.unsigned else at.compute(eor, word, by=0x80808080, to=word)
