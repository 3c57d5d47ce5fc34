"""Instructions that compute: Arm v7-M Architecture Reference Manual, A7.7."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.backend.assembly_printer import reg
from xdsl.backend.register_allocatable import RegisterConstraints
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from .instruction import Computing, ComputingBy
from .machine import lanes, signed, word_of


def short(result: SSAValue, inputs: Sequence[SSAValue]) -> list[str]:
    """Registers of an instruction that changes the first of its operands, or not: then the result is named, too."""
    names = [reg(result), *map(reg, inputs)]
    return names[1:] if names[1:] and names[0] == names[1] else names


class Short(Computing, ABC):
    """One that is written shorter where it changes its first operand."""

    def arguments(self) -> Sequence[str]:
        return short(self.result, self.inputs)


@irdl_op_definition
class MovOp(Computing):
    """A register in another one."""

    name = "armv7em.mov"

    def compute(self, *values: int) -> int:
        return values[0]


@irdl_op_definition
class SubOp(Short):
    """A difference."""

    name = "armv7em.sub"

    def compute(self, *values: int) -> int:
        return values[0] - values[1]


@irdl_op_definition
class SmladOp(Computing):
    """The products of the lanes of two words, added to a third number."""

    name = "armv7em.smlad"

    def compute(self, *values: int) -> int:
        (a, b), (c, d) = lanes(values[0]), lanes(values[1])
        return values[2] + a * c + b * d


@irdl_op_definition
class SmmlaOp(Computing):
    """The upper half of a product, rounded down, added to a third number."""

    name = "armv7em.smmla"

    def compute(self, *values: int) -> int:
        return values[2] + (values[0] * values[1] >> 32)


@irdl_op_definition
class SmmlarOp(Computing):
    """The upper half of a product, rounded, halves up, added to a third number."""

    name = "armv7em.smmlar"

    def compute(self, *values: int) -> int:
        return values[2] + (values[0] * values[1] + (1 << 31) >> 32)


@irdl_op_definition
class AsrByOp(Short):
    """A shift to the right, with sign, by another register."""

    name = "armv7em.asr_by"
    MNEMONIC: ClassVar[str] = "asr"

    def compute(self, *values: int) -> int:
        return values[0] >> min(values[1] & 0xFF, 31)


class _Shifting(ComputingBy, ABC):
    """One whose last operand is shifted or turned by a constant."""

    SHIFT: ClassVar[str]

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), *map(reg, self.inputs), f"{self.SHIFT}#{self.constant}"]


@irdl_op_definition
class AddAsrOp(_Shifting):
    """A sum with a number that is shifted to the right, with sign."""

    name = "armv7em.add_asr"
    MNEMONIC: ClassVar[str] = "add"
    SHIFT: ClassVar[str] = "asr"

    def compute(self, *values: int) -> int:
        return values[0] + (values[1] >> self.constant)


@irdl_op_definition
class AddLslOp(_Shifting):
    """A sum with a number that is shifted to the left."""

    name = "armv7em.add_lsl"
    MNEMONIC: ClassVar[str] = "add"
    SHIFT: ClassVar[str] = "lsl"

    def compute(self, *values: int) -> int:
        return values[0] + (values[1] << self.constant)


@irdl_op_definition
class PkhbtOp(_Shifting):
    """The lower lane of a number, and above it that of another one, which is shifted to the left."""

    name = "armv7em.pkhbt"
    MNEMONIC: ClassVar[str] = "pkhbt"
    SHIFT: ClassVar[str] = "lsl"

    def compute(self, *values: int) -> int:
        return word_of(values[0], values[1] << self.constant >> 16)


@irdl_op_definition
class PkhtbOp(_Shifting):
    """The upper lane of a number, and below it the lower one of another, which is shifted to the right."""

    name = "armv7em.pkhtb"
    MNEMONIC: ClassVar[str] = "pkhtb"
    SHIFT: ClassVar[str] = "asr"

    def compute(self, *values: int) -> int:
        return word_of(values[1] >> self.constant, values[0] >> 16)


@irdl_op_definition
class OrrLslOp(_Shifting):
    """The bits of a number, and those of one that is shifted to the left."""

    name = "armv7em.orr_lsl"
    MNEMONIC: ClassVar[str] = "orr"
    SHIFT: ClassVar[str] = "lsl"

    def compute(self, *values: int) -> int:
        return values[0] | values[1] << self.constant


@irdl_op_definition
class Sadd16Op(Computing):
    """The sums of the lanes of two words."""

    name = "armv7em.sadd16"

    def compute(self, *values: int) -> int:
        (a, b), (c, d) = map(lanes, values)
        return word_of(a + c, b + d)


class _OfBytes(ComputingBy, ABC):
    """Bytes 0 and 2 as two lanes, of a word that is turned by so many bits before."""

    def arguments(self) -> Sequence[str]:
        turned = [f"ror#{self.constant}"] if self.constant else []
        return [reg(self.result), *map(reg, self.inputs), *turned]

    def _turned(self, word: int) -> int:
        return (word & 0xFFFFFFFF) >> self.constant | word << (32 - self.constant)


@irdl_op_definition
class Sxtb16Op(_OfBytes):
    """Two bytes with a sign as lanes."""

    name = "armv7em.sxtb16"

    def compute(self, *values: int) -> int:
        turned = self._turned(values[0])
        return word_of(signed(turned, 8), signed(turned >> 16, 8))


@irdl_op_definition
class Uxtb16Op(_OfBytes):
    """Two bytes without a sign as lanes."""

    name = "armv7em.uxtb16"

    def compute(self, *values: int) -> int:
        return self._turned(values[0]) & 0xFF00FF


class _ByConstant(ComputingBy, ABC):
    def arguments(self) -> Sequence[str]:
        return [*short(self.result, self.inputs), f"#{self.constant}"]


@irdl_op_definition
class AsrOp(_ByConstant):
    """A shift to the right, with sign."""

    name = "armv7em.asr"

    def compute(self, *values: int) -> int:
        return values[0] >> self.constant


@irdl_op_definition
class LslOp(_ByConstant):
    """A shift to the left."""

    name = "armv7em.lsl"

    def compute(self, *values: int) -> int:
        return values[0] << self.constant


@irdl_op_definition
class EorOp(_ByConstant):
    """The bits of a number, those of a constant of four alike bytes turned."""

    name = "armv7em.eor"

    def compute(self, *values: int) -> int:
        return values[0] ^ self.constant


class _ByTwelveBits(ComputingBy, ABC):
    def arguments(self) -> Sequence[str]:
        return [reg(self.result), *map(reg, self.inputs), f"#{self.constant}"]


@irdl_op_definition
class AddwOp(_ByTwelveBits):
    """A number and a constant of 12 bits."""

    name = "armv7em.addw"

    def compute(self, *values: int) -> int:
        return values[0] + self.constant


@irdl_op_definition
class SubwOp(_ByTwelveBits):
    """A number less a constant of 12 bits."""

    name = "armv7em.subw"

    def compute(self, *values: int) -> int:
        return values[0] - self.constant


@irdl_op_definition
class MovConstantOp(ComputingBy):
    """A constant of four bytes that are alike, or two lanes of eight bits without sign."""

    name = "armv7em.mov_constant"
    MNEMONIC: ClassVar[str] = "mov.w"

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), f"#0x{self.constant:08x}"]

    def compute(self, *values: int) -> int:
        return self.constant


@irdl_op_definition
class MvnOp(_ByConstant):
    """All other bits than those of a constant of two lanes of eight bits without sign."""

    name = "armv7em.mvn"

    def compute(self, *values: int) -> int:
        return ~self.constant


@irdl_op_definition
class MovwOp(_ByConstant):
    """A constant of 16 bits."""

    name = "armv7em.movw"

    def compute(self, *values: int) -> int:
        return self.constant


@irdl_op_definition
class MovtOp(_ByConstant):
    """A number, its upper 16 bits replaced, in the same register."""

    name = "armv7em.movt"

    def get_register_constraints(self) -> RegisterConstraints:
        return RegisterConstraints((), (), ((self.inputs[0], self.result),))

    def compute(self, *values: int) -> int:
        return values[0] & 0xFFFF | self.constant << 16


@irdl_op_definition
class Usat16Op(Computing):
    """The nearest numbers of eight bits without sign to both lanes, which have one."""

    name = "armv7em.usat16"

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), "#8", *map(reg, self.inputs)]

    def compute(self, *values: int) -> int:
        return word_of(*(min(max(lane, 0), 255) for lane in lanes(values[0])))


class _Saturating(ComputingBy, ABC):
    """The nearest number of eight bits to one that is shifted to the right before, with sign."""

    LEAST: ClassVar[int]

    def arguments(self) -> Sequence[str]:
        shifted = [f"asr#{self.constant}"] if self.constant else []
        return [reg(self.result), "#8", *map(reg, self.inputs), *shifted]

    def compute(self, *values: int) -> int:
        return min(max(values[0] >> self.constant, self.LEAST), self.LEAST + 255)


@irdl_op_definition
class SsatOp(_Saturating):
    """One with a sign."""

    name = "armv7em.ssat"
    LEAST: ClassVar[int] = -128


@irdl_op_definition
class UsatOp(_Saturating):
    """One without."""

    name = "armv7em.usat"
    LEAST: ClassVar[int] = 0


ARITHMETIC = (
    AddAsrOp,
    AddLslOp,
    AddwOp,
    AsrByOp,
    AsrOp,
    EorOp,
    LslOp,
    MovConstantOp,
    MovOp,
    MovtOp,
    MovwOp,
    MvnOp,
    OrrLslOp,
    PkhbtOp,
    PkhtbOp,
    Sadd16Op,
    SmladOp,
    SmmlaOp,
    SmmlarOp,
    SsatOp,
    SubOp,
    SubwOp,
    Sxtb16Op,
    Usat16Op,
    UsatOp,
    Uxtb16Op,
)
