"""lvalue types in operation syntax: upstream prints `<i32>` where only an lvalue can stand."""

from __future__ import annotations

from xdsl.dialects.emitc import EmitC_LValueType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer


def value_type(place: SSAValue) -> Attribute:
    """Type of the value that an lvalue holds."""
    assert isinstance(place.type, EmitC_LValueType), f"a place in memory is an lvalue, not {place.type}"
    return place.type.value_type


@irdl_custom_directive
class LValue(CustomDirective):
    """The type of one operand: `<i32>`, or as other types `!emitc.lvalue<i32>`."""

    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_punctuation("<") is None:
            return self.type.parse(parser, state)
        self.type.set(state, (EmitC_LValueType(parser.parse_type()),))
        parser.parse_punctuation(">")

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        (type,) = self.type.get(op)
        assert isinstance(type, EmitC_LValueType), "operands of this syntax are lvalues"
        with printer.in_angle_brackets():
            printer.print_attribute(type.value_type)
