"""lvalue types in operation syntax: upstream prints `<i32>` where only an lvalue can stand."""

from __future__ import annotations

from xdsl.dialects.emitc import EmitC_LValueType
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import AttrParser
from xdsl.printer import Printer


def value_type(place: SSAValue) -> Attribute:
    """Type of the value that an lvalue holds."""
    assert isinstance(place.type, EmitC_LValueType), f"a place in memory is an lvalue, not {place.type}"
    return place.type.value_type


def parse_lvalue_type(parser: AttrParser) -> EmitC_LValueType:
    """Parse `<i32>` or `!emitc.lvalue<i32>`."""
    if parser.parse_optional_punctuation("<") is not None:
        inner = parser.parse_type()
        parser.parse_punctuation(">")
        return EmitC_LValueType(inner)
    type = parser.parse_type()
    if not isinstance(type, EmitC_LValueType):
        parser.raise_error("expected an lvalue type")
    return type


def print_lvalue_type(printer: Printer, place: SSAValue) -> None:
    """Print `<i32>`."""
    with printer.in_angle_brackets():
        printer.print_attribute(value_type(place))
