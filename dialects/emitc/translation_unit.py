"""Operations at file scope: includes, globals, text, classes, files."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from io import StringIO
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.emitc import EmitC_ArrayType
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag


@irdl_op_definition
class IncludeOp(IRDLOperation):
    """`#include <header>` or `#include "header"`."""

    name = "emitc.include"
    include = prop_def(StringAttr)
    is_standard_include = opt_prop_def(UnitAttr)

    def __init__(self, include: str, is_standard: bool = False):
        super().__init__(
            properties={
                "include": StringAttr(include),
                "is_standard_include": flag(is_standard),
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> IncludeOp:
        standard = parser.parse_optional_punctuation("<") is not None
        include = parser.parse_str_literal()
        if standard:
            parser.parse_punctuation(">")
        op = cls(include, standard)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        if self.is_standard_include is None:
            printer.print_attribute(self.include)
        else:
            with printer.in_angle_brackets():
                printer.print_attribute(self.include)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class VerbatimOp(IRDLOperation):
    """Text that is copied to the output; `{}` stands for the next argument, `{{` for a brace when there are any."""

    name = "emitc.verbatim"
    value = prop_def(StringAttr)
    fmtArgs = var_operand_def(AnyAttr())
    assembly_format = "$value (`args` $fmtArgs^ `:` type($fmtArgs))? attr-dict"

    def __init__(self, value: str, args: Sequence[Value] = ()):
        super().__init__(operands=[args], properties={"value": StringAttr(value)})


def _parse_initial_value(parser: Parser, type: Attribute) -> Attribute | None:
    """Parse ` = value`, whose type follows from the variable's."""
    if parser.parse_optional_punctuation("=") is None:
        return None
    if isinstance(type, EmitC_ArrayType):
        parser.parse_keyword("dense")
        return parser.parse_dense_int_or_fp_elements_attr(TensorType(type.get_element_type(), type.get_shape()))
    number = parser.parse_optional_number()
    if number is None:
        return parser.parse_attribute()
    if isinstance(type, AnyFloat):
        return FloatAttr(float(number), type)
    if not isinstance(type, IntegerType | IndexType) or not isinstance(number, int):
        parser.raise_error(f"a number cannot initialise a variable of type {type}")
    return IntegerAttr(number, type)


def _print_initial_value(printer: Printer, value: Attribute | None) -> None:
    """Print ` = value` without the type."""
    if value is None:
        return
    printer.print_string(" = ")
    if isinstance(value, DenseIntOrFPElementsAttr):
        with StringIO() as stream:
            Printer(stream).print_attribute(value)
            text = stream.getvalue()
        # The type follows from the variable's; everything before it is the value.
        printer.print_string(text[: text.rindex(" : ")])
    elif isinstance(value, IntegerAttr):
        printer.print_string(str(value.value.data))
    elif isinstance(value, FloatAttr):
        printer.print_float(value.value.data, value.type)
    else:
        printer.print_attribute(value)


class Declaration(IRDLOperation, abc.ABC):
    """Base of variables with a name: `@name : type`, perhaps ` = value`."""

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(AnyAttr())
    initial_value = opt_prop_def(AnyAttr())
    traits = traits_def(SymbolOpInterface())
    SPECIFIERS: ClassVar[Sequence[str]] = ()
    """Words before the name, each a property `<word>_specifier`."""

    def __init__(self, name: str, type: Attribute, initial_value: Attribute | None = None, **specifiers: bool):
        given = {"sym_name": StringAttr(name), "type": type, "initial_value": initial_value}
        super().__init__(
            properties=given | {f"{word}_specifier": flag(present) for word, present in specifiers.items()}
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        specifiers = {word: parser.parse_optional_keyword(word) is not None for word in cls.SPECIFIERS}
        name = parser.parse_symbol_name().data
        parser.parse_punctuation(":")
        type = parser.parse_type()
        op = cls(name, type, _parse_initial_value(parser, type), **specifiers)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        for word in self.SPECIFIERS:
            if f"{word}_specifier" in self.properties:
                printer.print_string(f" {word}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        _print_initial_value(printer, self.initial_value)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class GlobalOp(Declaration):
    """A global variable or array."""

    name = "emitc.global"
    SPECIFIERS: ClassVar[Sequence[str]] = ("extern", "static", "const")
    extern_specifier = opt_prop_def(UnitAttr)
    static_specifier = opt_prop_def(UnitAttr)
    const_specifier = opt_prop_def(UnitAttr)

    def verify_(self) -> None:
        if self.static_specifier is not None and self.extern_specifier is not None:
            raise VerifyException(f"'{self.name}' op cannot have both static and extern specifiers")
        value = self.initial_value
        if isinstance(value, DenseIntOrFPElementsAttr):
            shaped = value.type
            assert isinstance(shaped, TensorType | VectorType), "dense attributes are shaped"
            if not isinstance(self.type, EmitC_ArrayType) or shaped.get_shape() != self.type.get_shape():
                raise VerifyException(f"'{self.name}' op initial value has shape {list(shaped.get_shape())}")


@irdl_op_definition
class FileOp(IRDLOperation):
    """The operations that go to one of several output files."""

    name = "emitc.file"
    id = prop_def(StringAttr)
    bodyRegion = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolTable())
    assembly_format = "$id attr-dict-with-keyword $bodyRegion"

    def __init__(self, id: str, body: Region):
        super().__init__(properties={"id": StringAttr(id)}, regions=[body])


@irdl_op_definition
class ClassOp(IRDLOperation):
    """A C++ class."""

    name = "emitc.class"
    sym_name = prop_def(SymbolNameConstraint())
    final_specifier = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolTable(), SymbolOpInterface())
    assembly_format = "(`final` $final_specifier^)? $sym_name attr-dict-with-keyword $body"

    def __init__(self, name: str, body: Region):
        super().__init__(properties={"sym_name": StringAttr(name)}, regions=[body])


@irdl_op_definition
class FieldOp(Declaration):
    """A field of a C++ class."""

    name = "emitc.field"
    attrs = opt_prop_def(ArrayAttr)


@irdl_op_definition
class GetFieldOp(IRDLOperation):
    """A field of the class whose method this stands in."""

    name = "emitc.get_field"
    field_name = prop_def(SymbolRefAttr)
    result = result_def(AnyAttr())
    assembly_format = "$field_name attr-dict `:` type($result)"

    def __init__(self, field_name: str, result_type: Attribute):
        super().__init__(result_types=[result_type], properties={"field_name": SymbolRefAttr(field_name)})


OPS = (IncludeOp, VerbatimOp, GlobalOp, FileOp, ClassOp, FieldOp, GetFieldOp)
