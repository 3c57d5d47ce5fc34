"""`task.nest`: what an operator computes at every point of a domain, and nothing about order."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access as MemoryAccess
from ..accesses import answers_for
from ..operations import all_of
from .clipping import limits
from .domain import DimsAttr, Linear, parse_dims
from .loops import planned_loops
from .ops import IndexOp, YieldOp
from .schedule import ScheduleAttr
from .structure import Nest
from .syntax import Access, IndexParser, parse_access, print_access, print_index

_REGIONS = (("start", ""), ("step", "into"), ("finish", "of"))
"""Regions, and the word before their accumulators."""


@irdl_op_definition
class NestOp(Nest):
    """Compute `writes` at every point of the space dimensions, folding over all points of the fold dimensions.

    `start` gives the accumulators before the first fold point, `step` the next ones, `finish` the elements to write.
    Without fold dimensions there is `finish` alone. Each region receives the elements that it reads (then, but for
    `start`, the accumulators). Places are affine in the dimensions; `where` names what several places share. Fold
    points for which a read marked `clip` lies outside of its buffer are left out. With `ordered` the fold must run in
    the order of its dimensions, as sums of floats do. Regions may load from other memrefs at computed places, tables
    for example, which the nest must not write. `schedule` says in which loops it runs; see `ScheduleAttr`.

    The form is that of structured operations (linalg's `generic`, Halide's reductions) with an epilogue and clipping.

    Example, a matrix product of 4 rows requantised by one shift:

    ```mlir
    task.nest space(row = 4, oc = 8) fold(ic = 16)
      start (%bias = %b[oc] : memref<8xi32>) {
        task.yield %bias : i32
      }
      step (%v = %x[row, ic] : memref<4x16xi8>, %u = %w[oc, ic] : memref<8x16xi8>) into (%acc : i32) {
        ...
        task.yield %next : i32
      }
      finish () of (%sum : i32) {
        ...
        task.yield %result : i8
      }
      writes (%y[row, oc] : memref<4x8xi8>)
    ```
    """

    name = "task.nest"

    def verify_(self) -> None:
        try:
            _verify_expressions(self)
            for group in self.GROUPS:
                for access in self.accesses(group):
                    _verify_place(self, access, group)
            _verify_regions(self)
            limits(self)
            planned_loops(self)
        except ValueError as error:
            raise VerifyException(f"'{self.name}' op {error}") from error

    def print(self, printer: Printer) -> None:
        printer.print_string(f" space({self.space.text})")
        if self.fold.data:
            ordered = "" if self.ordered is None else "ordered "
            printer.print_string(f" {ordered}fold({self.fold.text})")
        names = self.index_names
        if self.names.data:
            defined = zip(self.names, self.where.data.results, strict=True)
            text = ", ".join(f"{name.data} = {print_index(expr, names)}" for name, expr in defined)
            printer.print_string(f" where({text})")
        with printer.indented():
            for (name, word), region in zip(_REGIONS, self.regions, strict=True):
                if region.blocks:
                    _print_region(printer, name, word, self.accesses(f"{name}_reads"), region, names)
            printer.print_string("\nwrites (")
            printer.print_list(self.accesses("writes"), lambda access: print_access(printer, access, names))
            printer.print_string(")")
            if self.schedule is not None:
                printer.print_string("\nschedule ")
                self.schedule.print_parameter(printer)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> NestOp:
        parser.parse_keyword("space")
        space = DimsAttr(parse_dims(parser, parser.Delimiter.PAREN))
        ordered = parser.parse_optional_keyword("ordered") is not None
        has_fold = parser.parse_optional_keyword("fold") is not None
        fold = DimsAttr(parse_dims(parser, parser.Delimiter.PAREN) if has_fold else ())
        names = [*space.names, *fold.names]
        where = _parse_where(parser, names)
        parsed = [_parse_region(parser, name, word, names) for name, word in _REGIONS]
        parser.parse_keyword("writes")
        writes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_access(parser, names))
        made = NestOp(
            space,
            fold,
            where,
            [*(reads for reads, _ in parsed), writes],
            [region for _, region in parsed],
            ordered=ordered,
        )
        if parser.parse_optional_keyword("schedule") is not None:
            position, steps = parser.pos, ScheduleAttr.parse_parameter(parser)
            try:
                made.schedule = ScheduleAttr.of(made, steps)
            except ValueError as error:
                parser.raise_error(str(error), position, parser.pos)
        made.attributes |= parser.parse_optional_attr_dict()
        return made


def _print_region(
    printer: Printer, name: str, word: str, reads: Sequence[Access], region: Region, names: Sequence[str]
) -> None:
    printer.print_string(f"\n{name} (")

    def print_read(read: tuple[SSAValue, Access]) -> None:
        printer.print_ssa_value(read[0])
        printer.print_string(" = ")
        print_access(printer, read[1], names)

    printer.print_list(zip(region.block.args, reads, strict=False), print_read)
    printer.print_string(") ")
    if accumulators := region.block.args[len(reads) :]:
        printer.print_string(f"{word} ")
        with printer.in_parens():
            printer.print_list(accumulators, printer.print_block_argument)
        printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


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


def _verify_expressions(nest: NestOp) -> None:
    names, dims = nest.index_names, len(nest.extents)
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"name {name} is given twice")
    if len(nest.where.data.results) != len(nest.names) or nest.where.data.num_dims != len(names):
        raise ValueError("where needs one expression over all dimensions for each name")
    if len(nest.maps) != len(nest.operands):
        raise ValueError("needs one map for each operand")
    if any(map.data.num_dims != len(names) for map in nest.maps):
        raise ValueError(f"maps are over its {len(names)} dimensions and named indices")
    for number, expr in enumerate(nest.where.data.results, dims):
        if any(position >= number for position in Linear.of(expr).positions()):
            raise ValueError(f"index {names[number]} uses one that comes later")


def _verify_place(nest: NestOp, access: Access, group: str) -> None:
    what, is_step = f"{group.replace('_', ' ')} of {access.type}", group == "step_reads"
    if len(access.indices) != len(access.shape):
        raise ValueError(f"{what} has {len(access.indices)} indices for {len(access.shape)} dimensions")
    if access.clip and not is_step:
        raise ValueError(f"{what} is clipped: only what step reads can be")
    for d, (form, extent) in enumerate(nest.sides(access)):
        if not is_step and any(position in nest.folds for position in form.positions()):
            raise ValueError(f"{what} depends on a fold dimension in index {d}")
        least, most = form.bounds(nest.extents)
        if not access.clip and 0 not in nest.extents and (least < 0 or most >= extent):
            raise ValueError(f"{what} runs from {least} to {most} in index {d}, out of its {extent} elements")


def _verify_regions(nest: NestOp) -> None:
    folds = bool(nest.fold.data)
    for (name, _), region in zip(_REGIONS, nest.regions, strict=True):
        if name != "finish" and bool(region.blocks) != folds:
            raise ValueError(f"{'needs' if folds else 'has no fold dimensions for'} the region {name}")
        if not region.blocks:
            continue
        if len(region.blocks) != 1 or not isinstance(region.block.last_op, YieldOp):
            raise ValueError("regions are one block that ends with task.yield")
        given = accumulators = [value.type for value in nest.accumulators]
        reads = [access.type.element_type for access in nest.accesses(f"{name}_reads")]
        if list(region.block.arg_types) != [*reads, *(accumulators if name != "start" else ())]:
            raise ValueError(f"{name} takes the elements that it reads, then the accumulators")
        if name == "finish":
            given = [access.type.element_type for access in nest.accesses("writes")]
        if [value.type for value in nest.terminator(region).values] != given:
            raise ValueError(f"{name} must yield {', '.join(map(str, given)) or 'nothing'}")
        _verify_asked(nest, name, region)


def _verify_asked(nest: NestOp, name: str, region: Region) -> None:
    """Check the places that a region asks for, and what it loads."""
    for op in all_of(region, IndexOp):
        dim = op.dim.data
        if dim not in nest.index_names:
            raise ValueError(f"{name} asks for the place along {dim}, of which there is none")
        form = nest.form(AffineExpr.dimension(nest.index_names.index(dim)))
        if name != "step" and not set(form.positions()).isdisjoint(nest.folds):
            raise ValueError(f"{name} asks for the place along {dim}, which only the fold has")
    if nest.writes_any(op.memref for op in all_of(region, memref.LoadOp)):
        raise ValueError(f"{name} loads from what the nest writes")


@answers_for(NestOp)
def _accesses(nest: NestOp) -> list[MemoryAccess]:
    """All that a nest reads, and what it writes; which elements in which order is for the loops to say."""
    reads = (*nest.start_reads, *nest.step_reads, *nest.finish_reads)
    return [
        *(MemoryAccess(value, is_write=False, is_sure=False) for value in dict.fromkeys(reads)),
        *(MemoryAccess(value, is_write=True, is_sure=False) for value in dict.fromkeys(nest.writes)),
    ]
