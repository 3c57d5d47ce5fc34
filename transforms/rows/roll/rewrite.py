"""A run of calls as a loop over tables that say which call is next, and where its operands lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import nn_keys
from ....targets.identifiers import UniqueNames
from ...byte_views import flat_bytes, reshaped
from .calls import Kind, Number, Place, Run, Varying
from .columns import Affine, Column, Table

ORDER, TURNS, PLACES, STAGES = "order", "turns", "places", "stages"
"""Names of the tables."""


@dataclass(frozen=True)
class Stages:
    """Calls that run together."""

    number: SSAValue
    """Which stage the function is to run."""
    begins: Sequence[int]
    """The first call of each, and at the end the number of calls."""
    row: SSAValue
    """Arguments of a stage: it begins there, whichever row it is."""


class Rolled:
    """Makes the loop of one run."""

    def __init__(self, module: ModuleOp, entry: func.FuncOp, run: Run, stages: Stages | None = None):
        """With `stages` the function runs one of them, whose number becomes an argument."""
        self._stages = stages
        self._module = module
        self._entry = entry
        self._run = run
        self._first = run.operations[0]
        self._builder = Builder(InsertPoint.before(self._first))
        self._table = Table()
        self._roots: dict[SSAValue, SSAValue] = {}

    def emit(self) -> None:
        """Put the loop in the place of the calls."""
        run = self._run
        for op in [op for op in run.operations if not isinstance(op, func.CallOp)]:
            op.detach()
            self._builder.insert(op)
        columns = self._columns()
        order = self._get(ORDER, [kind for kind, _ in run.order])
        turns = self._get(TURNS, [turn for _, turn in run.order])
        entries = self._get(PLACES, self._table.entries) if self._table.entries else None
        begin, end = self._bounds()
        body = Block(arg_types=[IndexType()])
        body.args[0].name_hint = "step"
        loop = scf.ForOp(begin, end, self._index(1), [], Region(body))
        nn_keys.COMMENT.put(loop.attributes, self._comment())
        inside = Builder(InsertPoint.at_end(body))
        kind = self._loaded(inside, order, body.args[0])
        turn = self._loaded(inside, turns, body.args[0])
        kind.name_hint, turn.name_hint = "kind", "turn"
        cases = [Region(self._case(each, columns[each.number], turn, entries)) for each in run.kinds]
        numbers = DenseArrayBase.from_list(i64, [each.number for each in run.kinds])
        inside.insert(scf.IndexSwitchOp(kind, numbers, Region(Block([scf.YieldOp()])), cases, []))
        inside.insert(scf.YieldOp())
        self._builder.insert(loop)
        for op in [op for op in run.operations if isinstance(op, func.CallOp)]:
            op.detach()
            op.erase()

    def _bounds(self) -> tuple[SSAValue, SSAValue]:
        """The first call that runs, and the one after the last."""
        if self._stages is None:
            return self._index(0), self._index(len(self._run.order))
        table = self._get(STAGES, self._stages.begins)
        after = self._builder.insert(arith.AddiOp(self._stages.number, self._index(1))).result
        begin, end = (self._loaded(self._builder, table, at) for at in (self._stages.number, after))
        begin.name_hint, end.name_hint = "begin", "end"
        return begin, end

    def _columns(self) -> list[list[Column]]:
        """For each kind, for each operand with a place, how it is found."""
        flat = [list(column) for kind in self._run.kinds for column in zip(*kind.offsets, strict=True)]
        found = iter(self._table.add_all(flat))
        return [[next(found) for _ in kind.offsets[0]] for kind in self._run.kinds]

    def _case(self, kind: Kind, columns: Sequence[Column], turn: SSAValue, entries: SSAValue | None) -> Block:
        block = Block()
        builder = Builder(InsertPoint.at_end(block))
        rest: Iterator[Column] = iter(columns)
        operands = [
            operand if place is None else self._varying(builder, place, next(rest), turn, entries, operand)
            for operand, place in zip(kind.call.operands, kind.places, strict=True)
        ]
        call = func.CallOp(kind.call.callee.string_value(), operands, [])
        call.attributes |= kind.call.attributes
        nn_keys.ROW.remove(call.attributes)
        positions = [self._run.first + n for n, (number, _) in enumerate(self._run.order) if number == kind.number]
        nn_keys.POSITIONS.put(call.attributes, positions)
        if (origin := nn_keys.ORIGIN.get(call.attributes)) is not None:
            nn_keys.COMMENT.put(call.attributes, f"{origin.opcode.data} {origin.index.data}")
        builder.insert(call)
        builder.insert(scf.YieldOp())
        return block

    def _comment(self) -> str:
        """Comment on the loop, for readers of the C."""
        last = self._run.first + len(self._run.order) - 1
        text = (
            f"Positions {self._run.first} to {last}, row by row: {ORDER} says which call is next, {TURNS} how often it"
        )
        text += " came before"
        return f"{text}, {PLACES} where rows lie that lie irregularly." if self._table.entries else f"{text}."

    def _varying(
        self,
        builder: Builder,
        place: Varying,
        column: Column,
        turn: SSAValue,
        entries: SSAValue | None,
        operand: SSAValue,
    ) -> SSAValue:
        if self._stages is not None and isinstance(place, Place) and place.root is self._stages.row:
            return reshaped(builder, place.root, place.type)
        at = _along(builder, column, turn)
        if not isinstance(column, Affine):
            assert entries is not None, "columns that are in no table are affine"
            at = self._loaded(builder, entries, at)
        if isinstance(place, Number):
            return at
        view = memref.ViewOp(self._bytes(place), at, [], place.type)
        view.result.name_hint = operand.name_hint
        return builder.insert(view).result

    def _bytes(self, place: Place) -> SSAValue:
        """All bytes of what the function is given, in one dimension."""
        type = place.root.type
        assert isinstance(type, MemRefType), "places lie in memrefs"
        if len(type.get_shape()) == 1 and type.element_type == i8:
            return place.root
        if place.root not in self._roots:
            self._roots[place.root] = flat_bytes(self._builder, place.root)
        return self._roots[place.root]

    def _index(self, number: int) -> SSAValue:
        return self._builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result

    def _get(self, name: str, numbers: Sequence[int]) -> SSAValue:
        """A new constant, of the narrowest unsigned numbers that hold these."""
        bits = next(bits for bits in (8, 16, 32) if max(numbers) < 1 << bits)
        element = IntegerType(bits)
        data = b"".join(number.to_bytes(bits // 8, "little") for number in numbers)
        values = DenseIntOrFPElementsAttr(TensorType(element, [len(numbers)]), BytesAttr(data))
        taken = (
            symbol.data for op in self._module.ops if isinstance(symbol := op.properties.get("sym_name"), StringAttr)
        )
        type = MemRefType(element, [len(numbers)])
        unique = UniqueNames(taken).fresh(name)
        made = memref.GlobalOp.get(StringAttr(unique), type, values, StringAttr("private"), UnitAttr())
        made.attributes |= nn_keys.TABLE.item(True) | nn_keys.OWN.item(True)
        Rewriter.insert_op(made, InsertPoint.before(self._entry))
        get = memref.GetGlobalOp(unique, type)
        get.memref.name_hint = name
        return self._builder.insert(get).memref

    @staticmethod
    def _loaded(builder: Builder, table: SSAValue, at: SSAValue) -> SSAValue:
        assert isinstance(table.type, MemRefType), "tables are memrefs"
        value: Operation = builder.insert(memref.LoadOp.get(table, [at]))
        if table.type.element_type != i32:
            value = builder.insert(arith.ExtUIOp(value.results[0], i32))
        return builder.insert(arith.IndexCastOp(value.results[0], IndexType())).result


def _along(builder: Builder, column: Column, turn: SSAValue) -> SSAValue:
    def constant(number: int) -> SSAValue:
        return builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result

    if not column.step:
        return constant(column.begin)
    far = turn if column.step == 1 else builder.insert(arith.MuliOp(turn, constant(column.step))).result
    return far if not column.begin else builder.insert(arith.AddiOp(constant(column.begin), far)).result
