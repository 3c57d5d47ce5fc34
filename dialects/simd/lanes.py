"""Operations of the `simd` dialect on four numbers of 32 bits at once, each lane by itself, for vector processors."""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, result_def

from ..function import Function

LANES = 4
"""Lanes of a vector."""


@irdl_attr_definition
class LanesType(ParametrizedAttribute, TypeAttribute):
    """Four i32. Example: `!simd.lanes`."""

    name = "simd.lanes"


lanes = LanesType()


class LaneFunction(Function, abc.ABC):
    """Base of the functions that give lanes."""

    RESULT: ClassVar[Attribute] = lanes
    result = result_def(lanes)


@irdl_op_definition
class LanesOfOp(LaneFunction):
    """One number in every lane. Example: `simd.lanes_of %x`.

    Arm: VDUP.
    """

    name = "simd.lanes_of"
    value = operand_def(i32)


class LanewiseOp(LaneFunction, abc.ABC):
    """Base of the functions of each lane of two vectors."""

    lhs = operand_def(lanes)
    rhs = operand_def(lanes)


@irdl_op_definition
class LanesAddOp(LanewiseOp):
    """Sums, which wrap around. Example: `simd.lanes_add %a, %b`.

    Arm: VADD.
    """

    name = "simd.lanes_add"


@irdl_op_definition
class LanesSubtractOp(LanewiseOp):
    """Differences, which wrap around. Example: `simd.lanes_subtract %a, %b`.

    Arm: VSUB.
    """

    name = "simd.lanes_subtract"


@irdl_op_definition
class LanesMultiplyOp(LanewiseOp):
    """The low halves of products. Example: `simd.lanes_multiply %a, %b`.

    Arm: VMUL.
    """

    name = "simd.lanes_multiply"


@irdl_op_definition
class LanesMaximumOp(LanewiseOp):
    """The larger ones. Example: `simd.lanes_maximum %a, %b`.

    Arm: VMAX.
    """

    name = "simd.lanes_maximum"


@irdl_op_definition
class LanesMinimumOp(LanewiseOp):
    """The smaller ones. Example: `simd.lanes_minimum %a, %b`.

    Arm: VMIN.
    """

    name = "simd.lanes_minimum"


@irdl_op_definition
class LanesShiftLeftOp(LanewiseOp):
    """`lhs` shifted to the left by `rhs`, 0 to 31. Example: `simd.lanes_shift_left %a, %n`.

    Arm: VSHL.
    """

    name = "simd.lanes_shift_left"


@irdl_op_definition
class LanesShiftRightOp(LanewiseOp):
    """`lhs` shifted to the right by `rhs`, 0 to 31, with its sign. Example: `simd.lanes_shift_right %a, %n`.

    Arm: VSHL by a negative number.
    """

    name = "simd.lanes_shift_right"


@irdl_op_definition
class LanesRoundingShiftRightOp(LanewiseOp):
    """`lhs / 2**rhs`, halves away from zero; `rhs` in [0, 31]. Example: `simd.lanes_rounding_shift_right %a, %n`.

    Arm: VRSHL by a negative number, of what is one less where it is negative.
    """

    name = "simd.lanes_rounding_shift_right"


@irdl_op_definition
class LanesMultiplyHighOp(LanewiseOp):
    """The high halves of products, rounded, halves up. Example: `simd.lanes_multiply_high %a, %b`.

    Arm: VRMULH.
    """

    name = "simd.lanes_multiply_high"


@irdl_op_definition
class LanesDoubledHighOp(LanewiseOp):
    """The high halves of doubled products, rounded, halves up, saturated. Example: `simd.lanes_doubled_high %a, %b`.

    Arm: VQRDMULH.
    """

    name = "simd.lanes_doubled_high"
