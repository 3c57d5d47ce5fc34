"""`affine`: custom formats of `affine.if` and `affine.parallel`, and `affine.max`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    PropertyDef,
    VerificationContext,
    irdl_op_definition,
    irdl_to_attr_constraint,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AffineParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from .memref import RMW_KINDS
from .patch import Patch, operation, superseded, syntax
from .scf import arrow_types


@irdl_op_definition
class MaxOp(IRDLOperation):
    """The largest result of a map.

    See https://mlir.llvm.org/docs/Dialects/Affine/#affinemax-affineaffinemaxop.
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, arguments: Sequence[SSAValue], map: AffineMapAttr):
        super().__init__(operands=[arguments], properties={"map": map}, result_types=[IndexType()])

    def verify_(self) -> None:
        """Verify as `affine.min` does."""
        affine.MinOp.verify_(self)  # pyright: ignore[reportArgumentType]

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        """Parse as `affine.min` does."""
        parsed = affine.MinOp.parse(parser)
        return MaxOp(parsed.arguments, parsed.map)

    def print(self, printer: Printer) -> None:
        """Print as `affine.min` does."""
        affine.MinOp.print(self, printer)  # pyright: ignore[reportArgumentType]


def _if(cls: type[affine.IfOp], parser: Parser) -> affine.IfOp:
    """Set `(` dimensions `)` (`[` symbols `]`)? (`->` types)? region (`else` region)? attr-dict."""
    position = parser.pos
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("expected an affine set", position, parser.pos)
    index = IndexType()
    arguments = [
        *parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(index)),
        *(
            parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(index))
            or ()
        ),
    ]
    types = arrow_types(parser)
    then = _terminated(parser.parse_region())
    otherwise = _terminated(parser.parse_region()) if parser.parse_optional_keyword("else") else Region()
    return affine.IfOp.build(
        operands=[arguments],
        properties={"condition": condition},
        attributes=parser.parse_optional_attr_dict(),
        regions=[then, otherwise],
        result_types=[types],
    )


def _terminated(region: Region) -> Region:
    """With the `affine.yield` that is not written."""
    if not region.blocks:
        region.add_block(Block())
    last = region.block.last_op
    if last is None or not last.has_trait(IsTerminator):
        region.block.add_op(affine.YieldOp.get())
    return region


def _parallel(cls: type[affine.ParallelOp], parser: Parser) -> affine.ParallelOp:
    """Counters `=` bounds `to` bounds (`step` `(` integers `)`)? (`reduce` kinds `->` types)? region attr-dict."""
    counters = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_punctuation("=")
    lower, lower_groups, lower_operands = _bounds(parser, "max")
    parser.parse_keyword("to")
    upper, upper_groups, upper_operands = _bounds(parser, "min")
    steps = [1] * len(counters)
    if parser.parse_optional_keyword("step"):
        steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
    kinds: list[IntegerAttr] = []
    types: Sequence[Attribute] = []
    if parser.parse_optional_keyword("reduce"):
        kinds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _reduction(parser))
        types = arrow_types(parser)
    body = _terminated(parser.parse_region([counter.resolve(IndexType()) for counter in counters]))
    return affine.ParallelOp.build(
        operands=[[*lower_operands, *upper_operands]],
        properties={
            "reductions": ArrayAttr(kinds),
            "lowerBoundsMap": AffineMapAttr(lower),
            "lowerBoundsGroups": _groups(lower_groups),
            "upperBoundsMap": AffineMapAttr(upper),
            "upperBoundsGroups": _groups(upper_groups),
            "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
        },
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
        result_types=[types],
    )


def _groups(sizes: Sequence[int]) -> DenseIntElementsAttr:
    return DenseIntElementsAttr.from_list(TensorType(i32, [len(sizes)]), sizes)


def _reduction(parser: Parser) -> IntegerAttr:
    position = parser.pos
    word = parser.parse_str_literal()
    if word not in RMW_KINDS:
        parser.raise_error(f"expected one of {', '.join(RMW_KINDS)}", position, parser.pos)
    return IntegerAttr(RMW_KINDS.index(word), i64)


def _bounds(parser: Parser, keyword: str) -> tuple[AffineMap, list[int], Sequence[SSAValue]]:
    """`(` bound (`,` bound)* `)`, a bound being an expression or, of several, their `min` or `max`."""
    inner = AffineParser(parser._parser_state)  # pyright: ignore[reportPrivateUsage]
    primary, numbers, spans = inner._get_parse_optional_ssa_value()  # pyright: ignore[reportPrivateUsage]

    def expression() -> AffineExpr:
        return inner._parse_affine_expr(primary)  # pyright: ignore[reportPrivateUsage]

    def bound() -> list[AffineExpr]:
        if parser.parse_optional_keyword(keyword):
            return parser.parse_comma_separated_list(parser.Delimiter.PAREN, expression)
        return [expression()]

    bounds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, bound)
    operands = [parser.resolve_operand(UnresolvedOperand(span, 0), IndexType()) for span in spans]
    dims = [AffineExpr.dimension(number) for number in range(len(numbers))]
    results = tuple(expression.replace_dims_and_symbols([], dims) for group in bounds for expression in group)
    # Counters of loops around are dimensions: MLIR does not allow them as symbols.
    return AffineMap(len(numbers), 0, results), [len(group) for group in bounds], operands


def _reductions() -> Patch:
    """Reductions are numbers upstream, and their results have no operands."""
    definition = affine.ParallelOp.get_irdl_definition()
    numbers = ArrayAttr([IntegerAttr(0, i64)])

    def is_needed() -> bool:
        try:
            definition.properties["reductions"].constr.verify(numbers, VerificationContext())
        except VerifyException:
            return True
        return False

    def verify_(self: affine.ParallelOp) -> None:
        definition.verify(self)
        lower, upper = self.lowerBoundsMap.data, self.upperBoundsMap.data
        if len(self.operands) != lower.num_dims + lower.num_symbols + upper.num_dims + upper.num_symbols:
            raise VerifyException("Expected as many operands as the maps of the bounds have dimensions and symbols")
        groups = (self.lowerBoundsGroups.get_values(), self.upperBoundsGroups.get_values())
        if [sum(group) for group in groups] != [len(lower.results), len(upper.results)]:
            raise VerifyException("Expected a group for each lower and upper bound")
        if len(self.reductions) != len(self.results):
            raise VerifyException("Expected a reduction for each result")

    def add() -> None:
        definition.properties["reductions"] = PropertyDef(irdl_to_attr_constraint(ArrayAttr[IntegerAttr | StringAttr]))
        changed: Any = affine.ParallelOp
        changed.verify_ = verify_

    return Patch("affine.parallel: reductions", is_needed, add)


PATCHES: tuple[Patch, ...] = (
    operation(affine.Affine, MaxOp),
    syntax(affine.IfOp, _if),
    syntax(affine.ParallelOp, _parallel),
    _reductions(),
)

SUPERSEDED = superseded(PATCHES)
