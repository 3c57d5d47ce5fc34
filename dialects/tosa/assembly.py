"""The custom format of most operations: operands, properties in braces, a function type.

Enumerations stand as plain words, as `mlir-opt` prints them: `{nan_mode = IGNORE}`.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.tosa import NanMode, NanModeAttr, RoundingMode, RoundingModeAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from .attributes import ResizeMode, ResizeModeAttr

_WORDS: Mapping[str, tuple[Any, Any]] = {
    "mode": (ResizeMode, ResizeModeAttr),
    "nan_mode": (NanMode, NanModeAttr),
    "rounding_mode": (RoundingMode, RoundingModeAttr),
}
"""Properties that are words: the words, and the attribute of one."""


def parse_properties(parser: Parser) -> dict[str, Attribute]:
    """Attributes in braces; none if there are no braces."""
    found: dict[str, Attribute] = {}

    def entry() -> None:
        position = parser.pos
        key = parser.parse_optional_str_literal() or parser.parse_identifier()
        if key in found:
            parser.raise_error(f"'{key}' stands twice", position, parser.pos)
        parser.parse_punctuation("=")
        begin = parser.pos
        word = parser.parse_optional_identifier() if key in _WORDS else None
        if word is None:
            found[key] = parser.parse_attribute()
            return
        words, attribute = _WORDS[key]
        if word not in tuple(words):
            parser.raise_error(f"{key} must be {', '.join(words)}, got {word}", begin, parser.pos)
        found[key] = attribute(words(word))

    parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, entry)
    return found


def print_properties(printer: Printer, entries: Mapping[str, Attribute]) -> None:
    """Return them as text."""

    def entry(item: tuple[str, Attribute]) -> None:
        key, value = item
        printer.print_identifier_or_string_literal(key)
        printer.print_string(" = ")
        if key in _WORDS and isinstance(value, EnumAttribute):
            printer.print_string(str(value.data))
        else:
            printer.print_attribute(value)

    if entries:
        printer.print_string(" ")
        with printer.in_braces():
            printer.print_list(sorted(entries.items()), entry)


def parse_plain(cls: type[IRDLOperation], parser: Parser) -> Any:
    """Read an operation in the custom format."""
    position = parser.pos
    operands = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    entries = parse_properties(parser)
    parser.parse_punctuation(":")
    begin = parser.pos
    type = parser.parse_attribute()
    if not isinstance(type, FunctionType):
        parser.raise_error("expected the type of a function", begin, parser.pos)
    resolved = parser.resolve_operands(operands or [], type.inputs.data, position)
    return made(cls, resolved, type.outputs.data, entries)


def made(
    cls: type[IRDLOperation],
    operands: Any,
    results: Any,
    entries: Mapping[str, Attribute],
    regions: Any = (),
) -> Any:
    """An operation of flat lists; what it has no property for becomes an attribute."""
    names = cls.get_irdl_definition().properties
    return cls.create(
        operands=operands,
        result_types=results,
        properties={key: value for key, value in entries.items() if key in names},
        attributes={key: value for key, value in entries.items() if key not in names},
        regions=regions,
    )


def print_plain(op: IRDLOperation, printer: Printer) -> None:
    """Write an operation in the custom format."""
    if op.operands:
        printer.print_string(" ")
        printer.print_list(op.operands, printer.print_ssa_value)
    print_properties(printer, {**op.properties, **op.attributes})
    printer.print_string(" : ")
    printer.print_operation_type(op)


class TosaOp(IRDLOperation, abc.ABC):
    """Base of the operations in the custom format."""

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        return parse_plain(cls, parser)

    def print(self, printer: Printer) -> None:
        print_plain(self, printer)
