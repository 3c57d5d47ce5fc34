"""End of sums that become bytes: a record of multiplier, what is added, and a shift if each channel has its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.simd import Rescaling
from .arithmetic import (
    AddAsrOp,
    AsrByOp,
    EorOp,
    MovConstantOp,
    OrrLslOp,
    PkhbtOp,
    Sadd16Op,
    SmmlaOp,
    SmmlarOp,
    SsatOp,
    Usat16Op,
    UsatOp,
)
from .assembler import Assembler, Where, several
from .floats import VcvtOp, VmlaOp


class Ending:
    """The instructions for it."""

    def __init__(self, at: Assembler, rescaling: Rescaling, scratch: Where = None):
        """`scratch` is for what is added with a sign; without, a record is used once, and its own register is."""
        self._at, self._rescaling, self._scratch = at, rescaling, scratch

    def high(self, sums: Sequence[SSAValue], multiplier: SSAValue, added: SSAValue) -> list[SSAValue]:
        """The upper halves of products, and what is added."""
        at, found = self._at, list[SSAValue]()
        for one in sums:
            more = added
            if self._rescaling.signed:
                more = at.compute_by(AddAsrOp, added, one, by=31, to=self._scratch or added)
            kind = SmmlaOp if self._rescaling.floor else SmmlarOp
            found.append(at.compute(kind, one, multiplier, more, to=one))
        return found

    def shifted(self, high: Sequence[SSAValue], shift: SSAValue) -> list[SSAValue]:
        """These shifted as a channel's record says."""
        return [self._at.compute(AsrByOp, one, shift, to=one) for one in high]

    def scaled(self, sums: Sequence[SSAValue], record: Sequence[SSAValue]) -> list[SSAValue]:
        """Both, of a record that is loaded."""
        multiplier, added, *shift = record
        high = self.high(sums, multiplier, added)
        return self.shifted(high, *shift) if shift else high

    def byte(self, number: SSAValue) -> SSAValue:
        """The nearest byte, after the shift of all channels."""
        kind = UsatOp if self._rescaling.unsigned else SsatOp
        return self._at.compute_by(kind, number, by=self._rescaling.shift or 0, to=number)

    def store(self, numbers: Sequence[SSAValue], result: SSAValue, apart: int | None) -> SSAValue:
        """The place behind the byte of a channel; that of a second point lies apart from the first one's."""
        one, *other = map(self.byte, numbers)
        for byte in other:
            assert apart is not None, "two points lie apart"
            self._at.store_byte(result, apart, byte)
        return self._at.store_next_byte(result, 1, one)

    def word(self, sums: Sequence[SSAValue], record: Sequence[SSAValue]) -> SSAValue:
        """The bytes of four channels of one point, by products of floats; the record has all factors first."""
        at, rescaling, factors, started = self._at, self._rescaling, record[: len(sums)], record[len(sums) :]
        pairs = zip(several(sums, 2), (("s8", "s9"), ("s10", "s11")), strict=True)
        reals = [at.compute(VcvtOp, one, to=one) for some, to in pairs for one in at.move_pair(some, to)]
        products = [at.compute(VmlaOp, *each, to=each[2]) for each in zip(reals, factors, started, strict=True)]
        pairs = zip(several(products, 2), several(sums, 2), strict=True)
        a, b, c, d = (one for some, to in pairs for one in at.move_pair(some, to))
        lanes = [at.compute_by(PkhbtOp, low, high, by=16, to=low) for low, high in ((a, c), (b, d))]
        if rescaling.lift % 2:
            lift = at.compute_by(MovConstantOp, by=rescaling.lift * 0x10001, to=c)
            lanes = [at.compute(Sadd16Op, each, lift, to=each) for each in lanes]
        even, odd = (at.compute(Usat16Op, each, to=each) for each in lanes)
        word = at.compute_by(OrrLslOp, even, odd, by=8, to=even)
        return word if rescaling.unsigned else at.compute_by(EorOp, word, by=0x80808080, to=word)
