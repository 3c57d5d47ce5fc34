"""Functions that make one row, from loops over all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.operations import operations
from .build import retyped
from .by_row import Layouts
from .layout import RowLayout


@dataclass(frozen=True)
class Touch:
    """A load or store of what has rows."""

    op: memref.LoadOp | memref.StoreOp
    argument: BlockArgument
    dim: int
    """The dimension along the rows."""
    points: int
    """Points of a row along it."""

    @property
    def is_store(self) -> bool:
        """Whether it writes."""
        return isinstance(self.op, memref.StoreOp)

    @property
    def position(self) -> int:
        """Position of the index along the rows, among the operands of the operation."""
        return len(self.op.operands) - len(self.op.indices) + self.dim

    @property
    def index(self) -> SSAValue:
        """The index along the rows."""
        return self.op.operands[self.position]


@dataclass(frozen=True)
class RowBody:
    """A function that makes a row, and what it takes."""

    function: func.FuncOp
    dropped: frozenset[int] = frozenset()
    """Arguments of the whole function that it lacks."""
    passed: Sequence[int] = ()
    """Which of the loops over rows it is passed the variables of, behind all else."""

    @staticmethod
    def at_places(
        function: func.FuncOp,
        layouts: Layouts,
        touches: Sequence[Touch],
        groups: Mapping[int, Sequence[SSAValue]],
        loops: Sequence[scf.ForOp],
    ) -> RowBody:
        """Return the body of the `loops`; operands are as many arguments as `groups` has indices of theirs."""
        copy = function.clone()
        twins = dict(zip(function.walk(), copy.walk(), strict=True))
        block = copy.body.block
        arguments, variables = list(block.args), list[BlockArgument]()
        for loop in loops:
            variables.append(block.insert_arg(IndexType(), len(block.args)))
            variables[-1].name_hint = loop.body.block.args[0].name_hint
            _unwrap(twins[loop], variables[-1])
        parts = {number: _divide(arguments[number], layouts, len(each)) for number, each in groups.items()}
        zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
        Rewriter.insert_op(zero, InsertPoint.at_start(block))
        for touch in touches:
            twin, number = twins[touch.op], touch.argument.index
            twin.operands[touch.position] = zero.result
            if number in parts:
                twin.operands[0] = parts[number][groups[number].index(touch.index)]
        for number in {touch.argument.index for touch in touches}:
            if number in parts:
                block.erase_arg(arguments[number])
            else:
                _shorten(arguments[number], layouts[number])
        _drop_unused(copy)
        rowed = {touch.argument.index for touch in touches}
        dropped = [n for n, a in enumerate(arguments) if n not in rowed and not a.uses]
        passed = [n for n, variable in enumerate(variables) if variable.uses]
        for unused in (*(arguments[n] for n in dropped), *(v for v in variables if not v.uses)):
            block.erase_arg(unused)
        return RowBody(retyped(copy), frozenset(dropped), passed)

    @staticmethod
    def of_block(
        function: func.FuncOp, layouts: Layouts, touches: Sequence[Touch], loop: scf.ForOp, points: int
    ) -> RowBody:
        """The loop over as many points as a row has."""
        copy = function.clone()
        twin = next(b for a, b in zip(function.walk(), copy.walk(), strict=True) if a is loop)
        assert isinstance(twin, scf.ForOp), "a copy is what it is made from"
        bound = arith.ConstantOp(IntegerAttr(points, IndexType()))
        Rewriter.insert_op(bound, InsertPoint.before(twin))
        twin.operands[1] = bound.result
        for number in {touch.argument.index for touch in touches}:
            _shorten(copy.body.block.args[number], layouts[number])
        _drop_unused(copy)
        return RowBody(retyped(copy))


def _unwrap(loop: Operation, variable: SSAValue) -> None:
    """Put what a loop has in it in its place, for one value of its variable."""
    assert isinstance(loop, scf.ForOp), "a copy is what it is made from"
    block = loop.body.block
    ending = block.last_op
    assert ending is not None, "a loop's body ends with a yield"
    Rewriter.erase_op(ending)
    Rewriter.inline_block(block, InsertPoint.before(loop), [variable])
    Rewriter.erase_op(loop)


def _divide(argument: BlockArgument, layouts: Layouts, count: int) -> list[BlockArgument]:
    """Arguments for some rows of an operand, before its own."""
    type, layout = argument.type, layouts[argument.index]
    assert isinstance(type, MemRefType), "what has rows is a memref"
    assert layout is not None, "it has rows"
    block, begin = argument.block, argument.index
    made = [block.insert_arg(layout.row_type(type), begin + n) for n in range(count)]
    for number, part in enumerate(made):
        part.name_hint = f"{argument.name_hint or 'row'}_{number}" if count > 1 else argument.name_hint
    return made


def _shorten(argument: BlockArgument, layout: RowLayout | None) -> None:
    """Let an argument be one row of its tensor."""
    assert isinstance(argument.type, MemRefType), "what has rows is a memref"
    assert layout is not None, "it has rows"
    Rewriter.replace_value_with_new_type(argument, layout.row_type(argument.type))


def _drop_unused(function: func.FuncOp) -> None:
    """Remove what was computed to find rows."""
    for op in reversed(operations(function.body)):
        if isinstance(op, memref.LoadOp | arith.ConstantOp | arith.IndexCastOp) or op.name.startswith("arith."):
            if not any(result.uses for result in op.results):
                Rewriter.erase_op(op)
