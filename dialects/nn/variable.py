"""State that lasts from one run of a model to the next: `nn.variable`, `nn.read_variable`, `nn.assign_variable`."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .attributes import VariableType
from .interfaces import tensor_type
from .signature import SIGNATURE


@irdl_op_definition
class VariableOp(IRDLOperation):
    """Names a variable of the model; wherever the same name stands, it is the same place.

    A variable holds `initial` after a reset and keeps what is written to it from one run to the next.
    Example: `%s = nn.variable "svdf/state" initial dense<0> : tensor<1x8xi16>`
    """

    name = "nn.variable"
    variable = prop_def(StringAttr)
    initial = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(VariableType)
    traits = traits_def(Pure())

    def __init__(self, name: str, initial: DenseIntOrFPElementsAttr):
        type = initial.type
        assert isinstance(type, TensorType), "variables hold tensors"
        super().__init__(
            properties={"variable": StringAttr(name), "initial": initial}, result_types=[VariableType(type)]
        )

    @classmethod
    def parse(cls, parser: Parser) -> VariableOp:
        name = parser.parse_str_literal()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("initial")
        initial = parser.parse_attribute()
        if not isinstance(initial, DenseIntOrFPElementsAttr) or not isinstance(initial.type, TensorType):
            parser.raise_error("nn.variable needs a dense tensor as its initial value")
        op = cls(name, initial)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.variable)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" initial ")
        printer.print_attribute(self.initial)

    def verify_(self) -> None:
        held = tensor_type(self.result)
        if self.initial.type != held:
            raise VerifyException(
                f"'{self.name}' op initial value of type {self.initial.type} for a variable of {held}"
            )


@irdl_op_definition
class ReadVariableOp(IRDLOperation):
    """Read a variable at this point."""

    name = "nn.read_variable"
    variable = operand_def(VariableType)
    output = result_def(TensorType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$variable" + SIGNATURE

    def __init__(self, variable: Value, output_type: TensorType):
        super().__init__(operands=[variable], result_types=[output_type])

    def verify_(self) -> None:
        _verify_same(self, self.variable, self.output)


@irdl_op_definition
class AssignVariableOp(IRDLOperation):
    """Replaces what a variable holds."""

    name = "nn.assign_variable"
    variable = operand_def(VariableType)
    value = operand_def(TensorType)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$variable `,` $value attr-dict `:` type($variable) `,` type($value)"

    def __init__(self, variable: Value, value: Value):
        super().__init__(operands=[variable, value])

    def verify_(self) -> None:
        _verify_same(self, self.variable, self.value)


def _verify_same(op: Operation, variable: SSAValue, value: SSAValue) -> None:
    if tensor_type(variable) != tensor_type(value):
        raise VerifyException(f"'{op.name}' op variable holds {tensor_type(variable)}, not {tensor_type(value)}")
