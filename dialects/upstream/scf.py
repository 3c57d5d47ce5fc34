"""`scf`: the custom format of `scf.parallel`, and loops that compare without sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import EqAttrConstraint
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator

from .patch import Patch, optional_property, superseded, syntax, with_property

UNSIGNED = "unsignedCmp"
"""Property of an `scf.for` that compares its counter with the bound as unsigned numbers."""
_WITHOUT_COMMAS = "(`(` $args^ `:` type($args) `)`)? $reductions attr-dict"
"""Format of `scf.reduce` in xDSL 0.74."""


def _parallel(cls: type[scf.ParallelOp], parser: Parser) -> scf.ParallelOp:
    """Counters `=` operands `to` operands `step` operands (`init` operands `->` types)? region, all in parentheses."""
    index = IndexType()

    def operands() -> list[SSAValue]:
        return list(parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(index)))

    counters = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_punctuation("=")
    lower = operands()
    parser.parse_keyword("to")
    upper = operands()
    parser.parse_keyword("step")
    steps = operands()
    position = parser.pos
    unresolved = []
    if parser.parse_optional_keyword("init"):
        unresolved = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    initial = parser.resolve_operands(unresolved, arrow_types(parser), position)
    body = parser.parse_region([counter.resolve(index) for counter in counters])
    attributes = parser.parse_optional_attr_dict()
    made = scf.ParallelOp(lower, upper, steps, body, initial)
    made.attributes |= attributes
    for trait in made.get_traits_of_type(SingleBlockImplicitTerminator):
        ensure_terminator(made, trait)
    return made


def arrow_types(parser: Parser) -> Sequence[Attribute]:
    """(`->` (type | `(` types `)`))?."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if several is None else several


def _unsigned_for() -> Patch:
    parse: Callable[[Parser], scf.ForOp] = scf.ForOp.parse
    write: Callable[[scf.ForOp, Printer], None] = scf.ForOp.print

    def parse_for(cls: type[scf.ForOp], parser: Parser) -> scf.ForOp:
        """Parse as xDSL does, after an optional `unsigned`."""
        unsigned = parser.parse_optional_keyword("unsigned")
        made = parse(parser)
        if unsigned:
            made.properties[UNSIGNED] = UnitAttr()
        return made

    def print_for(op: scf.ForOp, printer: Printer) -> None:
        if UNSIGNED in op.properties:
            printer.print_string(" unsigned")
        write(op, printer)

    given = optional_property(scf.ForOp, UNSIGNED, EqAttrConstraint(UnitAttr()))

    return with_property("unsigned", scf.ForOp, given, parse_for, print_for)


def _several_reductions() -> Patch:
    """A comma between the regions of `scf.reduce`."""

    def parse(cls: type[scf.ReduceOp], parser: Parser) -> scf.ReduceOp:
        """(`(` operands `:` types `)`)? (region (`,` region)*)? attr-dict."""
        arguments: Sequence[SSAValue] = ()
        position = parser.pos
        if parser.parse_optional_punctuation("("):
            unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            arguments = parser.resolve_operands(unresolved, types, position)
        regions = [] if (first := parser.parse_optional_region()) is None else [first]
        while regions and parser.parse_optional_punctuation(","):
            regions.append(parser.parse_region())
        made = scf.ReduceOp(arguments, regions)
        made.attributes |= parser.parse_optional_attr_dict()
        return made

    def print_(op: scf.ReduceOp, printer: Printer) -> None:
        if op.args:
            printer.print_string("(")
            printer.print_list(op.args, printer.print_operand)
            printer.print_string(" : ")
            printer.print_list(op.args.types, printer.print_attribute)
            printer.print_string(")")
        for index, region in enumerate(op.reductions):
            printer.print_string(", " if index else " ")
            printer.print_region(region)
        printer.print_op_attributes(op.attributes)

    definition = scf.ReduceOp.get_irdl_definition()

    def add() -> None:
        definition.assembly_format = None
        changed: Any = scf.ReduceOp
        changed.parse = classmethod(parse)
        changed.print = print_

    # To read such an operation here would take longer than all other additions.
    return Patch("scf.reduce: several reductions", lambda: definition.assembly_format == _WITHOUT_COMMAS, add)


PATCHES: tuple[Patch, ...] = (syntax(scf.ParallelOp, _parallel), _unsigned_for(), _several_reductions())

SUPERSEDED = superseded(PATCHES)
