"""Operators that fold all rows of an operand into one result: global pooling, means and sums over an image, and
products with all of it.

Each row is added as soon as it is there; between two rows the accumulators are a buffer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.rewriter import Rewriter

from ...dialects.operations import operations
from ...dialects.task import NestOp, TapsOp, YieldOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from .build import nests_of, retyped
from .by_row import Layouts, NotByRows
from .layout import Axis
from .rewrite import Change, changed, index_forms
from .sliding import argument_of


@dataclass(frozen=True)
class Folding:
    """A function that can take its operand row by row."""

    function: func.FuncOp
    argument: int
    """The operand that comes by rows."""
    axis: Axis
    number: int
    """Which of the step's reads it is."""
    dim: int
    """The fold dimension along the rows."""
    points: int
    """Points of it in one row."""
    rows: int
    """Rows of the operand; more than one."""
    sliced: Mapping[int, int]
    """Constants of which each row needs a slice, such as weights, and the dimension along which these lie."""

    @staticmethod
    def of(function: func.FuncOp, layouts: Layouts) -> Folding:
        """Read a function.

        Raises:
            NotByRows: it cannot take its operand by rows.
        """
        nests = nests_of(function)
        if len(nests) != 1 or not nests[0].fold.data:
            raise NotByRows("it does not fold rows")
        (nest,) = nests
        by_rows: dict[int, BlockArgument] = {}
        for number, access in enumerate(nest.accesses("step_reads")):
            layout = layouts[argument_of(access.buffer).index]
            if layout is not None and layout.rows > 1:
                by_rows[number] = argument_of(access.buffer)
        others = [a.buffer for group in ("start_reads", "finish_reads", "writes") for a in nest.accesses(group)]
        rowed = [b for b in others if (own := layouts[argument_of(b).index]) is not None and own.rows > 1]
        if len(by_rows) != 1 or rowed:
            raise NotByRows("it does not fold the rows of one operand")
        ((number, argument),) = by_rows.items()
        made = _read(function, nest, number, argument, layouts)
        if any(isinstance(op, TapsOp) for region in nest.regions for op in operations(region)):
            raise NotByRows("it counts the points of its fold")
        if any(form.coefficient(made.dim) for form in index_forms(nest)):
            raise NotByRows("what it computes depends on the number of the row")
        if any(
            isinstance(v, BlockArgument) and v.block is argument.block and isinstance(v.type, MemRefType)
            for region in nest.regions
            for op in region.walk()
            for v in op.operands
        ):
            raise NotByRows("it reads at computed places")
        return made

    @property
    def nest(self) -> NestOp:
        """The task."""
        return nests_of(self.function)[0]

    def accumulators(self) -> list[MemRefType[Attribute]]:
        """The buffers that hold the accumulators between two rows."""
        return [
            MemRefType(value.type, [extent for _, extent in self.nest.space.data]) for value in self.nest.accumulators
        ]

    def slice_type(self, type: Attribute, along: int) -> MemRefType:
        """The part of a constant that a row needs."""
        assert isinstance(type, MemRefType), "constants are memrefs"
        shape = list(type.get_shape())
        shape[along] = self.points
        return MemRefType(type.element_type, shape)

    def function_of(self, *, is_first: bool, is_last: bool) -> tuple[func.FuncOp, list[int]]:
        """Function of a row, and which arguments of the whole function it takes; the accumulators come after these.

        Not for an operand of a single row, which needs no accumulators.
        """
        function = self.function.clone()
        block = function.body.block
        (nest,) = nests_of(function)
        operand = "step_reads", self.number
        form = self.nest.form(self.nest.accesses("step_reads")[self.number].indices[self.axis.dim])
        inside = form if self.points > 1 else form.without(self.dim)
        nest_of_row = changed(nest, Change({self.dim: self.points}, {}, {operand: (self.axis.dim, inside)}))
        Rewriter.replace_op(nest, nest_of_row)
        argument = block.args[self.argument]
        type = argument.type
        assert isinstance(type, MemRefType), "operands are memrefs"
        shape = list(type.get_shape())
        shape[self.axis.dim] = self.axis.extent
        Rewriter.replace_value_with_new_type(argument, MemRefType(type.element_type, shape))
        for number, along in self.sliced.items():
            Rewriter.replace_value_with_new_type(block.args[number], self.slice_type(block.args[number].type, along))
        held = [block.insert_arg(type, len(block.args)) for type in self.accumulators()]
        for value, own in zip(held, nest_of_row.step.block.args[len(nest_of_row.step_reads) :], strict=True):
            value.name_hint = f"{own.name_hint or 'acc'}_between_rows"
        final = _between_rows(nest_of_row, held, is_first=is_first, is_last=is_last)
        Rewriter.replace_op(nest_of_row, final)
        kept = [a for a in block.args[: -len(held)] if a.uses]
        numbers = [a.index for a in kept]
        for unused in [a for a in block.args[: -len(held)] if not a.uses]:
            block.erase_arg(unused)
        return retyped(function), numbers


def _read(function: func.FuncOp, nest: NestOp, number: int, argument: BlockArgument, layouts: Layouts) -> Folding:
    access, layout = nest.accesses("step_reads")[number], layouts[argument.index]
    type = argument.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    assert layout is not None, "it has rows"
    axis = layout.axis_of(type)
    if axis is None:
        raise NotByRows("rows lie along no dimension of the operand")
    form = nest.form(access.indices[axis.dim])
    first = len(nest.space.data)
    dim = first
    factor = form.coefficient(dim)
    extent = nest.extents[dim] if nest.fold.data else 0
    if factor <= 0 or axis.extent % factor or extent != layout.rows * (axis.extent // factor):
        raise NotByRows("the outermost fold dimension does not run along the rows")
    points = axis.extent // factor
    inside = [points if d == dim else e for d, e in enumerate(nest.extents)]
    least, most = form.bounds(inside)
    if least < 0 or most >= axis.extent:
        raise NotByRows("a point of the fold lies in no single row")
    sliced: dict[int, int] = {}
    for group in nest.GROUPS:
        for n, other in enumerate(nest.accesses(group)):
            for d, index in enumerate(other.indices):
                if nest.form(index).coefficient(dim) and (group, n, d) != ("step_reads", number, axis.dim):
                    sliced[_sliced(nest, other, d, dim, layouts)] = d
    return Folding(function, argument.index, axis, number, dim, points, layout.rows, sliced)


def _sliced(nest: NestOp, access: Access, d: int, dim: int, layouts: Layouts) -> int:
    """The constant of which the points of a fold dimension are those along dimension `d`."""
    argument, type = argument_of(access.buffer), access.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    forms = [nest.form(index) for index in access.indices]
    is_along = forms[d] == Linear(((dim, 1),), 0) and type.get_shape()[d] == nest.extents[dim]
    is_once = not any(form.coefficient(dim) for other, form in enumerate(forms) if other != d)
    if layouts[argument.index] is not None or not is_along or not is_once or not argument.has_one_use():
        raise NotByRows("another operand differs from row to row")
    return argument.index


def _between_rows(nest: NestOp, held: Sequence[SSAValue], *, is_first: bool, is_last: bool) -> NestOp:
    """The task of a row, that begins with held accumulators if it is not the first and leaves them if not the last."""
    place = tuple(AffineExpr.dimension(d) for d in range(len(nest.space.data)))
    groups = [nest.accesses(group) for group in nest.GROUPS]
    start, step, finish = (nest.detach_region(region) for region in (nest.start, nest.step, nest.finish))
    types = [value.type for value in NestOp.terminator(start).values]
    there = [Access(value, place) for value in held]
    if not is_first:
        groups[0], start = there, Region(_passing(types))
    if not is_last:
        groups[2], groups[3], finish = [], there, Region(_passing(types))
    return NestOp(
        nest.space,
        nest.fold,
        [(name.data, expr) for name, expr in zip(nest.names.data, nest.where.data.results, strict=True)],
        groups,
        [start, step, finish],
        ordered=nest.ordered is not None,
        attributes=dict(nest.attributes),
    )


def _passing(types: Sequence[Attribute]) -> Block:
    """A region that yields what it is given."""
    block = Block(arg_types=types)
    for argument in block.args:
        argument.name_hint = "acc"
    block.add_op(YieldOp(*block.args))
    return block
