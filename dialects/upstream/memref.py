"""Custom formats of `memref` operations."""

from __future__ import annotations

from math import prod
from typing import Any, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser

from .patch import Patch, superseded, syntax

RMW_KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
    *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
)
"""Upstream's `AtomicRMWKind`s in the order of their numbers."""


def _global(cls: type[memref.GlobalOp], parser: Parser) -> memref.GlobalOp:
    """`"private"`? `constant`? @name `:` type (`=` (`uninitialized` | elements))? attr-dict."""
    visibility = parser.parse_optional_str_literal() or "public"
    constant = UnitAttr() if parser.parse_optional_keyword("constant") else None
    name = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    position = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, MemRefType):
        parser.raise_error("expected a memref type", position, parser.pos)
    if parser.parse_optional_punctuation("=") is None:
        parser.raise_error(
            f"@{name.data} has no value, so it is defined elsewhere, which xDSL cannot say; "
            "give it one or uninitialized",
            position,
            parser.pos,
        )
    if parser.parse_optional_keyword("uninitialized"):
        value: Attribute = UnitAttr()
    else:
        value = _elements(parser, TensorType(type_.element_type, type_.get_shape()))
    made = memref.GlobalOp.get(name, type_, value, StringAttr(visibility), constant)
    attributes = parser.parse_optional_attr_dict()
    if "alignment" in attributes:
        made.properties["alignment"] = attributes.pop("alignment")
    made.attributes |= attributes
    return made


def _elements(parser: Parser, type_: TensorType[Any]) -> DenseIntOrFPElementsAttr:
    """`dense<...>` without its type, or `dense_resource<key>`, whose bytes stand at the end of the file."""
    if parser.parse_optional_keyword("dense"):
        return parser.parse_dense_int_or_fp_elements_attr(type_)
    begin = parser.pos
    parser.parse_keyword("dense_resource")
    parser.parse_punctuation("<")
    key = parser.parse_identifier()
    parser.parse_punctuation(">")
    data = _resource(parser, key)
    if data is None:
        parser.raise_error(f"the file has no resource '{key}'", begin, parser.pos)
    element = type_.element_type
    count = prod(type_.get_shape())
    if not isinstance(element, FixedBitwidthType) or len(data) != count * element.size:
        parser.raise_error(f"resource '{key}' has {len(data)} bytes, which do not fill {type_}", begin, parser.pos)
    return DenseIntOrFPElementsAttr(cast("Any", type_), BytesAttr(data))


def _resource(parser: Parser, key: str) -> bytes | None:
    """The bytes of a resource from the dictionary that ends the file; without the alignment before them."""
    text = parser.lexer.input.content
    begin = text.rfind("{-#")
    if begin < 0:
        return None
    interface = parser.ctx.get_dialect("builtin").get_interface(OpAsmDialectInterface)
    assert interface is not None, "xDSL's builtin dialect keeps resources"
    if interface.lookup(key) is None:
        interface.declare_resource(key)
    tail = Parser(parser.ctx, text[begin:], parser.lexer.input.name)
    tail.dialect_resources.add(("builtin", key))
    tail._parse_file_metadata_dictionary()  # pyright: ignore[reportPrivateUsage]
    blob = interface.lookup(key)
    return bytes.fromhex(blob[2:])[4:] if blob else None


def _copy(cls: type[memref.CopyOp], parser: Parser) -> memref.CopyOp:
    """Source `,` destination attr-dict `:` type `to` type."""
    source = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    destination = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = [parser.parse_type()]
    parser.parse_keyword("to")
    types.append(parser.parse_type())
    made = memref.CopyOp(*parser.resolve_operands([source, destination], types, parser.pos))
    made.attributes |= attributes
    return made


def _cast(cls: type[memref.CastOp | memref.MemorySpaceCastOp], parser: Parser) -> Any:
    """Source attr-dict `:` type `to` type."""
    source = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    from_type = parser.parse_type()
    parser.parse_keyword("to")
    position = parser.pos
    to_type = parser.parse_type()
    if not isinstance(to_type, MemRefType | UnrankedMemRefType):
        parser.raise_error("expected a memref type", position, parser.pos)
    made = cls.create(operands=[parser.resolve_operand(source, from_type)], result_types=[to_type])
    made.attributes |= attributes
    return made


def _atomic_rmw(cls: type[memref.AtomicRMWOp], parser: Parser) -> memref.AtomicRMWOp:
    """Kind value `,` memref `[` indices `]` attr-dict `:` `(` types `)` `->` type."""
    position = parser.pos
    word = parser.parse_identifier()
    if word not in RMW_KINDS:
        parser.raise_error(f"expected one of {', '.join(RMW_KINDS)}", position, parser.pos)
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    target = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    result = parser.parse_type()
    operands = parser.resolve_operands([value, target], types, position)
    return memref.AtomicRMWOp.build(
        operands=[*operands, indices],
        properties={"kind": IntegerAttr(RMW_KINDS.index(word), i64)},
        attributes=attributes,
        result_types=[result],
    )


def _rank(cls: type[memref.RankOp], parser: Parser) -> memref.RankOp:
    """Operand attr-dict `:` type."""
    source = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    made = memref.RankOp.from_memref(parser.resolve_operand(source, parser.parse_type()))
    made.attributes |= attributes
    return made


PATCHES: tuple[Patch, ...] = (
    syntax(memref.GlobalOp, _global),
    syntax(memref.CopyOp, _copy),
    syntax(memref.CastOp, _cast),
    syntax(memref.MemorySpaceCastOp, _cast),
    syntax(memref.AtomicRMWOp, _atomic_rmw),
    syntax(memref.RankOp, _rank),
)

SUPERSEDED = superseded(PATCHES)
