"""Operations on single elements."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.dialects.tosa import NanModeAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .assembly import TosaOp


class Unary(TosaOp, abc.ABC):
    """Base of the functions of one element."""

    input1 = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


class Binary(TosaOp, abc.ABC):
    """Base of the functions of two elements; extents of 1 broadcast."""

    input1 = operand_def(TensorType)
    input2 = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class AbsOp(Unary):
    """The magnitude."""

    name = "tosa.abs"


@irdl_op_definition
class BitwiseNotOp(Unary):
    """Every bit the other one."""

    name = "tosa.bitwise_not"


@irdl_op_definition
class CastOp(Unary):
    """Convert a number to another element type."""

    name = "tosa.cast"


@irdl_op_definition
class CeilOp(Unary):
    """The next integer above."""

    name = "tosa.ceil"


@irdl_op_definition
class ClzOp(Unary):
    """The zeros before the highest bit of int32."""

    name = "tosa.clz"


@irdl_op_definition
class ErfOp(Unary):
    """The error function."""

    name = "tosa.erf"


@irdl_op_definition
class ExpOp(Unary):
    """The exponential."""

    name = "tosa.exp"


@irdl_op_definition
class FloorOp(Unary):
    """The next integer below."""

    name = "tosa.floor"


@irdl_op_definition
class IdentityOp(Unary):
    """The element itself."""

    name = "tosa.identity"


@irdl_op_definition
class LogOp(Unary):
    """The natural logarithm."""

    name = "tosa.log"


@irdl_op_definition
class LogicalNotOp(Unary):
    """The other truth value."""

    name = "tosa.logical_not"


@irdl_op_definition
class RsqrtOp(Unary):
    """One over the square root."""

    name = "tosa.rsqrt"


@irdl_op_definition
class SigmoidOp(Unary):
    """The logistic function."""

    name = "tosa.sigmoid"


@irdl_op_definition
class TanhOp(Unary):
    """The hyperbolic tangent."""

    name = "tosa.tanh"


@irdl_op_definition
class NegateOp(TosaOp):
    """`output_zp - (input1 - input1_zp)`."""

    name = "tosa.negate"
    input1 = operand_def(TensorType)
    input1_zp = operand_def(TensorType)
    output_zp = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class TableOp(TosaOp):
    """A function by its values: 256 for 8 bits, 513 for 16 with interpolation between."""

    name = "tosa.table"
    input1 = operand_def(TensorType)
    table = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class ArithmeticRightShiftOp(Binary):
    """`input1 >> input2`, rounded if it says so."""

    name = "tosa.arithmetic_right_shift"
    round = prop_def(BoolAttr)


@irdl_op_definition
class BitwiseAndOp(Binary):
    """Bits of both."""

    name = "tosa.bitwise_and"


@irdl_op_definition
class BitwiseOrOp(Binary):
    """Bits of any."""

    name = "tosa.bitwise_or"


@irdl_op_definition
class BitwiseXorOp(Binary):
    """Bits of one alone."""

    name = "tosa.bitwise_xor"


@irdl_op_definition
class EqualOp(Binary):
    """Whether both are equal."""

    name = "tosa.equal"


@irdl_op_definition
class GreaterOp(Binary):
    """Whether the first is greater."""

    name = "tosa.greater"


@irdl_op_definition
class GreaterEqualOp(Binary):
    """Whether the first is not less."""

    name = "tosa.greater_equal"


@irdl_op_definition
class IntDivOp(Binary):
    """The quotient of int32, rounded toward zero."""

    name = "tosa.intdiv"


@irdl_op_definition
class LogicalAndOp(Binary):
    """Whether both are true."""

    name = "tosa.logical_and"


@irdl_op_definition
class LogicalLeftShiftOp(Binary):
    """`input1 << input2`."""

    name = "tosa.logical_left_shift"


@irdl_op_definition
class LogicalOrOp(Binary):
    """Whether any is true."""

    name = "tosa.logical_or"


@irdl_op_definition
class LogicalRightShiftOp(Binary):
    """`input1 >> input2` of bits without a sign."""

    name = "tosa.logical_right_shift"


@irdl_op_definition
class LogicalXorOp(Binary):
    """Whether one alone is true."""

    name = "tosa.logical_xor"


@irdl_op_definition
class MaximumOp(Binary):
    """The larger one."""

    name = "tosa.maximum"
    nan_mode = opt_prop_def(NanModeAttr)


@irdl_op_definition
class MinimumOp(Binary):
    """The smaller one."""

    name = "tosa.minimum"
    nan_mode = opt_prop_def(NanModeAttr)


@irdl_op_definition
class PowOp(Binary):
    """The first to the power of the second."""

    name = "tosa.pow"


@irdl_op_definition
class MulOp(TosaOp):
    """The product; of int32 shifted right by `shift`, rounded. xDSL's has one element type, TOSA's sums are wider."""

    name = "tosa.mul"
    input1 = operand_def(TensorType)
    input2 = operand_def(TensorType)
    shift = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class SelectOp(TosaOp):
    """`input1 ? input2 : input3`."""

    name = "tosa.select"
    input1 = operand_def(TensorType)
    input2 = operand_def(TensorType)
    input3 = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


UNARY: Sequence[type[Unary]] = (
    AbsOp,
    BitwiseNotOp,
    CastOp,
    CeilOp,
    ClzOp,
    ErfOp,
    ExpOp,
    FloorOp,
    IdentityOp,
    LogOp,
    LogicalNotOp,
    RsqrtOp,
    SigmoidOp,
    TanhOp,
)
BINARY: Sequence[type[Binary]] = (
    ArithmeticRightShiftOp,
    BitwiseAndOp,
    BitwiseOrOp,
    BitwiseXorOp,
    EqualOp,
    GreaterOp,
    GreaterEqualOp,
    IntDivOp,
    LogicalAndOp,
    LogicalLeftShiftOp,
    LogicalOrOp,
    LogicalRightShiftOp,
    LogicalXorOp,
    MaximumOp,
    MinimumOp,
    PowOp,
)
OPS: Sequence[type[Operation]] = (*UNARY, *BINARY, NegateOp, TableOp, SelectOp)
