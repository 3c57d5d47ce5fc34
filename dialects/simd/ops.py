"""Operations of the `simd` dialect: words of two 16-bit lanes, as i32; the low half is the first lane."""

from __future__ import annotations

import abc

from xdsl.dialects.builtin import i32
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ..values import Value


@irdl_op_definition
class PackOp(IRDLOperation):
    """A word of the low halves of two numbers, `low` in its low half. Example: `simd.pack %low, %high`.

    Arm: PKHBT.
    """

    name = "simd.pack"
    low = operand_def(i32)
    high = operand_def(i32)
    result = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "$low `,` $high attr-dict"

    def __init__(self, low: Value, high: Value):
        super().__init__(operands=[low, high], result_types=[i32])


class MultiplyAdd(IRDLOperation, abc.ABC):
    """Base of the products of lanes that are added to `acc`, which wraps around."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)
    acc = operand_def(i32)
    result = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs `,` $acc attr-dict"

    def __init__(self, lhs: Value, rhs: Value, acc: Value):
        super().__init__(operands=[lhs, rhs, acc], result_types=[i32])


@irdl_op_definition
class DualMultiplyAddOp(MultiplyAdd):
    """`acc` plus the products of both lanes. Example: `simd.dual_multiply_add %x, %w, %acc`.

    Arm: SMLAD.
    """

    name = "simd.dual_multiply_add"
