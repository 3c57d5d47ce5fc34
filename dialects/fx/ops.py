"""Operations of the `fx` dialect, on i32 but for few."""

from __future__ import annotations

import abc

from xdsl.dialects.builtin import UnitAttr, i32, i64
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def

from ..function import Binary, Function, Unary
from ..values import Value, flag


class Rescaling(Function, abc.ABC):
    """Base of the products with a fixed-point factor; the first operand, `value`, is declared by the operations."""

    multiplier = operand_def(i32)
    shift = operand_def(i32)


@irdl_op_definition
class RescaleOp(Rescaling):
    """`value * multiplier * 2**(shift - 31)` in int32 with double rounding.

    TensorFlow Lite's `MultiplyByQuantizedMultiplier`: shift left if `shift` > 0, rounding doubling high multiply, then
    rounding shift right if `shift` < 0. `multiplier` is Q0.31 and not negative; with `right_only` the shift is known
    to be at most 0.
    """

    name = "fx.rescale"
    value = operand_def(i32)
    right_only = opt_prop_def(UnitAttr)
    assembly_format = "$value `,` $multiplier `,` $shift (`right_only` $right_only^)? attr-dict"

    def __init__(self, value: Value, multiplier: Value, shift: Value, *, right_only: bool = False):
        super().__init__(value, multiplier, shift, properties={"right_only": flag(right_only)})


@irdl_op_definition
class RescaleWideOp(Rescaling):
    """`value * multiplier / 2**shift` of an i64, rounded once, halves up, as i32.

    TensorFlow Lite's `MultiplyByQuantizedMultiplier` for 64-bit accumulators. `multiplier` has 16 bits and is not
    negative; `shift` is at least 1.
    """

    name = "fx.rescale_wide"
    value = operand_def(i64)
    assembly_format = "$value `,` $multiplier `,` $shift attr-dict"


@irdl_op_definition
class RescaleRealOp(Rescaling):
    """`value * multiplier * 2**(shift - 31)` in float32, rounded to an integer, halves to even.

    ONNX's QuantizeLinear of a DequantizeLinear: the value is rounded to float32, so is the product. Results saturate at
    2**30. `multiplier` is a float32's: Q0.31, not negative, its lowest seven bits 0.
    """

    name = "fx.rescale_real"
    value = operand_def(i32)
    assembly_format = "$value `,` $multiplier `,` $shift attr-dict"


@irdl_op_definition
class RoundingDoublingHighMulOp(Binary):
    """`(lhs * rhs + 2**30) >> 31`, saturated: gemmlowp's `SaturatingRoundingDoublingHighMul`."""

    name = "fx.rounding_doubling_high_mul"


@irdl_op_definition
class RoundingShiftRightOp(Binary):
    """`lhs / 2**rhs`, halves away from zero: gemmlowp's `RoundingDivideByPOT`; `rhs` in [0, 31]."""

    name = "fx.rounding_shift_right"


@irdl_op_definition
class CountLeadingZerosOp(Unary):
    """The number of zero bits above the highest one bit; 32 for 0."""

    name = "fx.count_leading_zeros"


@irdl_op_definition
class OneOverOnePlusOp(Unary):
    """`1 / (1 + value)` for a Q0.31 value in [0, 1), as Q0.31.

    gemmlowp's `one_over_one_plus_x_for_x_in_0_1`: three Newton-Raphson steps from 48/17 - 32/17 * (1 + value) / 2.
    """

    name = "fx.one_over_one_plus"


@irdl_op_definition
class LogOp(Unary):
    """The natural logarithm in Q5.26 of a Q12.19 value of at least 1.

    TensorFlow Lite's `log_x_for_x_greater_than_or_equal_to_1<5>`.
    """

    name = "fx.log"


@irdl_op_definition
class InverseSqrtOp(Unary):
    """`2**42 / sqrt(value)` for values in [2**27, 2**29): the core of `GetInvSqrtQuantizedMultiplierExp`."""

    name = "fx.inverse_sqrt"
