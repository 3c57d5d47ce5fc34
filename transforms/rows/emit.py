"""The order of steps as a straight line of calls on rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    i8,
)
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...dialects.accesses import VIEWS, storage
from ...dialects.fingerprint import fingerprint
from ...dialects.operations import all_of
from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from ...targets.identifiers import UniqueNames
from ..byte_views import drop_unused, flat_bytes, made_of_bytes, reshaped, view_at
from .by_row import ByRow
from .fill import FillRows
from .layout import RowLayout
from .network import Network, Operator, Tensor
from .run import Step
from .slices import Slices


class RowFunctions:
    """The functions that steps call, those that are alike made once."""

    def __init__(self, module: ModuleOp):
        self._names = UniqueNames(
            (name.data for op in module.ops if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)), first=0
        )
        self._made: dict[Hashable, str] = {}

    def name_of(self, function: func.FuncOp, original: func.FuncOp) -> str:
        """The name of a function of one row, which is put behind the one it is made from."""
        stem = original.sym_name.data
        function.sym_name = StringAttr("row")
        key = fingerprint(function)
        if key not in self._made:
            function.sym_name = StringAttr(self._names.numbered(f"{stem}_row"))
            if (comment := nn_keys.COMMENT.get(function.attributes)) is not None:
                # Shapes and products in it are those of the whole operator.
                nn_keys.COMMENT.put(function.attributes, f"a row of {comment}")
            Rewriter.insert_op(function, InsertPoint.before(original))
            self._made[key] = function.sym_name.data
        return self._made[key]


@dataclass
class _Rows:
    """The memrefs of a tensor's rows."""

    tensor: Tensor
    made: dict[int, SSAValue] = field(default_factory=lambda: {})
    """Buffers of their own."""
    bytes_: SSAValue | None = None
    """All of the tensor's bytes, where it is one buffer."""
    views: dict[tuple[int, Attribute], SSAValue] = field(default_factory=lambda: {})


class Emitter:
    """Rewrites one entry function."""

    def __init__(self, module: ModuleOp, network: Network, row_functions: RowFunctions):
        self._network = network
        self._row_functions = row_functions
        self._block = network.entry.body.block
        ending = self._block.last_op
        assert ending is not None, "a function's body ends with a return"
        self._builder = Builder(InsertPoint.before(ending))
        slides = [(operator, operator.sliding) for operator in network.operators if operator.sliding is not None]
        self._fill = FillRows(
            module,
            (
                (element, network.tensors[storage(operator.op.operands[argument])].layout.elements)
                for operator, sliding in slides
                for argument, element in sliding.filled.items()
            ),
        )
        self._slices = Slices(module)
        self._rows = {value: _Rows(tensor) for value, tensor in network.tensors.items()}
        self._held: dict[int, list[SSAValue]] = {}
        self._known: dict[Hashable, tuple[str, Sequence[Attribute]]] = {}
        """Functions by what tells rows apart: of hundreds of rows few are made in different ways."""
        self._roots = {o.op: [storage(operand) for operand in o.op.operands] for o in network.operators}
        """The tensor that each operand is, or was before its buffer was made anew."""

    def emit(self, steps: Sequence[Step]) -> None:
        """Write the steps in this order."""
        self._gather_setup()
        old = [operator.op for operator in self._network.operators]
        for number, step in steps:
            operator = self._network.operators[number]
            if operator.sliding is not None:
                self._slide(operator, step)
            elif operator.folding is not None:
                self._fold(number, operator, step)
            else:
                operator.op.detach()
                self._builder.insert(operator.op)
        for op, operator in zip(old, self._network.operators, strict=True):
            if operator.sliding is not None or operator.folding is not None:
                op.detach()
                op.erase()
        self._mark_divided()
        drop_unused(self._block, memref.AllocOp, memref.GetGlobalOp, *VIEWS)

    def _mark_divided(self) -> None:
        """Say of inputs that their rows die one by one, and of outputs that theirs are born so."""
        entry = self._network.entry
        attributes = [dict(a.data) for a in entry.arg_attrs or [DictionaryAttr({})] * len(self._block.args)]
        for value, rows in self._rows.items():
            if isinstance(value, BlockArgument) and rows.bytes_ is not None:
                keys.DIVIDED.put(attributes[value.index], True)
        entry.properties["arg_attrs"] = ArrayAttr(DictionaryAttr(a) for a in attributes)

    def _gather_setup(self) -> None:
        """Constants, whole buffers and their views first, for any step may use them."""
        first = self._network.operators[0].op
        for op in list(self._block.ops):
            if isinstance(op, (arith.ConstantOp, memref.GetGlobalOp, memref.AllocOp, *VIEWS)):
                op.detach()
                self._block.insert_op_before(op, first)

    def _slide(self, operator: Operator, row: int) -> None:
        call, sliding = operator.op, operator.sliding
        assert isinstance(call, func.CallOp), "functions are called"
        assert sliding is not None, "asked before"
        parts = dict(sliding.parts(row)) | {argument: (row,) for argument in sliding.results}
        tensors = {a: self._network.tensors[self._roots[call][a]] for a in parts}
        apart = frozenset(a for a, tensor in tensors.items() if tensor.is_apart or a in sliding.single)
        name, types = self._sliding_function(sliding, {a: t.layout for a, t in tensors.items()}, apart, row)
        operands: list[SSAValue] = []
        for number, operand in enumerate(call.operands):
            for one in parts.get(number, ()) if number in apart else sorted(parts.get(number, ()))[:1]:
                rows, type = self._rows[self._roots[call][number]], types[len(operands)]
                is_there = 0 <= one < rows.tensor.layout.rows
                operands.append(
                    self._row(rows.tensor.value, one, type)
                    if is_there
                    else self._fill.row(sliding.filled[number], type, self._builder)
                )
            if number not in parts and number not in sliding.taken | sliding.dropped:
                operands.append(operand)
        operands += map(self._index, sliding.numbers(row))
        self._call(call, name, operands, row, sliding.rows)

    def _sliding_function(
        self, sliding: ByRow, layouts: Mapping[int, RowLayout], apart: frozenset[int], row: int
    ) -> tuple[str, Sequence[Attribute]]:
        """The name of the function that makes a row, and the types of its arguments."""
        kind = id(sliding), apart, sliding.kind_of(row, apart)
        if kind not in self._known:
            function = sliding.row_function(row, layouts, apart)
            types = [argument.type for argument in function.body.block.args]
            self._known[kind] = self._row_functions.name_of(function, sliding.function), types
        return self._known[kind]

    def _fold(self, number: int, operator: Operator, row: int) -> None:
        call, folding = operator.op, operator.folding
        assert isinstance(call, func.CallOp), "functions are called"
        assert folding is not None, "asked before"
        function, kept = folding.function_of(is_first=row == 0, is_last=row == folding.rows - 1)
        types = [argument.type for argument in function.body.block.args]
        name = self._row_functions.name_of(function, folding.function)
        if number not in self._held:
            self._held[number] = [self._scratch(type) for type in folding.accumulators()]
        operands: list[SSAValue] = []
        for argument in kept:
            operand = call.operands[argument]
            if argument == folding.argument:
                operand = self._row(self._roots[call][argument], row, types[len(operands)])
            elif argument in folding.sliced:
                type, along = folding.slice_type(operand.type, folding.sliced[argument]), folding.sliced[argument]
                operand = self._slices.part(self._builder, operand, type, along, row)
            operands.append(operand)
        self._call(call, name, [*operands, *self._held[number]], row, folding.rows)

    def _call(self, old: func.CallOp, name: str, operands: Sequence[SSAValue], row: int, rows: int) -> None:
        call = func.CallOp(name, operands, [])
        call.attributes |= {key: value for key, value in old.attributes.items() if key != keys.PARTS.name}
        nn_keys.ROW.put(call.attributes, row)
        if (macs := nn_keys.MACS.get(old.attributes)) is not None:
            share, rest = divmod(macs, rows)
            nn_keys.MACS.put(call.attributes, share + (rest if row == rows - 1 else 0))
        self._builder.insert(call)

    def _index(self, number: int) -> SSAValue:
        return self._builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result

    def _scratch(self, type: MemRefType) -> SSAValue:
        alloc = memref.AllocOp([], [], type)
        keys.KIND.put(alloc.attributes, BufferKind.SCRATCH)
        alloc.memref.name_hint = "accumulators"
        return self._builder.insert(alloc).memref

    def _row(self, value: SSAValue, row: int, type: Attribute) -> SSAValue:
        """A row of a tensor as a memref of a type."""
        assert isinstance(type, MemRefType), "rows are memrefs"
        rows = self._rows[value]
        if (row, type) not in rows.views:
            if rows.tensor.is_apart:
                whole = self._own(rows, row)
                rows.views[row, type] = whole if whole.type == type else reshaped(self._builder, whole, type)
            else:
                rows.views[row, type] = self._part(rows, row, type)
        return rows.views[row, type]

    def _own(self, rows: _Rows, row: int) -> SSAValue:
        """The buffer of a row that is apart."""
        if row not in rows.made:
            whole = rows.tensor.value.owner
            assert isinstance(whole, memref.AllocOp), "only buffers of the function are divided"
            alloc = memref.AllocOp([], [], rows.tensor.layout.row_type(whole.memref.type), whole.alignment)
            alloc.attributes |= whole.attributes
            keys.ROW.put(alloc.attributes, row)
            if (name := keys.NAME.get(whole.attributes)) is not None:
                keys.NAME.put(alloc.attributes, f"{name}[{row}]")
            alloc.memref.name_hint = f"{whole.memref.name_hint or 'tensor'}_{row}"
            rows.made[row] = self._builder.insert(alloc).memref
        return rows.made[row]

    def _part(self, rows: _Rows, row: int, type: MemRefType) -> SSAValue:
        """A row of a tensor that is one buffer."""
        if rows.tensor.layout.rows == 1:
            return reshaped(self._builder, rows.tensor.value, type)
        if rows.bytes_ is None:
            rows.bytes_ = self._all_bytes(rows.tensor.value)
        name = f"{rows.tensor.value.name_hint or 'tensor'}_{row}"
        return view_at(self._builder, rows.bytes_, row * rows.tensor.row_bytes, type, name)

    def _all_bytes(self, value: SSAValue) -> SSAValue:
        """A whole tensor as a vector of bytes; a buffer of other elements becomes one of bytes."""
        type, alloc = value.type, value.owner
        assert isinstance(type, MemRefType), "tensors are memrefs"
        if type.element_type == i8 or not isinstance(alloc, memref.AllocOp):
            return flat_bytes(self._builder, value)
        return made_of_bytes(alloc)


def read_constants(module: ModuleOp) -> set[str]:
    """The names of all that operations get."""
    return {op.name_.string_value() for op in all_of(module, memref.GetGlobalOp)}


def drop_unread(module: ModuleOp, candidates: Iterable[str]) -> None:
    """Remove constants that nothing reads any more, such as tables of rows."""
    unread = {*candidates} - read_constants(module)
    for op in list(module.ops):
        if isinstance(op, memref.GlobalOp) and op.sym_name.data in unread and op.sym_visibility.data == "private":
            Rewriter.erase_op(op)


def drop_uncalled(module: ModuleOp, candidates: Sequence[func.FuncOp]) -> None:
    """Remove functions that nothing calls any more."""
    called = {op.callee.string_value() for op in all_of(module, func.CallOp)}
    for function in candidates:
        visibility = function.sym_visibility
        if function.sym_name.data not in called and visibility is not None and visibility.data == "private":
            function.detach()
            function.erase()
