"""Instructions of the `simd` dialect on i32: numbers, words of two lanes of 16 bits, the low one first, or of bytes."""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr, i32
from xdsl.irdl import operand_def, opt_prop_def, prop_def

from .instruction import INTEGER, Instruction

BYTES = 4
"""Bytes of a word, each an element that is read or a channel of its own."""
NIBBLES = 4
"""Nibbles in each half of a word."""
NIBBLE_SCALE = 12
"""Lanes are numbers of four bits times two to this power: their four bits are the highest."""


_of_pair = Instruction.rows("low", "high")
_of_word = Instruction.rows("word")
_of_word_and_lanes = Instruction.rows("word", "lanes")
_dual = Instruction.rows("lhs", "rhs")
_of_half = Instruction.rows("lanes", "factor", "acc")

PackOp = _of_pair("pack", "The low halves of two numbers as a word, `low` in its low half.", "PKHBT")
PackHighOp = _of_pair("pack_high", "The high halves of two numbers, that of `low` in the low half.", "PKHTB")
UnpackEvenOp = _of_word("unpack_even", "Bytes 0 and 2, with their sign.", "SXTB16")
UnpackOddOp = _of_word("unpack_odd", "Bytes 1 and 3, with their sign.", "SXTB16, ROR 8")
UnpackEvenUnsignedOp = _of_word("unpack_even_unsigned", "Bytes 0 and 2, without a sign.", "UXTB16")
UnpackOddUnsignedOp = _of_word("unpack_odd_unsigned", "Bytes 1 and 3, without a sign.", "UXTB16, ROR 8")
UnpackNextOp = _of_word(
    "unpack_next",
    "Unpack like `simd.unpack_odd`, after what stands before it: compilers do not take several words apart side by\n"
    "side.\n\nFor words whose even bytes have been used, in loops that need all registers.",
    "SXTB16, ROR 8",
)
UnpackEvenAddOp = _of_word_and_lanes("unpack_even_add", "Bytes 0 and 2, with their sign, plus lanes.", "SXTAB16")
UnpackOddAddOp = _of_word_and_lanes("unpack_odd_add", "Bytes 1 and 3, with their sign, plus lanes.", "SXTAB16, ROR 8")
DualAddOp = _dual("dual_add", "Sums of lanes; each wraps around.", "SADD16")
DualSubtractOp = _dual("dual_subtract", "Differences of lanes; each wraps around.", "SSUB16")


class MultiplyAdd(Instruction, abc.ABC):
    """Base of the products that are added to `acc`, which wraps around."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)
    acc = operand_def(i32)


DualMultiplyAddOp = MultiplyAdd.row(
    "dual_multiply_add", "`acc` plus the products of both lanes; the sum wraps around.", "SMLAD"
)
ScaleNarrowAddOp = MultiplyAdd.row(
    "scale_narrow_add",
    "`acc` plus `lhs * rhs / 2**31`, rounded, halves up, of a small number and a factor that is not negative.\n\n"
    "`lhs` is between -2**20 and 2**20, both excluded: products with parts of the factor fit 32 bits.",
)
MultiplyHighAddOp = MultiplyAdd.row(
    "multiply_high_add", "`acc` plus the high half of the product, rounded, halves up.", "SMMLAR"
)
MultiplyHighFloorAddOp = MultiplyAdd.row(
    "multiply_high_floor_add", "`acc` plus the high half of the product, rounded down.", "SMMLA"
)


class ScaleRealOp(Instruction):
    """`value * factor` in float32, rounded to an integer, halves to even. Example: `simd.scale_real %x, %bits`.

    The value is rounded to float32, so is the product, and nothing is contracted. `factor` is the bits of a float32.
    The result fits an i32, with `narrow` it is less than 2**15 with any zero point. Arm: VCVT, VMUL, VCVTR.
    """

    name = "simd.scale_real"
    value = operand_def(i32)
    factor = operand_def(i32)
    narrow = opt_prop_def(UnitAttr)
    assembly_format = "(`narrow` $narrow^)? $value `,` $factor attr-dict"


class OfBytes(Instruction, abc.ABC):
    """Base of the functions of the four bytes of two words, each with its neighbour in the other word."""


_of_bytes = OfBytes.rows("lhs", "rhs")
MaximumBytesOp = _of_bytes("maximum_bytes", "The larger bytes, with their sign.", "SSUB8, SEL")
MinimumBytesOp = _of_bytes("minimum_bytes", "The smaller bytes, with their sign.", "SSUB8, SEL")
MaximumUnsignedBytesOp = _of_bytes("maximum_unsigned_bytes", "The larger bytes, without a sign.", "USUB8, SEL")
MinimumUnsignedBytesOp = _of_bytes("minimum_unsigned_bytes", "The smaller bytes, without a sign.", "USUB8, SEL")


class ScaleByteAddOp(Instruction):
    """`acc` plus `byte * factor / 2**8`, rounded down, of a number of 8 bits with its sign; the sum wraps around.

    Example: `simd.scale_byte_add %byte, %factor, %acc`.

    Arm: SMLAWB of the number times 2**8.
    """

    name = "simd.scale_byte_add"
    byte = operand_def(i32)
    factor = operand_def(i32)
    acc = operand_def(i32)


_SCALED = "`acc` plus the {} half, with its sign, times `factor / 2**16`, rounded down; the sum wraps around."
ScaleLowAddOp = _of_half("scale_low_add", _SCALED.format("low"), "SMLAWB")
ScaleHighAddOp = _of_half("scale_high_add", _SCALED.format("high"), "SMLAWT")


class Saturate(Instruction, abc.ABC):
    """Base of the nearest numbers of some bits."""

    value = operand_def(i32)
    bits = prop_def(INTEGER)
    assembly_format = "$value $bits attr-dict"

    SIGNED: ClassVar[bool] = True

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest number."""
        least = -(1 << (self.bits.value.data - 1)) if self.SIGNED else 0
        return least, least + (1 << self.bits.value.data) - 1


class SaturateOp(Saturate):
    """The nearest number that `bits` bits hold with a sign, from 1 to 32 of them. Example: `simd.saturate %x 8`.

    Arm: SSAT.
    """

    name = "simd.saturate"
    NUMBERS: ClassVar = {"bits": range(1, 33)}


class SaturateUnsignedOp(Saturate):
    """The nearest number that `bits` bits hold without a sign, from 1 to 31 of them.

    Example: `simd.saturate_unsigned %x 8`. Arm: USAT.
    """

    name = "simd.saturate_unsigned"
    SIGNED: ClassVar[bool] = False
    NUMBERS: ClassVar = {"bits": range(1, 32)}


class ShiftSaturateOp(Instruction):
    """A number shifted to the right with its sign, and saturated: of `simd.shift_saturate %x 20 8` by 20, to 8 bits.

    Arm: SSAT with a shift.
    """

    name = "simd.shift_saturate"
    NUMBERS: ClassVar = {"right": range(1, 32), "bits": (8, 16)}
    FUNCTION: ClassVar[str] = "simd_saturate_{bits}_after_{right}"
    value = operand_def(i32)
    right = prop_def(INTEGER)
    bits = prop_def(INTEGER)
    assembly_format = "$value $right $bits attr-dict"


class UnpackNibblesOp(Instruction):
    """A word of two lanes: one nibble of each half, with its sign, times 4096.

    Nibbles are counted from the lowest of a half. They become the highest four bits of their lanes, so that it takes
    no more than a mask; who sums products shifts the sum. Example: `simd.unpack_nibbles %word 2`.

    Arm: AND of a register that is shifted.
    """

    name = "simd.unpack_nibbles"
    NUMBERS: ClassVar = {"place": range(NIBBLES)}
    word = operand_def(i32)
    place = prop_def(INTEGER)
    assembly_format = "$word $place attr-dict"
