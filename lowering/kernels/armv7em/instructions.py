"""Instructions of Armv7E-M beside those of all Thumb: Arm v7-M Architecture Reference Manual, A7.7.

Floats are given by their bits, and rounded to the nearest, halves to even.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import traits_def

from ..definition import defined
from ..thumb.instruction import assembly
from ..thumb.machine import signed
from ..thumb.memory import READS, WORD, AtPointer, Several
from ..thumb.registers import FloatRegister


def _lanes(word: int) -> tuple[int, int]:
    """The lower and the upper 16 bits of a word, each with a sign."""
    return signed(word, 16), signed(word >> 16, 16)


def _word_of(low: int, high: int) -> int:
    """The word of two lanes."""
    return signed((high & 0xFFFF) << 16 | low & 0xFFFF)


def _bits(value: np.float32) -> int:
    """The bits of a float as a number with a sign."""
    return int(value.view(np.int32))


def _real(word: int) -> np.float32:
    """The float of such bits."""
    return np.int32(word).view(np.float32)


@assembly("mov {d},{a}")
def mov(a: int) -> int:
    """A register in another one."""
    return a


@assembly("mov.w {d},#0x{by:08x}")
def mov_constant(by: int) -> int:
    """A constant of four bytes that are alike, or two lanes of eight bits without sign."""
    return by


@assembly("mvn {d},#{by}")
def mvn(by: int) -> int:
    """All other bits than those of a constant of two lanes of eight bits without sign."""
    return ~by


@assembly("movw {d},#{by}")
def movw(by: int) -> int:
    """A constant of 16 bits."""
    return by


@assembly("movt {d},#{by}")
def movt(a: int, by: int) -> int:
    """A number, its upper 16 bits replaced, in the same register."""
    return a & 0xFFFF | by << 16


@assembly("add {d},{a},{b},asr#{by}")
def add_asr(a: int, b: int, by: int) -> int:
    """A sum with a number that is shifted to the right, with sign."""
    return a + (b >> by)


@assembly("add {d},{b},{a},lsl#{by}")
def add_lsl(a: int, b: int, by: int) -> int:
    """A number that is shifted to the left, and another one."""
    return (a << by) + b


@assembly("addw {d},{a},#{by}")
def addw(a: int, by: int) -> int:
    """A number and a constant of 12 bits."""
    return a + by


@assembly("sub {d,}{a},{b}")
def sub(a: int, b: int) -> int:
    """A difference."""
    return a - b


@assembly("subw {d},{a},#{by}")
def subw(a: int, by: int) -> int:
    """A number less a constant of 12 bits."""
    return a - by


@assembly("asr {d,}{a},#{by}")
def asr(a: int, by: int) -> int:
    """A shift to the right, with sign."""
    return a >> by


@assembly("asr {d,}{a},{b}")
def asr_by(a: int, b: int) -> int:
    """A shift to the right, with sign, by another register."""
    return a >> min(b & 0xFF, 31)


@assembly("lsl {d,}{a},#{by}")
def lsl(a: int, by: int) -> int:
    """A shift to the left."""
    return a << by


@assembly("eor {d,}{a},#{by}")
def eor(a: int, by: int) -> int:
    """The bits of a number, those of a constant of four alike bytes turned."""
    return a ^ by


@assembly("orr {d},{a},{b},lsl#{by}")
def orr_lsl(a: int, b: int, by: int) -> int:
    """The bits of a number, and those of one that is shifted to the left."""
    return a | b << by


@assembly("and {d},{b},{a},lsl#{by}")
def and_lsl(a: int, b: int, by: int) -> int:
    """The bits that a number and one that is shifted to the left, the first of both, have in common."""
    return a << by & b


@assembly("smlad {d},{b},{c},{a}")
def smlad(a: int, b: int, c: int) -> int:
    """A number, and the products of the lanes of two words added to it."""
    return a + sum(one * other for one, other in zip(_lanes(b), _lanes(c), strict=True))


@assembly("smmla {d},{a},{b},{c}")
def smmla(a: int, b: int, c: int) -> int:
    """The upper half of a product, rounded down, added to a third number."""
    return c + (a * b >> 32)


@assembly("smmlar {d},{a},{b},{c}")
def smmlar(a: int, b: int, c: int) -> int:
    """The upper half of a product, rounded, halves up, added to a third number."""
    return c + (a * b + (1 << 31) >> 32)


@assembly("sadd16 {d},{a},{b}")
def sadd16(a: int, b: int) -> int:
    """The sums of the lanes of two words."""
    return _word_of(*map(sum, zip(_lanes(a), _lanes(b), strict=True)))


@assembly("ssub16 {d},{a},{b}")
def ssub16(a: int, b: int) -> int:
    """The differences of the lanes of two words."""
    return _word_of(*(one - other for one, other in zip(_lanes(a), _lanes(b), strict=True)))


@assembly("smlawb {d},{a},{b},{c}")
def smlawb(a: int, b: int, c: int) -> int:
    """A product with the lower lane of a word, without its lowest 16 bits, added to a third number."""
    return c + (a * _lanes(b)[0] >> 16)


@assembly("smlawt {d},{a},{b},{c}")
def smlawt(a: int, b: int, c: int) -> int:
    """The same with the upper lane."""
    return c + (a * _lanes(b)[1] >> 16)


@assembly("pkhbt {d},{a},{b},lsl#{by}")
def pkhbt(a: int, b: int, by: int) -> int:
    """The lower lane of a number, and above it that of another one, which is shifted to the left."""
    return _word_of(a, b << by >> 16)


@assembly("pkhtb {d},{a},{b},asr#{by}")
def pkhtb(a: int, b: int, by: int) -> int:
    """The upper lane of a number, and below it the lower one of another, which is shifted to the right."""
    return _word_of(b >> by, a >> 16)


def _turned(word: int, by: int) -> int:
    return (word & 0xFFFFFFFF) >> by | word << (32 - by)


def _every_other(word: int, by: int) -> tuple[int, int]:
    """Bytes 0 and 2 with a sign of a word that is turned by so many bits before."""
    turned = _turned(word, by)
    return signed(turned, 8), signed(turned >> 16, 8)


@assembly("sxtb16 {d},{a},ror#{by}")
def sxtb16(a: int, by: int) -> int:
    """Two bytes with a sign as lanes: bytes 0 and 2 of a word that is turned by so many bits before."""
    return _word_of(*_every_other(a, by))


@assembly("uxtb16 {d},{a},ror#{by}")
def uxtb16(a: int, by: int) -> int:
    """Two bytes without a sign as lanes: bytes 0 and 2 of a word that is turned by so many bits before."""
    return _turned(a, by) & 0xFF00FF


@assembly("sxtab16 {d},{a},{b},ror#{by}")
def sxtab16(a: int, b: int, by: int) -> int:
    """The sums of the lanes of a word and of those that `sxtb16` makes of another one."""
    return _word_of(*map(sum, zip(_lanes(a), _every_other(b, by), strict=True)))


def _of_bytes(choose: np.ufunc, a: int, b: int, kind: str) -> int:
    """The word of what is chosen of each byte of two words, and of its neighbour in the other one."""
    return int(choose(*np.array([[a], [b]], "<i4").view(kind)).view("<i4")[0])


@assembly("ssub8 {d},{a},{b}\nsel {d},{a},{b}")
def ssub8_sel(a: int, b: int) -> int:
    """Two instructions: the larger bytes of two words, with a sign. The other one reads the first one's flags."""
    return _of_bytes(np.maximum, a, b, "i1")


@assembly("ssub8 {d},{a},{b}\nsel {d},{b},{a}")
def ssub8_sel_least(a: int, b: int) -> int:
    """The smaller bytes, as `ssub8_sel`."""
    return _of_bytes(np.minimum, a, b, "i1")


@assembly("usub8 {d},{a},{b}\nsel {d},{a},{b}")
def usub8_sel(a: int, b: int) -> int:
    """The larger bytes without a sign, as `ssub8_sel`."""
    return _of_bytes(np.maximum, a, b, "u1")


@assembly("usub8 {d},{a},{b}\nsel {d},{b},{a}")
def usub8_sel_least(a: int, b: int) -> int:
    """The smaller bytes without a sign, as `ssub8_sel`."""
    return _of_bytes(np.minimum, a, b, "u1")


@assembly("ssat {d},#16,{a},asr#{by}")
def ssat_half(a: int, by: int) -> int:
    """The nearest number of 16 bits with a sign to one that is shifted to the right before, with sign."""
    return min(max(a >> by, -(1 << 15)), (1 << 15) - 1)


@assembly("ssat {d},#8,{a},asr#{by}")
def ssat(a: int, by: int) -> int:
    """The nearest number of eight bits with a sign to one that is shifted to the right before, with sign."""
    return min(max(a >> by, -128), 127)


@assembly("usat {d},#8,{a},asr#{by}")
def usat(a: int, by: int) -> int:
    """The nearest number of eight bits without a sign to one that is shifted to the right before, with sign."""
    return min(max(a >> by, 0), 255)


@assembly("usat16 {d},#8,{a}")
def usat16(a: int) -> int:
    """The nearest numbers of eight bits without sign to both lanes, which have one."""
    return _word_of(*(min(max(lane, 0), 255) for lane in _lanes(a)))


@assembly("vmov {d},{e},{a},{b}")
def vmov(a: int, b: int) -> tuple[int, int]:
    """Two registers in two others: of general ones in those of floats, which lie side by side, or back."""
    return a, b


@assembly("vcvt.f32.s32 {d},{a}")
def vcvt(a: int) -> int:
    """An integer as a float."""
    return _bits(np.float32(a))


@assembly("vcvtr.s32.f32 {d},{a}")
def vcvtr(a: int) -> int:
    """A float as the nearest integer."""
    return int(np.clip(np.rint(np.float64(_real(a))), -(1 << 31), (1 << 31) - 1))


@assembly("vmla.f32 {d},{a},{b}")
def vmla(a: int, b: int, c: int) -> int:
    """A product of floats, rounded, added to a third one, and rounded again."""
    product = np.float32(_real(a) * _real(b))
    return _bits(np.float32(_real(c) + product))


ldrd = defined(AtPointer, "armv7em.ldrd", "Two words.", traits=traits_def(READS), LOADED=2)
ldrsb = defined(AtPointer, "armv7em.ldrsb", "A byte with a sign.", traits=traits_def(READS), LOADED=1, SIZE=1)
vldm = defined(
    Several,
    "armv7em.vldm",
    "Words side by side in the registers of floats.",
    traits=traits_def(READS),
    TO=FloatRegister,
)


def load_pairs(pointer: SSAValue, count: int) -> list[SSAValue]:
    """Load an even number of words side by side behind a pointer, two at a time."""
    return [one for n in range(0, count, 2) for one in ldrd(pointer, by=WORD * n).loaded]
