"""How sums become bytes: a record of multiplier, what is added, and a shift if each channel has its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.simd import Rescaling
from .arithmetic import AddAsrOp, AsrByOp, SmmlaOp, SmmlarOp, SsatOp, UsatOp
from .assembler import Assembler


class Ending:
    """The instructions for it."""

    def __init__(self, at: Assembler, rescaling: Rescaling):
        self._at, self._rescaling = at, rescaling

    def high(self, sums: Sequence[SSAValue], multiplier: SSAValue, added: SSAValue) -> list[SSAValue]:
        """The upper halves of products, and what is added."""
        at, found = self._at, list[SSAValue]()
        for one in sums:
            more = at.compute_by(AddAsrOp, added, one, by=31, to="r0") if self._rescaling.signed else added
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

    def store(self, numbers: Sequence[SSAValue], result: SSAValue, apart: int | None) -> SSAValue:
        """The place behind the byte of a channel; that of a second point lies apart from the first one's."""
        kind = UsatOp if self._rescaling.unsigned else SsatOp
        one, *other = [self._at.compute_by(kind, n, by=self._rescaling.shift or 0, to=n) for n in numbers]
        for byte in other:
            assert apart is not None, "two points lie apart"
            self._at.store_byte(result, apart, byte)
        return self._at.store_next_byte(result, 1, one)
