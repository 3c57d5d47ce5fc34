"""Custom syntax of `task.nest`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Block, Region
from xdsl.ir.affine import AffineExpr
from xdsl.parser import Parser
from xdsl.printer import Printer

from .domain import DimsAttr, parse_dims, print_dims
from .schedule_attr import ScheduleAttr
from .structure import Nest
from .syntax import Access, IndexParser, parse_access, print_access, print_index

_Nest = TypeVar("_Nest", bound=Nest)

_REGIONS = (("start", ""), ("step", "into"), ("finish", "of"))
"""Regions, and the word before their accumulators."""


def print_nest(printer: Printer, nest: Nest) -> None:
    """Print everything after the operation's name."""
    printer.print_string(" space")
    with printer.in_parens():
        print_dims(printer, nest.space)
    if nest.fold.data:
        printer.print_string(" ordered fold" if nest.ordered is not None else " fold")
        with printer.in_parens():
            print_dims(printer, nest.fold)
    names = nest.index_names
    if nest.names.data:
        defined = zip(nest.names, nest.where.data.results, strict=True)
        text = ", ".join(f"{name.data} = {print_index(expr, names)}" for name, expr in defined)
        printer.print_string(f" where({text})")
    with printer.indented():
        for (name, word), region in zip(_REGIONS, (nest.start, nest.step, nest.finish), strict=True):
            if region.blocks:
                _print_region(printer, name, word, nest.accesses(f"{name}_reads"), region, names)
        _line(printer, "writes (")
        printer.print_list(nest.accesses("writes"), lambda access: print_access(printer, access, names))
        printer.print_string(")")
        if nest.schedule is not None:
            _line(printer, "schedule ")
            nest.schedule.print_parameter(printer)
    printer.print_op_attributes(nest.attributes)


def _line(printer: Printer, text: str) -> None:
    printer.print_string(f"\n{text}")


def _print_region(
    printer: Printer, name: str, word: str, reads: Sequence[Access], region: Region, names: Sequence[str]
) -> None:
    arguments = region.block.args
    elements, accumulators = arguments[: len(reads)], arguments[len(reads) :]
    _line(printer, f"{name} (")

    def print_read(number: int) -> None:
        printer.print_ssa_value(elements[number])
        printer.print_string(" = ")
        print_access(printer, reads[number], names)

    printer.print_list(range(len(reads)), print_read)
    printer.print_string(") ")
    if accumulators:
        printer.print_string(f"{word} ")
        with printer.in_parens():
            printer.print_list(accumulators, printer.print_block_argument)
        printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


def parse_nest(parser: Parser, kind: type[_Nest]) -> _Nest:
    """Parse everything after the operation's name."""
    parser.parse_keyword("space")
    space = DimsAttr(parse_dims(parser, parser.Delimiter.PAREN))
    ordered = parser.parse_optional_keyword("ordered") is not None
    fold = DimsAttr(())
    if parser.parse_optional_keyword("fold") is not None:
        fold = DimsAttr(parse_dims(parser, parser.Delimiter.PAREN))
    names = [*space.names, *fold.names]
    where = _parse_where(parser, names)
    parsed = [_parse_region(parser, name, word, names) for name, word in _REGIONS]
    parser.parse_keyword("writes")
    writes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_access(parser, names))
    schedule = None
    if parser.parse_optional_keyword("schedule") is not None:
        schedule = ScheduleAttr(ScheduleAttr.parse_parameter(parser))
    return kind(
        space,
        fold,
        where,
        [*(reads for reads, _ in parsed), writes],
        [region for _, region in parsed],
        ordered=ordered,
        schedule=schedule,
        attributes=parser.parse_optional_attr_dict(),
    )


def _parse_where(parser: Parser, names: list[str]) -> list[tuple[str, AffineExpr]]:
    """The named indices; their names are added to the others."""
    if parser.parse_optional_keyword("where") is None:
        return []

    def definition() -> tuple[str, AffineExpr]:
        name = parser.parse_identifier("name of an index")
        parser.parse_punctuation("=")
        expr = IndexParser(parser, names).parse()
        names.append(name)
        return name, expr

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, definition)


def _parse_region(parser: Parser, name: str, word: str, names: Sequence[str]) -> tuple[list[Access], Region]:
    """What a region reads, and the region: an empty one where the text has none of this name."""
    arguments: list[Parser.Argument] = []
    reads: list[Access] = []
    if parser.parse_optional_keyword(name) is None:
        return reads, Region()

    def read() -> None:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        reads.append(parse_access(parser, names))
        arguments.append(argument.resolve(reads[-1].type.element_type))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, read)
    if word and parser.parse_optional_keyword(word) is not None:
        arguments.extend(parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument))
    region = parser.parse_region(arguments)
    if not region.blocks:
        region.add_block(Block(arg_types=[argument.type for argument in arguments]))
    return reads, region
