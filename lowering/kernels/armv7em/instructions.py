"""Instructions of Armv7E-M beside those of all Thumb: Arm v7-M Architecture Reference Manual, A7.7.

Floats are given by their bits, and rounded to the nearest, halves to even.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import traits_def

from ..definition import defined
from ..thumb.instruction import row
from ..thumb.machine import signed
from ..thumb.memory import READS, WORD, AtPointer, Several
from ..thumb.registers import FloatRegister

_row = partial(row, "armv7em")


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


mov = _row("mov {d},{a}", "A register in another one.", lambda a: a)
mov_constant = _row(
    "mov.w {d},#0x{by:08x}",
    "A constant of four bytes that are alike, or two lanes of eight bits without sign.",
    lambda by: by,
    name="mov_constant",
)
mvn = _row(
    "mvn {d},#{by}", "All other bits than those of a constant of two lanes of eight bits without sign.", lambda by: ~by
)
movw = _row("movw {d},#{by}", "A constant of 16 bits.", lambda by: by)
movt = _row(
    "movt {d},#{by}", "A number, its upper 16 bits replaced, in the same register.", lambda a, by: a & 0xFFFF | by << 16
)
add_asr = _row(
    "add {d},{a},{b},asr#{by}",
    "A sum with a number that is shifted to the right, with sign.",
    lambda a, b, by: a + (b >> by),
    name="add_asr",
)
add_lsl = _row(
    "add {d},{b},{a},lsl#{by}",
    "A number that is shifted to the left, and another one.",
    lambda a, b, by: (a << by) + b,
    name="add_lsl",
)
addw = _row("addw {d},{a},#{by}", "A number and a constant of 12 bits.", lambda a, by: a + by)
sub = _row("sub {d,}{a},{b}", "A difference.", lambda a, b: a - b)
subw = _row("subw {d},{a},#{by}", "A number less a constant of 12 bits.", lambda a, by: a - by)
asr = _row("asr {d,}{a},#{by}", "A shift to the right, with sign.", lambda a, by: a >> by)
asr_by = _row(
    "asr {d,}{a},{b}",
    "A shift to the right, with sign, by another register.",
    lambda a, b: a >> min(b & 0xFF, 31),
    name="asr_by",
)
lsl = _row("lsl {d,}{a},#{by}", "A shift to the left.", lambda a, by: a << by)
eor = _row(
    "eor {d,}{a},#{by}", "The bits of a number, those of a constant of four alike bytes turned.", lambda a, by: a ^ by
)
orr_lsl = _row(
    "orr {d},{a},{b},lsl#{by}",
    "The bits of a number, and those of one that is shifted to the left.",
    lambda a, b, by: a | b << by,
    name="orr_lsl",
)
and_lsl = _row(
    "and {d},{b},{a},lsl#{by}",
    "The bits that a number and one that is shifted to the left, the first of both, have in common.",
    lambda a, b, by: a << by & b,
    name="and_lsl",
)
smlad = _row(
    "smlad {d},{b},{c},{a}",
    "A number, and the products of the lanes of two words added to it.",
    lambda a, b, c: a + sum(one * other for one, other in zip(_lanes(b), _lanes(c), strict=True)),
)
smmla = _row(
    "smmla {d},{a},{b},{c}",
    "The upper half of a product, rounded down, added to a third number.",
    lambda a, b, c: c + (a * b >> 32),
)
smmlar = _row(
    "smmlar {d},{a},{b},{c}",
    "The upper half of a product, rounded, halves up, added to a third number.",
    lambda a, b, c: c + (a * b + (1 << 31) >> 32),
)
sadd16 = _row(
    "sadd16 {d},{a},{b}",
    "The sums of the lanes of two words.",
    lambda a, b: _word_of(*map(sum, zip(_lanes(a), _lanes(b), strict=True))),
)
ssub16 = _row(
    "ssub16 {d},{a},{b}",
    "The differences of the lanes of two words.",
    lambda a, b: _word_of(*(one - other for one, other in zip(_lanes(a), _lanes(b), strict=True))),
)
smlawb = _row(
    "smlawb {d},{a},{b},{c}",
    "A product with the lower lane of a word, without its lowest 16 bits, added to a third number.",
    lambda a, b, c: c + (a * _lanes(b)[0] >> 16),
)
smlawt = _row("smlawt {d},{a},{b},{c}", "The same with the upper lane.", lambda a, b, c: c + (a * _lanes(b)[1] >> 16))
pkhbt = _row(
    "pkhbt {d},{a},{b},lsl#{by}",
    "The lower lane of a number, and above it that of another one, which is shifted to the left.",
    lambda a, b, by: _word_of(a, b << by >> 16),
)
pkhtb = _row(
    "pkhtb {d},{a},{b},asr#{by}",
    "The upper lane of a number, and below it the lower one of another, which is shifted to the right.",
    lambda a, b, by: _word_of(b >> by, a >> 16),
)


def _turned(word: int, by: int) -> int:
    return (word & 0xFFFFFFFF) >> by | word << (32 - by)


def _every_other(word: int, by: int) -> tuple[int, int]:
    """Bytes 0 and 2 with a sign of a word that is turned by so many bits before."""
    turned = _turned(word, by)
    return signed(turned, 8), signed(turned >> 16, 8)


sxtb16 = _row(
    "sxtb16 {d},{a},ror#{by}",
    "Two bytes with a sign as lanes: bytes 0 and 2 of a word that is turned by so many bits before.",
    lambda a, by: _word_of(*_every_other(a, by)),
)
uxtb16 = _row(
    "uxtb16 {d},{a},ror#{by}",
    "Two bytes without a sign as lanes: bytes 0 and 2 of a word that is turned by so many bits before.",
    lambda a, by: _turned(a, by) & 0xFF00FF,
)
sxtab16 = _row(
    "sxtab16 {d},{a},{b},ror#{by}",
    "The sums of the lanes of a word and of those that `sxtb16` makes of another one.",
    lambda a, b, by: _word_of(*map(sum, zip(_lanes(a), _every_other(b, by), strict=True))),
)


def _of_bytes(choose: np.ufunc, a: int, b: int, kind: str) -> int:
    """The word of what is chosen of each byte of two words, and of its neighbour in the other one."""
    return int(choose(*np.array([[a], [b]], "<i4").view(kind)).view("<i4")[0])


ssub8_sel = _row(
    "ssub8 {d},{a},{b}\nsel {d},{a},{b}",
    "Two instructions: the larger bytes of two words, with a sign. The other one reads the first one's flags.",
    lambda a, b: _of_bytes(np.maximum, a, b, "i1"),
    name="ssub8_sel",
)
ssub8_sel_least = _row(
    "ssub8 {d},{a},{b}\nsel {d},{b},{a}",
    "The smaller bytes, as `ssub8_sel`.",
    lambda a, b: _of_bytes(np.minimum, a, b, "i1"),
    name="ssub8_sel_least",
)
usub8_sel = _row(
    "usub8 {d},{a},{b}\nsel {d},{a},{b}",
    "The larger bytes without a sign, as `ssub8_sel`.",
    lambda a, b: _of_bytes(np.maximum, a, b, "u1"),
    name="usub8_sel",
)
usub8_sel_least = _row(
    "usub8 {d},{a},{b}\nsel {d},{b},{a}",
    "The smaller bytes without a sign, as `ssub8_sel`.",
    lambda a, b: _of_bytes(np.minimum, a, b, "u1"),
    name="usub8_sel_least",
)
ssat_half = _row(
    "ssat {d},#16,{a},asr#{by}",
    "The nearest number of 16 bits with a sign to one that is shifted to the right before, with sign.",
    lambda a, by: min(max(a >> by, -(1 << 15)), (1 << 15) - 1),
    name="ssat_half",
)
ssat = _row(
    "ssat {d},#8,{a},asr#{by}",
    "The nearest number of eight bits with a sign to one that is shifted to the right before, with sign.",
    lambda a, by: min(max(a >> by, -128), 127),
)
usat = _row(
    "usat {d},#8,{a},asr#{by}",
    "The nearest number of eight bits without a sign to one that is shifted to the right before, with sign.",
    lambda a, by: min(max(a >> by, 0), 255),
)
usat16 = _row(
    "usat16 {d},#8,{a}",
    "The nearest numbers of eight bits without sign to both lanes, which have one.",
    lambda a: _word_of(*(min(max(lane, 0), 255) for lane in _lanes(a))),
)
vmov = _row(
    "vmov {d},{e},{a},{b}",
    "Two registers in two others: of general ones in those of floats, which lie side by side, or back.",
    lambda a, b: (a, b),
)
vcvt = _row("vcvt.f32.s32 {d},{a}", "An integer as a float.", lambda a: _bits(np.float32(a)))
vcvtr = _row(
    "vcvtr.s32.f32 {d},{a}",
    "A float as the nearest integer.",
    lambda a: int(np.clip(np.rint(np.float64(_real(a))), -(1 << 31), (1 << 31) - 1)),
)
vmla = _row(
    "vmla.f32 {d},{a},{b}",
    "A product of floats, rounded, added to a third one, and rounded again.",
    lambda a, b, c: _bits(np.float32(_real(c) + np.float32(_real(a) * _real(b)))),
)


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
