"""Instructions of the `simd` dialect for vector processors: on four numbers of 32 bits at once, or on sixteen bytes."""

from __future__ import annotations

import abc

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, operand_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from .instruction import INTEGER, Instruction

LANES = 4
"""Lanes of a vector."""
SIXTEEN = 16
"""Bytes of a vector."""


@irdl_attr_definition
class LanesType(ParametrizedAttribute, TypeAttribute):
    """Four i32. Example: `!simd.lanes`."""

    name = "simd.lanes"


@irdl_attr_definition
class SixteenType(ParametrizedAttribute, TypeAttribute):
    """Sixteen i8. Example: `!simd.sixteen`."""

    name = "simd.sixteen"


lanes, sixteen = LanesType(), SixteenType()


class GivesLanes(Instruction, abc.ABC):
    """Base of the instructions that give lanes."""

    result = result_def(lanes)


LanesOfOp = GivesLanes.rows("value")("lanes_of", "One number in every lane.", "VDUP")


class LanewiseOp(GivesLanes, abc.ABC):
    """Base of the instructions on each lane of two vectors."""

    lhs = operand_def(lanes)
    rhs = operand_def(lanes)


_lanewise = LanewiseOp.row
LanesAddOp = _lanewise("lanes_add", "Sums, which wrap around.", "VADD")
LanesSubtractOp = _lanewise("lanes_subtract", "Differences, which wrap around.", "VSUB")
LanesMultiplyOp = _lanewise("lanes_multiply", "The low halves of products.", "VMUL")
LanesMaximumOp = _lanewise("lanes_maximum", "The larger ones.", "VMAX")
LanesMinimumOp = _lanewise("lanes_minimum", "The smaller ones.", "VMIN")
LanesShiftLeftOp = _lanewise("lanes_shift_left", "`lhs` shifted to the left by `rhs`, 0 to 31.", "VSHL")
LanesShiftRightOp = _lanewise(
    "lanes_shift_right", "`lhs` shifted to the right by `rhs`, 0 to 31, with its sign.", "VSHL by a negative number"
)
LanesRoundingShiftRightOp = _lanewise(
    "lanes_rounding_shift_right",
    "`lhs / 2**rhs`, halves away from zero; `rhs` in [0, 31].",
    "VRSHL by a negative number, of what is one less where it is negative",
)
LanesMultiplyHighOp = _lanewise("lanes_multiply_high", "The high halves of products, rounded, halves up.", "VRMULH")
LanesDoubledHighOp = _lanewise(
    "lanes_doubled_high", "The high halves of doubled products, rounded, halves up, saturated.", "VQRDMULH"
)


class SixteenOfOp(Instruction):
    """One byte sixteen times. Example: `simd.sixteen_of -5`.

    Arm: VDUP.
    """

    name = "simd.sixteen_of"
    byte = prop_def(INTEGER)
    result = result_def(sixteen)
    assembly_format = "$byte attr-dict"

    def verify_(self) -> None:
        if not -128 <= self.byte.value.data <= 127:
            raise VerifyException(f"{self.byte.value.data} is no signed byte")
