"""Constants, variables and places in memory."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.dialects.emitc import (
    EmitC_ArrayType,
    EmitC_LValueType,
    EmitC_OpaqueAttr,
    EmitC_OpaqueType,
    EmitC_PointerType,
    EmitCTypeConstr,
)
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .lvalue import parse_lvalue_type, print_lvalue_type, value_type
from .symbols import RefersTo


class Initialised(IRDLOperation, abc.ABC):
    """Base of the operations that hold a value: a literal attribute, or opaque C text."""

    value = prop_def(AnyAttr())
    result = result_def(AnyAttr())

    def __init__(self, value: Attribute, result_type: Attribute):
        super().__init__(result_types=[result_type], properties={"value": value})


@irdl_op_definition
class ConstantOp(Initialised):
    """A literal."""

    name = "emitc.constant"

    def verify_(self) -> None:
        if isinstance(self.value, EmitC_OpaqueAttr) and not self.value.value.data:
            raise VerifyException(f"'{self.name}' op value must not be empty")


@irdl_op_definition
class VariableOp(Initialised):
    """A local variable (an lvalue) or array; `#emitc.opaque<"">` leaves it without initial value."""

    name = "emitc.variable"

    def verify_(self) -> None:
        if not isinstance(self.result.type, EmitC_LValueType | EmitC_ArrayType):
            raise VerifyException(f"'{self.name}' op result must be an lvalue or an array, got {self.result.type}")


@irdl_op_definition
class LiteralOp(IRDLOperation):
    """Text that stands for a value, written where the value is used."""

    name = "emitc.literal"
    value = prop_def(StringAttr)
    result = result_def(EmitCTypeConstr)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: str, result_type: Attribute):
        super().__init__(result_types=[result_type], properties={"value": StringAttr(value)})

    def verify_(self) -> None:
        if not self.value.data:
            raise VerifyException(f"'{self.name}' op value must not be empty")


class FromPlace(IRDLOperation, abc.ABC):
    """Base of the operations on one place or pointer, from whose type the result's follows: `op %x : type`."""

    result = result_def(AnyAttr())

    def __init__(self, operand: Value):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand], result_types=[self.result_type(operand)])

    @classmethod
    @abc.abstractmethod
    def result_type(cls, operand: SSAValue) -> Attribute:
        """Type of the result."""

    @classmethod
    def parse_operand_type(cls, parser: Parser) -> Attribute:
        """Parse the type behind the colon."""
        return parse_lvalue_type(parser)

    def print_operand_type(self, printer: Printer) -> None:
        """Print the type behind the colon."""
        printer.print_attribute(self.operands[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(operand, cls.parse_operand_type(parser)))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        self.print_operand_type(printer)


@irdl_op_definition
class LoadOp(FromPlace):
    """The value in a place."""

    name = "emitc.load"
    operand = operand_def(EmitC_LValueType)

    @classmethod
    def result_type(cls, operand: SSAValue) -> Attribute:
        return value_type(operand)

    def verify_(self) -> None:
        if self.result.type != value_type(self.operand):
            raise VerifyException(f"'{self.name}' op result type {self.result.type} differs from the lvalue's")

    def print_operand_type(self, printer: Printer) -> None:
        print_lvalue_type(printer, self.operand)


@irdl_op_definition
class AssignOp(IRDLOperation):
    """`var = value;`."""

    name = "emitc.assign"
    var = operand_def(EmitC_LValueType)
    value = operand_def(AnyAttr())

    def __init__(self, var: Value, value: Value):
        super().__init__(operands=[var, value])

    def verify_(self) -> None:
        if self.value.type != value_type(self.var):
            raise VerifyException(f"'{self.name}' op value type {self.value.type} differs from the lvalue's")

    @classmethod
    def parse(cls, parser: Parser) -> AssignOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        parser.parse_characters("to")
        var = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(var, parse_lvalue_type(parser)), parser.resolve_operand(value, type))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(" to ")
        printer.print_ssa_value(self.var)
        printer.print_string(" : ")
        print_lvalue_type(printer, self.var)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class SubscriptOp(IRDLOperation):
    """`value[index]...`: a place in an array, behind a pointer, or in an opaque container."""

    name = "emitc.subscript"
    value = operand_def(EmitC_ArrayType | EmitC_PointerType | EmitC_OpaqueType)
    indices = var_operand_def(AnyAttr())
    result = result_def(EmitC_LValueType)
    assembly_format = "$value `[` $indices `]` attr-dict `:` functional-type(operands, results)"

    def __init__(self, value: Value, indices: Sequence[SSAValue], result_type: Attribute | None = None):
        value = SSAValue.get(value)
        if result_type is None:
            result_type = EmitC_LValueType(_element_type(value.type))
        super().__init__(operands=[value, indices], result_types=[result_type])

    def verify_(self) -> None:
        type = self.value.type
        if isinstance(type, EmitC_OpaqueType):
            return
        expected = len(type.get_shape()) if isinstance(type, EmitC_ArrayType) else 1
        if len(self.indices) != expected:
            raise VerifyException(f"'{self.name}' op needs {expected} indices, got {len(self.indices)}")
        if value_type(self.result) != _element_type(type):
            raise VerifyException(f"'{self.name}' op result type differs from the element type {_element_type(type)}")


def _element_type(type: Attribute) -> Attribute:
    if isinstance(type, EmitC_ArrayType):
        return type.get_element_type()
    assert isinstance(type, EmitC_PointerType), "the result type of an opaque subscript must be given"
    return type.pointee_type


class MemberOperation(IRDLOperation, abc.ABC):
    """Base of `.` and `->`."""

    member = prop_def(StringAttr)
    operand = operand_def(EmitC_LValueType)
    result = result_def(EmitC_LValueType | EmitC_ArrayType)

    def __init__(self, operand: Value, member: str, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type], properties={"member": StringAttr(member)})


@irdl_op_definition
class MemberOp(MemberOperation):
    """`operand.member`."""

    name = "emitc.member"


@irdl_op_definition
class MemberOfPtrOp(MemberOperation):
    """`operand->member`."""

    name = "emitc.member_of_ptr"


@irdl_op_definition
class AddressOfOp(FromPlace):
    """`&reference`."""

    name = "emitc.address_of"
    reference = operand_def(EmitC_LValueType)
    result = result_def(EmitC_PointerType)

    @classmethod
    def result_type(cls, operand: SSAValue) -> Attribute:
        return EmitC_PointerType(cast(TypeAttribute, value_type(operand)))


@irdl_op_definition
class DereferenceOp(FromPlace):
    """`*pointer`: the place a pointer points to."""

    name = "emitc.dereference"
    pointer = operand_def(EmitC_PointerType)
    result = result_def(EmitC_LValueType)

    @classmethod
    def result_type(cls, operand: SSAValue) -> Attribute:
        return EmitC_LValueType(_element_type(operand.type))

    @classmethod
    def parse_operand_type(cls, parser: Parser) -> Attribute:
        return parser.parse_type()


@irdl_op_definition
class GetGlobalOp(IRDLOperation):
    """A global: an array, or the place of a scalar."""

    name = "emitc.get_global"
    name_ = prop_def(SymbolRefAttr, prop_name="name")
    result = result_def(EmitC_ArrayType | EmitC_LValueType)
    traits = traits_def(RefersTo("emitc.global", "name"))
    assembly_format = "$name attr-dict `:` type($result)"

    def __init__(self, name: str, result_type: Attribute):
        super().__init__(result_types=[result_type], properties={"name": SymbolRefAttr(name)})

    @property
    def symbol_name(self) -> str:
        """Name of the global."""
        return self.name_.string_value()


OPS = (
    ConstantOp,
    VariableOp,
    LiteralOp,
    LoadOp,
    AssignOp,
    SubscriptOp,
    MemberOp,
    MemberOfPtrOp,
    AddressOfOp,
    DereferenceOp,
    GetGlobalOp,
)
