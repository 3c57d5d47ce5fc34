"""Operators of C: arithmetic, bitwise, comparison, logic, cast, conditional.

See https://mlir.llvm.org/docs/Dialects/EmitC/ (LLVM 22), whose names, properties and syntax these have.
"""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.dialects.emitc import EmitC_BinaryOperation, EmitCTypeConstr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, VarConstraint, irdl_op_definition, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..values import Value


@irdl_op_definition
class SubOp(EmitC_BinaryOperation):
    """`lhs - rhs`."""

    name = "emitc.sub"


@irdl_op_definition
class MulOp(EmitC_BinaryOperation):
    """`lhs * rhs`."""

    name = "emitc.mul"


@irdl_op_definition
class DivOp(EmitC_BinaryOperation):
    """`lhs / rhs`."""

    name = "emitc.div"


@irdl_op_definition
class RemOp(EmitC_BinaryOperation):
    """`lhs % rhs`."""

    name = "emitc.rem"


@irdl_op_definition
class BitwiseAndOp(EmitC_BinaryOperation):
    """`lhs & rhs`."""

    name = "emitc.bitwise_and"


@irdl_op_definition
class BitwiseOrOp(EmitC_BinaryOperation):
    """`lhs | rhs`."""

    name = "emitc.bitwise_or"


@irdl_op_definition
class BitwiseXorOp(EmitC_BinaryOperation):
    """`lhs ^ rhs`."""

    name = "emitc.bitwise_xor"


@irdl_op_definition
class BitwiseLeftShiftOp(EmitC_BinaryOperation):
    """`lhs << rhs`."""

    name = "emitc.bitwise_left_shift"


@irdl_op_definition
class BitwiseRightShiftOp(EmitC_BinaryOperation):
    """`lhs >> rhs`."""

    name = "emitc.bitwise_right_shift"


class UnaryOperation(IRDLOperation, abc.ABC):
    """Base of the operators with one operand."""

    value = operand_def(EmitCTypeConstr)
    result = result_def(EmitCTypeConstr)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(self, value: Value, result_type: Attribute | None = None):
        value = SSAValue.get(value)
        super().__init__(operands=[value], result_types=[value.type if result_type is None else result_type])


@irdl_op_definition
class UnaryMinusOp(UnaryOperation):
    """`-value`."""

    name = "emitc.unary_minus"


@irdl_op_definition
class UnaryPlusOp(UnaryOperation):
    """`+value`."""

    name = "emitc.unary_plus"


@irdl_op_definition
class BitwiseNotOp(UnaryOperation):
    """`~value`."""

    name = "emitc.bitwise_not"


class LogicalOperation(IRDLOperation, abc.ABC):
    """Base of `!`, `&&` and `||`."""

    result = result_def(i1)
    assembly_format = "operands attr-dict `:` type(operands)"

    def __init__(self, *operands: Value):
        super().__init__(operands=operands, result_types=[i1])


class LogicalBinary(LogicalOperation, abc.ABC):
    """Base of `&&` and `||`."""

    lhs = operand_def(EmitCTypeConstr)
    rhs = operand_def(EmitCTypeConstr)


@irdl_op_definition
class LogicalNotOp(LogicalOperation):
    """`!value`."""

    name = "emitc.logical_not"
    value = operand_def(EmitCTypeConstr)


@irdl_op_definition
class LogicalAndOp(LogicalBinary):
    """`lhs && rhs`."""

    name = "emitc.logical_and"


@irdl_op_definition
class LogicalOrOp(LogicalBinary):
    """`lhs || rhs`."""

    name = "emitc.logical_or"


@irdl_op_definition
class CmpOp(IRDLOperation):
    """Comparison of two values."""

    name = "emitc.cmp"
    PREDICATES: ClassVar[tuple[str, ...]] = ("eq", "ne", "lt", "le", "gt", "ge", "three_way")
    predicate = prop_def(IntegerAttr.constr(type=i64))
    lhs = operand_def(EmitCTypeConstr)
    rhs = operand_def(EmitCTypeConstr)
    result = result_def(EmitCTypeConstr)

    def __init__(
        self,
        predicate: str,
        lhs: Value,
        rhs: Value,
        result_type: Attribute = i1,
    ):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={"predicate": IntegerAttr(self.PREDICATES.index(predicate), i64)},
        )

    @property
    def predicate_name(self) -> str:
        """The predicate in words: `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `three_way`."""
        return self.PREDICATES[self.predicate.value.data]

    def verify_(self) -> None:
        if not 0 <= self.predicate.value.data < len(self.PREDICATES):
            raise VerifyException(f"'{self.name}' op predicate {self.predicate.value.data} does not exist")

    @classmethod
    def parse(cls, parser: Parser) -> CmpOp:
        predicate = parser.parse_identifier("predicate")
        if predicate not in cls.PREDICATES:
            parser.raise_error(f"predicate must be one of {', '.join(cls.PREDICATES)}")
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_function_type()
        operands = parser.resolve_operands((lhs, rhs), types.inputs.data, parser.pos)
        op = cls(predicate, operands[0], operands[1], types.outputs.data[0])
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.predicate_name}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)


@irdl_op_definition
class ConditionalOp(IRDLOperation):
    """`condition ? true_value : false_value`."""

    name = "emitc.conditional"
    TYPE: ClassVar = VarConstraint("TYPE", EmitCTypeConstr)
    condition = operand_def(i1)
    true_value = operand_def(TYPE)
    false_value = operand_def(TYPE)
    result = result_def(TYPE)
    assembly_format = "operands attr-dict `:` type($result)"

    def __init__(self, condition: Value, true_value: Value, false_value: Value):
        true_value = SSAValue.get(true_value)
        super().__init__(operands=[condition, true_value, false_value], result_types=[true_value.type])


@irdl_op_definition
class CastOp(IRDLOperation):
    """`(dest type)source`."""

    name = "emitc.cast"
    source = operand_def(EmitCTypeConstr)
    dest = result_def(EmitCTypeConstr)
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: Value, dest_type: Attribute):
        super().__init__(operands=[source], result_types=[dest_type])

    @property
    def result(self) -> SSAValue:
        """The cast value."""
        return self.dest


OPS = (
    SubOp,
    MulOp,
    DivOp,
    RemOp,
    BitwiseAndOp,
    BitwiseOrOp,
    BitwiseXorOp,
    BitwiseLeftShiftOp,
    BitwiseRightShiftOp,
    UnaryMinusOp,
    UnaryPlusOp,
    BitwiseNotOp,
    LogicalNotOp,
    LogicalAndOp,
    LogicalOrOp,
    CmpOp,
    ConditionalOp,
    CastOp,
)
