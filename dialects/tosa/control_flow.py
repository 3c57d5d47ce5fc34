"""Branches, loops and variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
)
from xdsl.dialects.builtin import IndexType as Index
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect, SymbolOpInterface

from .assembly import made, parse_properties, print_properties

Captured = tuple[list[Any], list[UnresolvedOperand]]


def _captured(parser: Parser) -> Captured:
    """`(%inside = %outside, ...)`; nothing if it does not stand there."""

    def pair() -> tuple[Any, UnresolvedOperand]:
        inside = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return inside, parser.parse_unresolved_operand()

    pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, pair) or []
    return [inside for inside, _ in pairs], [outside for _, outside in pairs]


def _print_captured(printer: Printer, block: Block, values: Sequence[SSAValue]) -> None:
    def pair(index: int) -> None:
        printer.print_ssa_value(block.args[index])
        printer.print_string(" = ")
        printer.print_ssa_value(values[index])

    with printer.in_parens():
        printer.print_list(range(len(values)), pair)


def _results(parser: Parser) -> list[Attribute]:
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if listed is None else list(listed)


def _print_results(printer: Printer, types: Sequence[Attribute]) -> None:
    if len(types) == 1:
        printer.print_attribute(types[0])
    else:
        with printer.in_parens():
            printer.print_list(types, printer.print_attribute)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a region with its results. xDSL's stands in branches only."""

    name = "tosa.yield"
    inputs = var_operand_def(TensorType)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(IfOp, WhileOp), Pure()))
    assembly_format = "$inputs attr-dict `:` type($inputs)"


@irdl_op_definition
class IfOp(IRDLOperation):
    """Runs one of two regions. xDSL's takes no values but the condition."""

    name = "tosa.cond_if"
    cond = operand_def(TensorType)
    input_list = var_operand_def(TensorType)
    output_list = var_result_def(TensorType)
    then_graph = region_def("single_block")
    else_graph = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        position = parser.pos
        condition = parser.parse_unresolved_operand()
        arguments, values = _captured(parser)
        parser.parse_punctuation(":")
        types: list[Attribute] = [parser.parse_type()]
        if arguments:
            types += parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        results = _results(parser)
        # Each block names its arguments itself; what stands above them is for people.
        then = parser.parse_region()
        parser.parse_keyword("else")
        otherwise = parser.parse_region()
        entries = parser.parse_optional_attr_dict()
        operands = parser.resolve_operands([condition, *values], types, position)
        return made(cls, operands, results, entries, [then, otherwise])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        if self.input_list:
            printer.print_string(" ")
            _print_captured(printer, self.then_graph.block, self.input_list)
        printer.print_string(" : ")
        printer.print_attribute(self.cond.type)
        if self.input_list:
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list([value.type for value in self.input_list], printer.print_attribute)
        printer.print_string(" -> ")
        _print_results(printer, [value.type for value in self.output_list])
        for word, region in (("", self.then_graph), (" else", self.else_graph)):
            printer.print_string(f"{word} ")
            printer.print_region(region, print_entry_block_args=bool(self.input_list))
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class WhileOp(IRDLOperation):
    """Repeats `body_graph` as long as `cond_graph` yields true."""

    name = "tosa.while_loop"
    input_list = var_operand_def(TensorType)
    output_list = var_result_def(TensorType)
    cond_graph = region_def("single_block")
    body_graph = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        position = parser.pos
        arguments, values = _captured(parser)
        parser.parse_punctuation(":")
        begin = parser.pos
        type = parser.parse_type()
        if not isinstance(type, FunctionType):
            parser.raise_error("expected the type of a function", begin, parser.pos)
        if len(type.inputs) != len(arguments):
            parser.raise_error(f"{len(arguments)} values are carried, {len(type.inputs)} have types", begin, parser.pos)
        carried = [argument.resolve(given) for argument, given in zip(arguments, type.inputs.data, strict=True)]
        condition = parser.parse_region(carried)
        parser.parse_keyword("do")
        body = parser.parse_region()
        entries = parser.parse_optional_attr_dict()
        operands = parser.resolve_operands(values, type.inputs.data, position)
        return made(cls, operands, type.outputs.data, entries, [condition, body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_captured(printer, self.cond_graph.block, self.input_list)
        printer.print_string(" : ")
        printer.print_operation_type(self)
        printer.print_string(" ")
        printer.print_region(self.cond_graph, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.body_graph)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class VariableOp(IRDLOperation):
    """A place that keeps its elements from one run to the next."""

    name = "tosa.variable"
    sym_name = prop_def(SymbolNameConstraint())
    var_shape = prop_def(DenseIntOrFPElementsAttr)
    type = prop_def(TypeAttribute)
    initial_value = opt_prop_def(Attribute)
    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> VariableOp:
        name = parser.parse_symbol_name()
        entries: dict[str, Attribute] = {**parse_properties(parser), "sym_name": name}
        begin = parser.pos
        if parser.parse_optional_punctuation("=") is not None:
            entries["initial_value"] = value = parser.parse_attribute()
            held = value.get_type() if isinstance(value, DenseIntOrFPElementsAttr) else None
        else:
            parser.parse_punctuation(":")
            held = parser.parse_type()
        if not isinstance(held, TensorType):
            parser.raise_error("a variable holds a tensor", begin, parser.pos)
        shape = held.get_shape()
        entries["type"] = held.get_element_type()
        entries["var_shape"] = DenseIntOrFPElementsAttr.from_list(TensorType(Index(), [len(shape)]), list(shape))
        return made(cls, [], [], entries)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_properties(printer, self.attributes)
        if self.initial_value is not None:
            printer.print_string(" = ")
            printer.print_attribute(self.initial_value)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.held)

    @property
    def held(self) -> TensorType[Any]:
        """The type of the tensor."""
        shape: Any = self.var_shape.get_values()
        element: Any = self.type
        return TensorType(element, [int(extent) for extent in shape])


@irdl_op_definition
class VariableReadOp(IRDLOperation):
    """Read a variable."""

    name = "tosa.variable_read"
    variable = prop_def(StringAttr, prop_name="name")
    output1 = result_def(TensorType)

    @classmethod
    def parse(cls, parser: Parser) -> VariableReadOp:
        entries: dict[str, Attribute] = {"name": parser.parse_symbol_name()}
        entries |= parse_properties(parser)
        parser.parse_punctuation(":")
        return made(cls, [], [parser.parse_type()], entries)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.variable.data)
        print_properties(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.output1.type)


@irdl_op_definition
class VariableWriteOp(IRDLOperation):
    """Gives a variable other elements."""

    name = "tosa.variable_write"
    variable = prop_def(StringAttr, prop_name="name")
    input1 = operand_def(TensorType)

    @classmethod
    def parse(cls, parser: Parser) -> VariableWriteOp:
        entries: dict[str, Attribute] = {"name": parser.parse_symbol_name()}
        parser.parse_punctuation(",")
        position = parser.pos
        value = parser.parse_unresolved_operand()
        entries |= parse_properties(parser)
        parser.parse_punctuation(":")
        return made(cls, parser.resolve_operands([value], [parser.parse_type()], position), [], entries)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.variable.data)
        printer.print_string(", ")
        printer.print_ssa_value(self.input1)
        print_properties(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input1.type)


OPS: Sequence[type[Operation]] = (VariableOp, VariableReadOp, VariableWriteOp, WhileOp)
