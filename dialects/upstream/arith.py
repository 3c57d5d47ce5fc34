"""`arith`: remainders of floats, flags of `trunci`, and conversions and selections of vectors, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, f32, i1, i8
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    EqAttrConstraint,
    IRDLOperation,
    OperandDef,
    ResultDef,
    VerificationContext,
    base,
    irdl_op_definition,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .patch import Patch, operation, optional_property, superseded, with_property

OVERFLOW = "overflowFlags"


@irdl_op_definition
class RemFOp(arith.FloatingPointLikeBinaryOperation):
    """Remainder of a division, rounded toward zero: C's `fmod`. Example: `arith.remf %a, %b : f32`."""

    name = "arith.remf"
    traits = traits_def(Pure())


def _trunci() -> Patch:
    """`overflow<...>` after the operand."""
    given = optional_property(arith.TruncIOp, OVERFLOW, base(arith.IntegerOverflowAttr))
    write: Callable[[arith.TruncIOp, Printer], None] = arith.TruncIOp.print

    def parse(cls: type[arith.TruncIOp], parser: Parser) -> arith.TruncIOp:
        value = parser.parse_unresolved_operand()
        flags = (
            arith.IntegerOverflowAttr(arith.IntegerOverflowAttr.parse_parameter(parser))
            if parser.parse_optional_keyword("overflow")
            else None
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        target: Any = parser.parse_type()
        made = arith.TruncIOp(parser.resolve_operand(value, source), target)
        made.attributes |= attributes
        if flags is not None:
            made.properties[OVERFLOW] = flags
        return made

    def print_(op: arith.TruncIOp, printer: Printer) -> None:
        flags = op.properties.get(OVERFLOW)
        if not isinstance(flags, arith.IntegerOverflowAttr) or not flags.data:
            return write(op, printer)
        printer.print_string(" ")
        printer.print_operand(op.input)
        printer.print_string(" overflow")
        flags.print_parameter(printer)
        printer.print_op_attributes(op.attributes)
        printer.print_string(" : ")
        printer.print_attribute(op.input.type)
        printer.print_string(" to ")
        printer.print_attribute(op.result.type)

    return with_property("overflow flags", arith.TruncIOp, given, parse, print_)


def _elementwise(op: type[IRDLOperation], wider: int) -> Patch:
    """A conversion of one operand that xDSL allows for scalars only.

    `wider` is 1 if the result must have more bits than the operand, -1 for fewer, 0 if that does not matter.
    """
    definition = op.get_irdl_definition()
    (source_name, source), (result_name, result) = definition.operands[0], definition.results[0]

    def is_needed() -> bool:
        return not any(_accepts(definition.operands[0][1], VectorType(scalar, [2])) for scalar in (i8, f32))

    def verify(self: IRDLOperation) -> None:
        from_type, to_type = self.operands[0].type, self.results[0].type
        if _shape(from_type) != _shape(to_type):
            raise VerifyException(f"'{op.name}' op operand and result differ in shape: {from_type} and {to_type}")
        from_element, to_element = _element(from_type), _element(to_type)
        source.constr.verify([from_element], VerificationContext())
        result.constr.verify([to_element], VerificationContext())
        from_bits, to_bits = (getattr(t, "bitwidth", 0) for t in (from_element, to_element))
        if (to_bits - from_bits) * wider <= 0 and wider:
            order = "larger" if wider > 0 else "smaller"
            raise VerifyException(f"Destination bit-width must be {order} than the input bit-width")

    def add() -> None:
        definition.operands[0] = (source_name, OperandDef(AnyAttr()))
        definition.results[0] = (result_name, ResultDef(AnyAttr()))

        def verify_(self: IRDLOperation) -> None:
            definition.verify(self)
            verify(self)

        changed: Any = op
        changed.verify_ = verify_

    return Patch(f"{op.name}: vectors", is_needed, add)


def _accepts(definition: OperandDef, type_: Attribute) -> bool:
    try:
        definition.constr.verify([type_], VerificationContext())
    except VerifyException:
        return False
    return True


def _shape(type_: Attribute) -> tuple[int, ...] | None:
    return type_.get_shape() if isinstance(type_, VectorType) else None


def _element(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, VectorType) else type_


def _select() -> Patch:
    """A condition for each element: `: vector<4xi1>, vector<4xf32>`."""
    definition = arith.SelectOp.get_irdl_definition()
    write: Callable[[arith.SelectOp, Printer], None] = arith.SelectOp.print

    def parse(cls: type[arith.SelectOp], parser: Parser) -> arith.SelectOp:
        unresolved = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            unresolved.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        types = [types[0], parser.parse_type()] if parser.parse_optional_punctuation(",") else [i1, *types]
        operands = parser.resolve_operands(unresolved, [*types, types[-1]], parser.pos)
        made = arith.SelectOp.create(operands=operands, result_types=[types[-1]])
        made.attributes |= attributes
        return made

    def print_(op: arith.SelectOp, printer: Printer) -> None:
        if op.cond.type == i1:
            return write(op, printer)
        printer.print_string(" ")
        printer.print_list(op.operands, printer.print_operand)
        printer.print_op_attributes(op.attributes)
        printer.print_string(" : ")
        printer.print_list((op.cond.type, op.result.type), printer.print_attribute)

    def is_needed() -> bool:
        return not _accepts(definition.operands[0][1], VectorType(i1, [2]))

    def add() -> None:
        definition.operands[0] = ("cond", OperandDef(EqAttrConstraint(i1) | VectorType.constr(EqAttrConstraint(i1))))
        changed: Any = arith.SelectOp
        changed.parse = classmethod(parse)
        changed.print = print_

    return Patch("arith.select: vectors of conditions", is_needed, add)


PATCHES: tuple[Patch, ...] = (
    operation(arith.Arith, RemFOp),
    _trunci(),
    _elementwise(arith.ExtSIOp, 1),
    _elementwise(arith.ExtUIOp, 1),
    _elementwise(arith.TruncIOp, -1),
    *(
        _elementwise(op, 0)
        for op in (arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp, arith.IndexCastOp)
    ),
    _select(),
)

SUPERSEDED = superseded(PATCHES)
