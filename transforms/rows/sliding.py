"""Operators that make a row of their result from some rows of their operands: convolutions, pooling, elementwise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from .fill import neutral_element
from .layout import Axis, RowLayout
from .rewrite import Change, Operand, index_forms
from .window import Span, Window

MOST_ROWS = 16
"""Rows of one operand that a row of the result may need: the code that reads them is written out for each."""

Layouts = Sequence[RowLayout | None]
"""How the buffers passed for a function's arguments are divided; None for constants and what has no rows."""


class NotByRows(ValueError):
    """The operator cannot run row by row."""


@dataclass(frozen=True)
class RowNest:
    """One task, read as rows."""

    nest: NestOp
    dim: int
    """The space dimension along the rows of the result."""
    points: int
    """Points of one row along it."""
    windows: Mapping[Operand, tuple[BlockArgument, Axis, Window]]
    """The operands that are taken by rows."""
    filled: Mapping[BlockArgument, int]
    """Arguments that have rows before their first and after their last one, and the element that these consist of."""
    guards: Mapping[Operand, tuple[int, Window]] = field(default_factory=lambda: {})
    """Clipped operands without rows, such as filters of transposed convolutions, whose index at a dimension says which
    fold points a row has."""

    def extents(self) -> list[int]:
        """Of the dimensions, within one row of the result."""
        return [self.points if d == self.dim else extent for d, extent in enumerate(self.nest.extents)]

    def spans(self, row: int) -> dict[int, Span]:
        """What clipping leaves of fold dimensions."""
        folds = range(len(self.nest.space.data), len(self.nest.extents))
        found: dict[int, Span] = {}
        clipping = [window for argument, _, window in self.windows.values() if argument not in self.filled]
        for window in (*clipping, *(window for _, window in self.guards.values())):
            if (clipped := window.clipped(row, self.extents(), folds)) is not None:
                dim, span = clipped
                found[dim] = found.get(dim, span) & span
                if found[dim].begin >= found[dim].end:
                    raise NotByRows("a row is made of clipped points alone")
        return found

    def parts(self, row: int) -> dict[BlockArgument, tuple[int, ...]]:
        """The rows of each operand that a row of the result needs."""
        found: dict[BlockArgument, tuple[int, ...]] = {}
        spans = self.spans(row)
        for argument, _, window in self.windows.values():
            needed = tuple(window.rows(row, self.extents(), spans))
            if found.setdefault(argument, needed) != needed:
                raise NotByRows("two accesses to one operand need different rows")
        return found

    def change(self, row: int, joined: frozenset[int]) -> Change:
        """The task that makes one row, where rows of the `joined` arguments are buffers of their own."""
        spans = self.spans(row)
        indices: dict[Operand, tuple[int, Linear]] = {}
        unrolled: list[int] = []
        for operand, (argument, axis, window) in self.windows.items():
            rows = window.rows(row, self.extents(), spans)
            if len(rows) > 1:
                ((fold, step),) = window.form.terms
                # Of neighbouring rows in one buffer those that are left out are there, too.
                between = 1 if argument.index in joined else step
                start = 0 if between > 0 else -between * (len(rows) - 1)
                indices[operand] = axis.dim, Linear(((fold, between),), start)
                if argument.index in joined:
                    unrolled.append(fold)
            else:
                start = window.form.constant + window.advance * row - rows[0] * window.per_row
                indices[operand] = axis.dim, Linear(window.form.terms if window.per_row > 1 else (), start)
                if window.per_row == 1:
                    indices[operand] = axis.dim, Linear((), 0)
        for operand, (axis, window) in self.guards.items():
            ((fold, step),) = window.form.terms
            begin = spans[fold].begin if fold in spans else 0
            start = window.form.constant + window.advance * row + step * begin
            indices[operand] = axis, Linear(window.form.terms, start)
        return Change({self.dim: self.points}, spans, indices, sorted(set(unrolled)))


@dataclass(frozen=True)
class Sliding:
    """A function that can run row by row."""

    function: func.FuncOp
    nests: Sequence[RowNest]
    results: frozenset[int]
    """Arguments that are written by rows."""
    rows: int
    """Of the result."""
    filled: Mapping[int, int]
    """Arguments that have rows before their first, numbered from below 0, and after their last one: these consist of
    this element alone."""

    @staticmethod
    def of(function: func.FuncOp, layouts: Layouts) -> Sliding:
        """Read a function.

        Raises:
            NotByRows: it cannot run by rows.
        """
        nests = nests_of(function)
        written = {argument_of(access.buffer) for nest in nests for access in nest.accesses("writes")}
        counts = {layout.rows for argument in written if (layout := layouts[argument.index]) is not None}
        if len(counts) != 1 or counts == {1}:
            raise NotByRows("its results have no common rows")
        by_rows = [_row_nest(nest, layouts, written) for nest in nests]
        made = Sliding(
            function,
            by_rows,
            frozenset(argument.index for argument in written),
            counts.pop(),
            {argument.index: element for one in by_rows for argument, element in one.filled.items()},
        )
        made.verify()
        return made

    def verify(self) -> None:
        """Look at every row once.

        Raises:
            NotByRows: one of them cannot be made alone.
        """
        for row in range(self.rows):
            parts = self.parts(row)
            if any(len(needed) > MOST_ROWS for needed in parts.values()):
                raise NotByRows(f"a row needs more than {MOST_ROWS} rows of an operand")
        for one in self.nests:
            asked = {position for form in index_forms(one.nest) for position in form.positions()}
            shifted = {dim for row in range(self.rows) for dim in one.spans(row)}
            if asked & {one.dim, *shifted}:
                raise NotByRows("what it computes depends on the number of the row")

    def parts(self, row: int) -> dict[int, tuple[int, ...]]:
        """For each argument that is taken by rows the rows that one row of the result needs."""
        found: dict[int, tuple[int, ...]] = {}
        for one in self.nests:
            try:
                for argument, needed in one.parts(row).items():
                    if found.setdefault(argument.index, needed) != needed:
                        raise NotByRows("two tasks need different rows of one operand")
            except NotByRows:
                raise
            except ValueError as error:
                raise NotByRows(str(error)) from error
        return found

    def kind_of(self, row: int, apart: frozenset[int]) -> Hashable:
        """What is the same for rows that are made alike."""
        counts = tuple((argument, len(rows), max(rows) - min(rows)) for argument, rows in self.parts(row).items())
        return counts, tuple(one.change(row, apart).key for one in self.nests)


def nests_of(function: func.FuncOp) -> list[NestOp]:
    """The tasks of a function of nothing but tasks and constants.

    Raises:
        NotByRows: it has anything else.
    """
    nests = [op for op in function.body.block.ops if isinstance(op, NestOp)]
    others = [op for op in function.body.block.ops if not isinstance(op, NestOp | arith.ConstantOp | func.ReturnOp)]
    if not nests or others or any(0 in nest.extents for nest in nests):
        raise NotByRows("it does more than tasks")
    return nests


def argument_of(buffer: SSAValue) -> BlockArgument:
    """The argument that a task reads or writes.

    Raises:
        NotByRows: it is none.
    """
    if not isinstance(buffer, BlockArgument):
        raise NotByRows("it has buffers of its own")
    return buffer


def _row_nest(nest: NestOp, layouts: Layouts, written: set[BlockArgument]) -> RowNest:
    dim, points = _along_rows(nest, layouts)
    if any(access.buffer in written for group in nest.GROUPS[:-1] for access in nest.accesses(group)):
        raise NotByRows("it reads what it writes")
    tables = {operand for region in nest.regions for op in region.walk() for operand in _memrefs(op)}
    if any(isinstance(table, BlockArgument) and layouts[table.index] is not None for table in tables):
        raise NotByRows("it reads at computed places")
    windows: dict[Operand, tuple[BlockArgument, Axis, Window]] = {}
    guards: dict[Operand, tuple[int, Window]] = {}
    for group in nest.GROUPS[:-1]:
        for number, access in enumerate(nest.accesses(group)):
            argument = argument_of(access.buffer)
            layout, type = layouts[argument.index], access.buffer.type
            assert isinstance(type, MemRefType), "operands are memrefs"
            forms = [nest.form(index) for index in access.indices]
            along = [d for d, form in enumerate(forms) if form.coefficient(dim)]
            if layout is None or layout.rows == 1:
                if along:
                    guards[group, number] = _guard(nest, access, dim, points)
                continue
            axis = layout.axis_of(type)
            if axis is None or any(d != axis.dim for d in along):
                raise NotByRows("rows of an operand are no rows of the result")
            form = forms[axis.dim]
            advance = form.coefficient(dim) * points
            form = form if points > 1 else form.without(dim)
            extent = type.get_shape()[axis.dim]
            windows[group, number] = argument, axis, Window(form, advance, extent, axis.extent, access.clip)
    made = RowNest(nest, dim, points, windows, {}, guards)
    return replace(made, filled=_filled(made))


def _guard(nest: NestOp, access: Access, dim: int, points: int) -> tuple[int, Window]:
    """Where a clipped access to an operand without rows says which fold points a row of the result has.

    Raises:
        NotByRows: it says something else.
    """
    type = access.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    along = [(d, form) for d, index in enumerate(access.indices) if (form := nest.form(index)).coefficient(dim)]
    form = along[0][1].without(dim)
    is_fold = [position >= len(nest.space.data) for position in form.positions()] == [True]
    if len(along) != 1 or not access.clip or points != 1 or not is_fold:
        raise NotByRows("an operand without rows differs from row to row")
    ((axis, whole),) = along
    return axis, Window(form, whole.coefficient(dim), type.get_shape()[axis], 1, clip=True)


def _filled(made: RowNest) -> dict[BlockArgument, int]:
    """Operands whose windows reach over their edges, where rows of one element may stand there."""
    rows = made.nest.extents[made.dim] // made.points
    found: dict[BlockArgument, int] = {}
    for (group, number), (argument, _, window) in made.windows.items():
        if group == "step_reads" and window.reaches_over(made.extents(), rows) and argument.has_one_use():
            element = neutral_element(made.nest, number)
            if element is not None:
                found[argument] = element
    return found


def _along_rows(nest: NestOp, layouts: Layouts) -> tuple[int, int]:
    """The dimension along the rows of the results, and how many points of it make a row."""
    found: set[tuple[int, int]] = set()
    for access in nest.accesses("writes"):
        layout, type = layouts[argument_of(access.buffer).index], access.buffer.type
        assert isinstance(type, MemRefType), "operands are memrefs"
        axis = None if layout is None else layout.axis_of(type)
        if layout is None or axis is None:
            raise NotByRows("its result has no rows")
        forms = [nest.form(index) for index in access.indices]
        found.add(_division(nest, forms[axis.dim], axis.extent, layout.rows))
        (dim, _), *_ = found
        if any(form.coefficient(dim) for d, form in enumerate(forms) if d != axis.dim):
            raise NotByRows("its result is not written row by row")
    if len(found) != 1:
        raise NotByRows("its results have different rows")
    return found.pop()


def _division(nest: NestOp, form: Linear, per_row: int, rows: int) -> tuple[int, int]:
    """The dimension of which each row of the result is a block, and the points of a block."""
    for dim, factor in form.terms:
        if factor <= 0 or per_row % factor or nest.extents[dim] != rows * (per_row // factor):
            continue
        points = per_row // factor
        inside = [points if d == dim else extent for d, extent in enumerate(nest.extents)]
        least, most = form.bounds(inside)
        if least >= 0 and most < per_row:
            return dim, points
    raise NotByRows("its result is not written row by row")


def _memrefs(op: Operation) -> list[SSAValue]:
    return [operand for operand in op.operands if isinstance(operand.type, MemRefType)]
