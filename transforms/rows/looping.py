"""Operators of loops whose outermost ones run over the rows of the result: resizing, softmax over channels, and others.

Which rows of an operand a row of the result needs may stand in tables, as long as these are constants.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from .by_row import MOST_ROWS, ByRow, Layouts, NotByRows
from .layout import RowLayout
from .loop_rows import RowBody, Touch
from .numbers import Numbers, Tables


@dataclass(frozen=True)
class Looping(ByRow):
    """A function that can run row by row; one function makes all rows."""

    function: func.FuncOp
    results: frozenset[int]
    rows: int
    read: Mapping[int, Sequence[tuple[int, ...]]]
    """For each argument that is taken by rows and each row of the result the rows that are read."""
    body: RowBody
    """The part that makes a row."""
    places: Sequence[tuple[int, ...]] = ()
    """For each row the variables of the loops that run over rows."""
    filled: Mapping[int, int] = field(default_factory=lambda: {})

    @property
    def taken(self) -> frozenset[int]:
        return frozenset(self.read)

    @property
    def single(self) -> frozenset[int]:
        return self.taken

    @property
    def dropped(self) -> frozenset[int]:
        return self.body.dropped

    @staticmethod
    def of(function: func.FuncOp, layouts: Layouts, tables: Tables) -> Looping:
        """Read a function; `tables` are the constants that are passed for its arguments.

        Raises:
            NotByRows: it cannot run by rows.
        """
        loops, touches = _chain(function), _touches(function, layouts)
        stored = frozenset(touch.argument.index for touch in touches if touch.is_store)
        counts = {_rows(layouts, number) for number in stored}
        rows = counts.pop() if len(counts) == 1 else 1
        if rows == 1:
            raise NotByRows("its results have no common rows")
        extents = [_extent(loop) for loop in loops]
        depth = next((d for d in range(1, len(loops) + 1) if math.prod(extents[:d]) == rows), 0)
        if depth:
            reader = _ByPlaces(function, layouts, touches, stored, loops[:depth])
            return reader.read([*itertools.product(*map(range, extents[:depth]))], tables)
        if extents[0] % rows:
            raise NotByRows("no loops run over the rows of its results")
        return _by_blocks(function, layouts, touches, stored, loops[0], extents[0] // rows)

    def parts(self, row: int) -> Mapping[int, tuple[int, ...]]:
        return {number: rows[row] for number, rows in self.read.items()}

    def kind_of(self, row: int, apart: frozenset[int]) -> Hashable:
        return "all rows are made alike"

    def row_function(self, row: int, layouts: Mapping[int, RowLayout], apart: frozenset[int]) -> func.FuncOp:
        return self.body.function.clone()

    def numbers(self, row: int) -> Sequence[int]:
        return [self.places[row][variable] for variable in self.body.passed]


@dataclass(frozen=True)
class _ByPlaces:
    """Reads a function whose outermost loops make one row each time."""

    function: func.FuncOp
    layouts: Layouts
    touches: Sequence[Touch]
    stored: frozenset[int]
    loops: Sequence[scf.ForOp]

    def read(self, places: Sequence[tuple[int, ...]], tables: Tables) -> Looping:
        """`places` are what the loops run through."""
        found = self._rows_at(places, tables)
        (own, *others) = [found[touch.index] for touch in self.touches if touch.argument.index in self.stored]
        if sorted(own) != list(range(len(places))) or any(one != own for one in others):
            raise NotByRows("its results are not made row by row")
        order = sorted(range(len(places)), key=own.__getitem__)
        groups = self._groups()
        taken: dict[int, list[tuple[int, ...]]] = {}
        for number, indices in groups.items():
            taken[number] = [tuple(found[index][place] for index in indices) for place in order]
            if any(not 0 <= row < _rows(self.layouts, number) for rows in taken[number] for row in rows):
                raise NotByRows("it reads outside of an operand")
        body = RowBody.at_places(self.function, self.layouts, self.touches, groups, self.loops)
        return Looping(self.function, self.stored, len(places), taken, body, [places[place] for place in order])

    def _rows_at(self, places: Sequence[tuple[int, ...]], tables: Tables) -> dict[SSAValue, list[int]]:
        """The rows that indices along them come to, at each place."""
        variables = [loop.body.block.args[0] for loop in self.loops]
        known = [Numbers(dict(zip(variables, place, strict=True)), tables) for place in places]
        found: dict[SSAValue, list[int]] = {}
        for touch in self.touches:
            if touch.points != 1:
                raise NotByRows("a row is no point of what it touches")
            if touch.index not in found:
                numbers = [one.of(touch.index) for one in known]
                found[touch.index] = [number for number in numbers if number is not None]
                if None in numbers:
                    raise NotByRows("which rows it touches depends on more than the row of the result")
        return found

    def _groups(self) -> dict[int, list[SSAValue]]:
        """For each operand the indices of its rows that differ."""
        groups: dict[int, list[SSAValue]] = {}
        for touch in self.touches:
            number = touch.argument.index
            if number not in self.stored and touch.index not in groups.setdefault(number, []):
                groups[number].append(touch.index)
        if any(len(each) > MOST_ROWS for each in groups.values()):
            raise NotByRows(f"a row needs more than {MOST_ROWS} rows of an operand")
        return groups


def _by_blocks(
    function: func.FuncOp,
    layouts: Layouts,
    touches: Sequence[Touch],
    stored: frozenset[int],
    loop: scf.ForOp,
    points: int,
) -> Looping:
    """Reads a function whose outermost loop runs over the points of all rows, of which a row has some."""
    variable, indices = loop.body.block.args[0], {touch.index for touch in touches}
    (rows,) = {_rows(layouts, number) for number in stored}
    numbers = {touch.argument.index for touch in touches}
    if indices != {variable} or any(touch.points != points for touch in touches):
        raise NotByRows("rows of an operand are no rows of the result")
    if {_rows(layouts, number) for number in numbers} != {rows}:
        raise NotByRows("an operand has other rows than the result")
    touching = {(touch.op, touch.position) for touch in touches}
    if any((use.operation, use.index) not in touching for use in variable.uses):
        raise NotByRows("what it computes depends on the number of the row")
    taken = {number: [(row,) for row in range(rows)] for number in sorted(numbers - stored)}
    body = RowBody.of_block(function, layouts, touches, loop, points)
    return Looping(function, stored, rows, taken, body)


def _chain(function: func.FuncOp) -> list[scf.ForOp]:
    """The loops around all that a function does, from the outermost to that with more than one loop in it, or none."""
    found: list[scf.ForOp] = []
    block = function.body.block
    while (loop := _only_loop(block)) is not None:
        found.append(loop)
        block = loop.body.block
    if not found:
        raise NotByRows("it does more than one loop")
    return found


def _only_loop(block: Block) -> scf.ForOp | None:
    loops = [op for op in block.ops if op.regions]
    is_pure = not any(isinstance(op, memref.StoreOp | func.CallOp) for op in block.ops)
    if len(loops) == 1 and is_pure and isinstance(loop := loops[0], scf.ForOp) and not loop.results:
        return loop
    return None


def _extent(loop: scf.ForOp) -> int:
    bounds = [Numbers({}, {}).of(bound) for bound in (loop.lb, loop.ub, loop.step)]
    if bounds[0] != 0 or bounds[2] != 1 or bounds[1] is None:
        raise NotByRows("a loop does not count from 0 in ones")
    return bounds[1]


def _rows(layouts: Layouts, number: int) -> int:
    layout = layouts[number]
    return 1 if layout is None else layout.rows


def _touches(function: func.FuncOp, layouts: Layouts) -> list[Touch]:
    """All loads and stores of what has rows."""
    found: list[Touch] = []
    for op in function.body.block.walk():
        for operand in op.operands:
            if isinstance(operand, BlockArgument) and operand.block is function.body.block:
                _add(found, op, operand, layouts)
    return found


def _add(found: list[Touch], op: Operation, argument: BlockArgument, layouts: Layouts) -> None:
    layout, type = layouts[argument.index], argument.type
    if layout is None or layout.rows == 1:
        if isinstance(op, memref.StoreOp):
            raise NotByRows("a result has no rows")
        return
    assert isinstance(type, MemRefType), "what has rows is a memref"
    axis = layout.axis_of(type)
    if axis is None or not isinstance(op, memref.LoadOp | memref.StoreOp):
        raise NotByRows("it touches an operand in other ways than row by row")
    found.append(Touch(op, argument, axis.dim, axis.extent))
