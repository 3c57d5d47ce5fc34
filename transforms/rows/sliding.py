"""Operators that make a row of their result from some rows of their operands: convolutions, pooling, elementwise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.operations import operations
from ...dialects.task import NestOp
from ...dialects.task.domain import Linear
from ...dialects.task.syntax import Access
from .build import function_of_row, nests_of
from .by_row import MOST_KINDS, MOST_ROWS, ByRow, Layouts, NotByRows
from .fill import neutral_element
from .layout import Axis, RowLayout
from .rewrite import Change, Operand, index_forms
from .window import Span, Window


@dataclass(frozen=True)
class Stretch:
    """Neighbouring rows of a result, of which a task makes all or a part, such as the left margin."""

    dim: int | None
    """The space dimension along the rows; None where there is one row without a dimension for it."""
    points: int
    """Points of one row along it."""
    first: int
    count: int


@dataclass(frozen=True)
class RowNest:
    """One task, read as rows; these are counted from the first one that it makes."""

    nest: NestOp
    stretch: Stretch
    """The rows of the result that it makes."""
    windows: Mapping[Operand, tuple[BlockArgument, Axis, Window]]
    """The operands that are taken by rows."""
    filled: Mapping[BlockArgument, int]
    """Arguments that have rows before their first and after their last one, and the element that these consist of."""
    guards: Mapping[Operand, tuple[int, Window]] = field(default_factory=lambda: {})
    """Clipped operands without rows, such as filters of transposed convolutions, whose index at a dimension says which
    fold points a row has."""
    written: Mapping[Operand, tuple[int, Linear]] = field(default_factory=lambda: {})
    """Results whose first row it does not make: which index changes, and its form within the first one made."""

    def extents(self) -> list[int]:
        """Extents of the dimensions within one row of the result."""
        points, along = self.stretch.points, self.stretch.dim
        return [points if d == along else extent for d, extent in enumerate(self.nest.extents)]

    def spans(self, row: int) -> dict[int, Span]:
        """Parts of fold dimensions that clipping leaves."""
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
        for operand, (axis, form) in self.written.items():
            indices[operand] = axis, form
        extents = {} if self.stretch.dim is None else {self.stretch.dim: self.stretch.points}
        return Change(extents, spans, indices, sorted(set(unrolled)))


@dataclass(frozen=True)
class Sliding(ByRow):
    """A function of tasks that can run row by row."""

    function: func.FuncOp
    nests: Sequence[RowNest]
    results: frozenset[int]
    rows: int
    filled: Mapping[int, int]

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
            if not self._active(row):
                raise NotByRows("nothing makes a row")
            if any(len(needed) > MOST_ROWS for needed in parts.values()):
                raise NotByRows(f"a row needs more than {MOST_ROWS} rows of an operand")
        if len({self.kind_of(row, frozenset()) for row in range(self.rows)}) > MOST_KINDS:
            raise NotByRows(f"its rows are made in more than {MOST_KINDS} ways")
        for one in self.nests:
            asked = {position for form in index_forms(one.nest) for position in form.positions()}
            shifted = {dim for row in range(one.stretch.count) for dim in one.spans(row)}
            if asked & {one.stretch.dim, *shifted}:
                raise NotByRows("what it computes depends on the number of the row")

    @property
    def taken(self) -> frozenset[int]:
        return frozenset(argument.index for one in self.nests for argument, _, _ in one.windows.values())

    def _active(self, row: int) -> dict[int, tuple[RowNest, int]]:
        """The tasks that make something of a row, by number, and which of their rows it is."""
        places = {n: (one, row - one.stretch.first) for n, one in enumerate(self.nests)}
        return {n: (one, own) for n, (one, own) in places.items() if 0 <= own < one.stretch.count}

    def parts(self, row: int) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for one, own in self._active(row).values():
            try:
                for argument, needed in one.parts(own).items():
                    if found.setdefault(argument.index, needed) != needed:
                        raise NotByRows("two tasks need different rows of one operand")
            except NotByRows:
                raise
            except ValueError as error:
                raise NotByRows(str(error)) from error
        return found

    def kind_of(self, row: int, apart: frozenset[int]) -> Hashable:
        counts = tuple((argument, len(rows), max(rows) - min(rows)) for argument, rows in self.parts(row).items())
        return counts, tuple((n, one.change(own, apart).key) for n, (one, own) in self._active(row).items())

    def row_function(self, row: int, layouts: Mapping[int, RowLayout], apart: frozenset[int]) -> func.FuncOp:
        active, parts = self._active(row), self.parts(row)
        changes = [active[n][0].change(active[n][1], apart) if n in active else None for n in range(len(self.nests))]
        others = self.taken - parts.keys()
        return function_of_row(
            self.function, changes, parts | dict.fromkeys(self.results, (row,)), others, layouts, apart
        )


def argument_of(buffer: SSAValue) -> BlockArgument:
    """The argument that a task reads or writes.

    Raises:
        NotByRows: it is none.
    """
    if not isinstance(buffer, BlockArgument):
        raise NotByRows("it has buffers of its own")
    return buffer


def _row_nest(nest: NestOp, layouts: Layouts, written: set[BlockArgument]) -> RowNest:
    stretch = _along_rows(nest, layouts)
    dim, points = stretch.dim, stretch.points
    if any(access.buffer in written for group in nest.GROUPS[:-1] for access in nest.accesses(group)):
        raise NotByRows("it reads what it writes")
    tables = {operand for region in nest.regions for op in operations(region) for operand in _memrefs(op)}
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
            along = [d for d, form in enumerate(forms) if dim is not None and form.coefficient(dim)]
            if layout is None or layout.rows == 1:
                if dim is not None and along:
                    guards[group, number] = _guard(nest, access, dim, points)
                continue
            axis = layout.axis_of(type)
            if axis is None or any(d != axis.dim for d in along):
                raise NotByRows("rows of an operand are no rows of the result")
            form = forms[axis.dim]
            advance = 0 if dim is None else form.coefficient(dim) * points
            form = form if dim is None or points > 1 else form.without(dim)
            extent = type.get_shape()[axis.dim]
            windows[group, number] = argument, axis, Window(form, advance, extent, axis.extent, access.clip)
    written_at = _written_at(nest, layouts, stretch) if stretch.first else {}
    made = RowNest(nest, stretch, windows, {}, guards, written_at)
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
    rows = made.stretch.count
    found: dict[BlockArgument, int] = {}
    for (group, number), (argument, _, window) in made.windows.items():
        if group == "step_reads" and window.reaches_over(made.extents(), rows) and argument.has_one_use():
            element = neutral_element(made.nest, number)
            if element is not None:
                found[argument] = element
    return found


def _along_rows(nest: NestOp, layouts: Layouts) -> Stretch:
    """The rows of the results that the nest makes."""
    found: set[Stretch] = set()
    for access in nest.accesses("writes"):
        axis, layout = _rows_of(access, layouts)
        forms = [nest.form(index) for index in access.indices]
        found.add(_stretch(nest, forms[axis.dim], axis.extent, layout.rows))
        (dim, *_) = (one.dim for one in found)
        if dim is not None and any(form.coefficient(dim) for d, form in enumerate(forms) if d != axis.dim):
            raise NotByRows("its result is not written row by row")
    if len(found) != 1:
        raise NotByRows("its results have different rows")
    return found.pop()


def _rows_of(access: Access, layouts: Layouts) -> tuple[Axis, RowLayout]:
    """Where the rows of a result lie."""
    layout, type = layouts[argument_of(access.buffer).index], access.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    axis = None if layout is None else layout.axis_of(type)
    if layout is None or axis is None:
        raise NotByRows("its result has no rows")
    return axis, layout


def _stretch(nest: NestOp, form: Linear, per_row: int, rows: int) -> Stretch:
    """The dimension of which each row is a block, and the rows that there are blocks for."""
    blocks = [
        (dim, per_row // factor)
        for dim, factor in form.terms
        if factor > 0 and per_row % factor == 0 and nest.extents[dim] % (per_row // factor) == 0
    ]
    for dim, points in (*blocks, (None, 1)):
        least, most = form.bounds([points if d == dim else extent for d, extent in enumerate(nest.extents)])
        first, count = least // per_row, 1 if dim is None else nest.extents[dim] // points
        if 0 <= first == most // per_row and first + count <= rows:
            return Stretch(dim, points, first, count)
    raise NotByRows("its result is not written row by row")


def _written_at(nest: NestOp, layouts: Layouts, stretch: Stretch) -> dict[Operand, tuple[int, Linear]]:
    """The indices of results along their rows, from the first row on that the nest makes."""
    found: dict[Operand, tuple[int, Linear]] = {}
    for number, access in enumerate(nest.accesses("writes")):
        axis, _ = _rows_of(access, layouts)
        form = nest.form(access.indices[axis.dim])
        found["writes", number] = axis.dim, Linear(form.terms, form.constant - stretch.first * axis.extent)
    return found


def _memrefs(op: Operation) -> list[SSAValue]:
    return [operand for operand in op.operands if isinstance(operand.type, MemRefType)]
