"""`emitc.expression`: operations that C writes as one expression."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .control_flow import YieldOp


@irdl_op_definition
class ExpressionOp(IRDLOperation):
    """The body's operations as one C expression over the operands; the value is what the body yields.

    An expression with a single use is written where it is used unless it says `noinline`. As upstream prints it, the
    body calls its arguments by the names of the operands.
    """

    name = "emitc.expression"
    defs = var_operand_def(AnyAttr())
    do_not_inline = opt_prop_def(UnitAttr)
    result = result_def(AnyAttr())
    region = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(
        self,
        defs: Sequence[Value],
        region: Region,
        result_type: Attribute,
        *,
        do_not_inline: bool = False,
    ):
        super().__init__(
            operands=[defs],
            result_types=[result_type],
            regions=[region],
            properties={"do_not_inline": UnitAttr() if do_not_inline else None},
        )

    @property
    def root(self) -> SSAValue:
        """The value that the body yields."""
        terminator = self.region.block.last_op
        assert isinstance(terminator, YieldOp), "verified: the body ends with a yield"
        assert terminator.result is not None, "verified: the yield has a value"
        return terminator.result

    def verify_(self) -> None:
        terminator = self.region.block.last_op
        if not isinstance(terminator, YieldOp) or terminator.result is None:
            raise VerifyException(f"'{self.name}' op body must yield a value")
        if terminator.result.type != self.result.type:
            raise VerifyException(
                f"'{self.name}' op yields {terminator.result.type} for a result of {self.result.type}"
            )
        if [a.type for a in self.region.block.args] != [d.type for d in self.defs]:
            raise VerifyException(f"'{self.name}' op body arguments must have the types of the operands")

    @classmethod
    def parse(cls, parser: Parser) -> ExpressionOp:
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        unresolved = [] if unresolved is None else unresolved
        no_inline = parser.parse_optional_keyword("noinline") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_function_type()
        operands = parser.resolve_operands(unresolved, types.inputs.data, parser.pos)
        # The body names its arguments like the operands: for its length those names mean the arguments.
        outer = parser.ssa_values
        parser.ssa_values = {k: v for k, v in outer.items() if k not in {u.operand_name for u in unresolved}}
        arguments = [
            parser.Argument(u.span, t)  # the name's span, as for a written argument
            for u, t in zip(unresolved, types.inputs.data, strict=True)
        ]
        region = parser.parse_region(arguments)
        parser.ssa_values = outer
        op = cls(operands, region, types.outputs.data[0], do_not_inline=no_inline)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        if self.defs:
            printer.print_string(" ")
            printer.print_list(self.defs, printer.print_ssa_value)
        if self.do_not_inline is not None:
            printer.print_string(" noinline")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)
        printer.print_string(" ")
        names = printer._ssa_values  # pyright: ignore[reportPrivateUsage]
        for argument, operand in zip(self.region.block.args, self.defs, strict=True):
            names[argument] = names[operand]
        printer.print_region(self.region, print_entry_block_args=False)


OPS = (ExpressionOp,)
