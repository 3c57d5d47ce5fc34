"""Constants, variables and places in memory."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.dialects.emitc import (
    EmitC_ArrayType,
    EmitC_LValueType,
    EmitC_OpaqueAttr,
    EmitC_OpaqueType,
    EmitC_PointerType,
    EmitCTypeConstr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    VerificationContext,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .lvalue import LValue, value_type
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


HELD = VarConstraint("HELD", AnyAttr())
"""The type of what a place holds or a pointer points to, the same everywhere in an operation."""
PLACE_OF_HELD = ParamAttrConstraint(EmitC_LValueType, (HELD,))
POINTER_TO_HELD = ParamAttrConstraint(EmitC_PointerType, (HELD,))


class FromPlace(IRDLOperation, abc.ABC):
    """Base of the operations on one place or pointer, from whose type the result's follows: `op %x : type`."""

    assembly_format = "operands attr-dict `:` type(operands)"

    def __init__(self, operand: Value):
        definition, held = self.get_irdl_definition(), VerificationContext()
        operand = SSAValue.get(operand)
        definition.operands[0][1].constr.verify([operand.type], held)
        super().__init__(operands=[operand], result_types=definition.results[0][1].constr.infer(held, length=1))


@irdl_op_definition
class LoadOp(FromPlace):
    """The value in a place."""

    name = "emitc.load"
    operand = operand_def(PLACE_OF_HELD)
    result = result_def(HELD)
    custom_directives = (LValue,)
    assembly_format = "$operand attr-dict `:` custom<LValue>(type($operand))"


@irdl_op_definition
class AssignOp(IRDLOperation):
    """`var = value;`."""

    name = "emitc.assign"
    var = operand_def(PLACE_OF_HELD)
    value = operand_def(HELD)
    custom_directives = (LValue,)
    assembly_format = "$value `:` type($value) `to` $var `:` custom<LValue>(type($var)) attr-dict"

    def __init__(self, var: Value, value: Value):
        super().__init__(operands=[var, value])


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
    reference = operand_def(PLACE_OF_HELD)
    result = result_def(POINTER_TO_HELD)


@irdl_op_definition
class DereferenceOp(FromPlace):
    """`*pointer`: the place a pointer points to."""

    name = "emitc.dereference"
    pointer = operand_def(POINTER_TO_HELD)
    result = result_def(PLACE_OF_HELD)


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
