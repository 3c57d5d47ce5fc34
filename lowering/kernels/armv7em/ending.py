"""End of sums that become bytes: a record of multiplier, what is added, and a shift if each channel has its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.simd.rescaling import Rescaling
from ....dialects.simd.words import BYTES
from ..thumb.memory import load_words, several, str_, strb
from ..thumb.registers import FloatRegister, Register
from . import instructions as v7


@dataclass(frozen=True)
class Ending:
    """The instructions for it."""

    rescaling: Rescaling
    apart: int | None = None
    """Bytes from those of the first point to those of the second."""
    together: int = 1
    """Channels whose records are one load."""
    steps: Sequence[int] = (1,) * BYTES
    """Bytes from each channel to the next one."""

    def scale(self, sums: Sequence[SSAValue], record: Sequence[SSAValue]) -> list[SSAValue]:
        """The upper halves of products, what is added, and the shift if that is loaded, too."""
        multiplied, scaled = v7.smmla if self.rescaling.floor else v7.smmlar, list[SSAValue]()
        multiplier, added, *shifts = record
        for one in sums:
            more = v7.add_asr(added, one, by=31).result if self.rescaling.signed else added
            scaled.append(multiplied(one, multiplier, more).result)
        return self.shift(scaled, *shifts) if shifts else scaled

    def shift(self, sums: Sequence[SSAValue], by: SSAValue) -> list[SSAValue]:
        """Sums that are multiplied, shifted as a channel's record says."""
        return [v7.asr_by(one, by).result for one in sums]

    def store(self, sums: list[list[SSAValue]], stream: SSAValue, result: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Store the bytes of sums, `[channel][point]`, whose records come next in a stream: where both go on."""
        if self.rescaling.is_real:
            *others, first = [list(point) for point in zip(*sums, strict=True)][::-1]
            for point in others:
                str_(result, self.word(point, v7.vldm(stream, loaded=2 * BYTES).loaded), by=self.apart)
            stream, *record = v7.vldm(stream, loaded=2 * BYTES, next=True).results
            return stream, str_(result, self.word(first, record), by=sum(self.steps), next=True).moved
        for some in several(zip(sums, self.steps, strict=True), self.together):
            stream, *words = load_words(stream, len(some) * self.rescaling.record)
            for (channel, step), record in zip(some, several(words, self.rescaling.record), strict=True):
                result = self.store_channel(self.scale(channel, record), result, step)
        return stream, result

    def store_channel(self, sums: Sequence[SSAValue], result: SSAValue, step: int = 1) -> SSAValue:
        """Store the bytes of a channel's sums that are scaled, and return where the next ones go."""
        one, *other = map(self.byte, sums)
        for byte in other:
            strb(result, byte, by=self.apart)
        return strb(result, one, by=step, next=True).moved

    def byte(self, number: SSAValue) -> SSAValue:
        """The nearest byte, after the shift of all channels."""
        return (v7.usat if self.rescaling.unsigned else v7.ssat)(number, by=self.rescaling.shift or 0).result

    def word(self, sums: Sequence[SSAValue], record: Sequence[SSAValue]) -> SSAValue:
        """The bytes of four channels of one point, by products of floats, of their record."""
        factors, started = several(record, len(sums))
        moved = (one for some in several(sums, 2) for one in v7.vmov(*some, to=FloatRegister).results)
        reals = [v7.vcvt(one).result for one in moved]
        products = [v7.vmla(*three).result for three in zip(reals, factors, started, strict=True)]
        a, b, c, d = (one for some in several(products, 2) for one in v7.vmov(*some, to=Register).results)
        both = [v7.pkhbt(low, high, by=16).result for low, high in ((a, c), (b, d))]
        if self.rescaling.lift % 2:
            lift = v7.mov_constant(by=self.rescaling.lift * 0x10001).result
            both = [v7.sadd16(each, lift).result for each in both]
        word = v7.orr_lsl(*[v7.usat16(each).result for each in both], by=8).result
        return word if self.rescaling.unsigned else v7.eor(word, by=0x80808080).result
