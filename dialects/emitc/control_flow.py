"""Statements of C: loops and branches."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i1, i64
from xdsl.ir import Block, Region
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ..terminator import ValuesTerminator
from ..values import Value


@irdl_op_definition
class YieldOp(ValuesTerminator):
    """Ends the body of a statement, or gives the value of an expression."""

    name = "emitc.yield"
    result = opt_operand_def(AnyAttr())


def _terminate(region: Region) -> Region:
    """Add the block and the yield that the syntax leaves out."""
    if not region.blocks:
        region.add_block(Block())
    for block in region.blocks:
        if block.last_op is None or not block.last_op.has_trait(IsTerminator):
            block.add_op(YieldOp())
    return region


@irdl_op_definition
class ForOp(IRDLOperation):
    """`for (T i = lower; i < upper; i += step)`; the body's argument is the loop variable."""

    name = "emitc.for"
    lowerBound = operand_def(AnyAttr())
    upperBound = operand_def(AnyAttr())
    step = operand_def(AnyAttr())
    body = region_def("single_block")

    def __init__(self, lower: Value, upper: Value, step: Value, body: Region):
        super().__init__(operands=[lower, upper, step], regions=[body])

    def verify_(self) -> None:
        arguments = self.body.block.args
        if len(arguments) != 1:
            raise VerifyException(f"'{self.name}' op body must have one argument, the loop variable")
        if not arguments[0].type == self.lowerBound.type == self.upperBound.type == self.step.type:
            raise VerifyException(f"'{self.name}' op bounds, step and loop variable must have one type")

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        variable = parser.parse_argument(expect_type=False)
        parser.parse_characters("=")
        lower = parser.parse_unresolved_operand()
        parser.parse_characters("to")
        upper = parser.parse_unresolved_operand()
        parser.parse_characters("step")
        step = parser.parse_unresolved_operand()
        type = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
        first, last, advance = parser.resolve_operands((lower, upper, step), (type, type, type), parser.pos)
        body = _terminate(parser.parse_region((variable.resolve(type),)))
        op = cls(first, last, advance, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        (variable,) = self.body.block.args
        printer.print_string(" ")
        printer.print_ssa_value(variable)
        for word, value in (("=", self.lowerBound), ("to", self.upperBound), ("step", self.step)):
            printer.print_string(f" {word} ")
            printer.print_ssa_value(value)
        if not isinstance(variable.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(variable.type)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_block_terminators=False)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class IfOp(IRDLOperation):
    """`if (condition) ... else ...`; an empty else region is no else."""

    name = "emitc.if"
    condition = operand_def(i1)
    thenRegion = region_def()
    elseRegion = region_def()

    def __init__(self, condition: Value, then: Region, otherwise: Region | None = None):
        super().__init__(operands=[condition], regions=[then, Region() if otherwise is None else otherwise])

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        then = _terminate(parser.parse_region())
        otherwise = _terminate(parser.parse_region()) if parser.parse_optional_keyword("else") else None
        op = cls(condition, then, otherwise)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        printer.print_string(" ")
        printer.print_region(self.thenRegion, print_block_terminators=False)
        if self.elseRegion.blocks:
            printer.print_string(" else ")
            printer.print_region(self.elseRegion, print_block_terminators=False)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class DoOp(IRDLOperation):
    """`do { body } while (condition);`; the condition region yields one expression."""

    name = "emitc.do"
    bodyRegion = region_def("single_block")
    conditionRegion = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, body: Region, condition: Region):
        super().__init__(regions=[body, condition])

    @classmethod
    def parse(cls, parser: Parser) -> DoOp:
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        parser.parse_characters("while")
        op = cls(body, parser.parse_region())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.bodyRegion, print_empty_block=False)
        printer.print_string(" while ")
        printer.print_region(self.conditionRegion)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`switch (arg)` with a region for each case and one for the default."""

    name = "emitc.switch"
    arg = operand_def(AnyAttr())
    cases = prop_def(DenseArrayBase.constr(i64))
    defaultRegion = region_def("single_block")
    caseRegions = var_region_def("single_block")

    def __init__(
        self,
        arg: Value,
        cases: Sequence[int] | DenseArrayBase,
        default: Region,
        case_regions: Sequence[Region],
    ):
        values = cases if isinstance(cases, DenseArrayBase) else DenseArrayBase.from_list(i64, cases)
        super().__init__(operands=[arg], properties={"cases": values}, regions=[default, case_regions])

    def verify_(self) -> None:
        if len(self.cases) != len(self.caseRegions):
            raise VerifyException(f"'{self.name}' op has {len(self.caseRegions)} regions for {len(self.cases)} cases")

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        arg = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(arg, parser.parse_type())
        attributes = parser.parse_optional_attr_dict()
        cases: list[int] = []
        regions: list[Region] = []
        while parser.parse_optional_keyword("case"):
            cases.append(parser.parse_integer())
            regions.append(_terminate(parser.parse_region()))
        parser.parse_characters("default")
        op = cls(operand, cases, _terminate(parser.parse_region()), regions)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        printer.print_string(" : ")
        printer.print_attribute(self.arg.type)
        printer.print_op_attributes(self.attributes)
        values = [str(value) for value in self.cases.get_values()]
        for word, region in zip(
            (*(f"case {v}" for v in values), "default"), (*self.caseRegions, self.defaultRegion), strict=True
        ):
            printer.print_string(f"\n{word} ")
            # Upstream's reader adds the yield to the default region only.
            printer.print_region(region, print_block_terminators=word != "default")


OPS = (YieldOp, ForOp, IfOp, DoOp, SwitchOp)
