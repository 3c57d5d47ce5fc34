"""The text of indices and accesses: affine expressions over dimensions by name, `%x[oy, 2 * ox + kx - 1]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.parser import Parser
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer

from .domain import Linear


class IndexParser(AffineParser):
    """Parses expressions over given names at the place where another parser stands."""

    def __init__(self, parser: Parser, names: Sequence[str]):
        super().__init__(parser._parser_state)  # pyright: ignore[reportPrivateUsage]
        self._name = self._get_parse_optional_bare_id(list(names), [])

    def parse(self) -> AffineExpr:
        """Parse one expression."""
        return self._parse_affine_expr(self._name)


def print_index(expr: AffineExpr, names: Sequence[str]) -> str:
    """An expression as text, terms in the order in which they were written."""
    form = Linear.of(expr)
    terms = [(f, names[d] if abs(f) == 1 else f"{abs(f)} * {names[d]}") for d, f in form.terms]
    if form.constant or not terms:
        terms.append((form.constant, str(abs(form.constant))))
    (first, text), *others = ((factor < 0, term) for factor, term in terms)
    rest = (f" - {term}" if is_less else f" + {term}" for is_less, term in others)
    return "".join(("-" if first else "", text, *rest))


@dataclass(frozen=True)
class Access:
    """An operand and where it is read or written; `clip` leaves out points where that is outside of it."""

    buffer: SSAValue
    indices: tuple[AffineExpr, ...]
    clip: bool = False

    @property
    def type(self) -> MemRefType:
        """The operand's type."""
        assert isinstance(self.buffer.type, MemRefType), "verified: operands are memrefs"
        return self.buffer.type

    @property
    def shape(self) -> tuple[int, ...]:
        """The operand's shape."""
        return self.type.get_shape()

    @property
    def is_dense(self) -> bool:
        """Whether the operand's elements lie without gaps, in order."""
        return isinstance(self.type.layout, NoneAttr)

    def is_dense_of(self, element: Attribute) -> bool:
        """Whether the operand's elements are of a type, and lie without gaps, in order."""
        return self.type.element_type == element and self.is_dense


def print_access(printer: Printer, access: Access, names: Sequence[str]) -> None:
    """Print `clip %x[i, j] : type`."""
    if access.clip:
        printer.print_string("clip ")
    printer.print_ssa_value(access.buffer)
    printer.print_string(f"[{', '.join(print_index(index, names) for index in access.indices)}] : ")
    printer.print_attribute(access.buffer.type)


def parse_access(parser: Parser, names: Sequence[str]) -> Access:
    """Parse what `print_access` prints."""
    clip = parser.parse_optional_keyword("clip") is not None
    operand = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, IndexParser(parser, names).parse)
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, MemRefType):
        parser.raise_error("expected the type of a memref", position, parser.pos)
    return Access(parser.resolve_operand(operand, type), tuple(indices), clip)
