"""The entry function as operators and tensors, and what each operator needs to do its next step.

An operator's step makes one row of its result, takes one row of what it folds, or is all that it does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DictionaryAttr, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import nn_keys
from ...dialects.accesses import VIEWS, storage
from ...dialects.operations import operations
from ...dialects.pool import keys
from ...dialects.pool.extent import element_bytes
from ...dialects.pool.kinds import BufferKind
from ..usmp.analysis.held import held_bytes
from ..usmp.analysis.structure import functions
from ..usmp.analysis.uses import Writers, is_whole, uses_through_views
from .by_row import ByRow, NotByRows
from .folding import Folding
from .layout import RowLayout
from .looping import Looping
from .numbers import Tables, constants_of, tables_of
from .slices import can_be_sliced
from .sliding import Sliding

_SILENT = (*VIEWS, memref.AllocOp, memref.GetGlobalOp, arith.ConstantOp, func.ReturnOp)
"""Operations that do nothing at run time."""

Row = tuple[SSAValue, int]
"""A row of a tensor."""


@dataclass
class Tensor:
    """A buffer of the entry function, or what the function is given."""

    value: SSAValue
    layout: RowLayout
    element: int
    """Bytes."""
    is_given: bool
    """Whether it is there before the run: an input."""
    is_kept: bool
    """Whether it is there after the run: an output."""
    is_streamed: bool = False
    """Whether the application hands it over row by row, so that it takes no bytes."""
    is_outside: bool = False
    """Whether no order changes what workspace pools have of it: memory of the caller, state, or an input of two slots.
    """
    is_apart: bool = True
    """Whether each row is a buffer of its own; else the tensor is one buffer."""

    @property
    def row_bytes(self) -> int:
        """Bytes of one row."""
        return self.layout.elements * self.element

    @property
    def takes_bytes(self) -> bool:
        """Whether pools have it."""
        return not self.is_streamed and not self.is_outside


@dataclass
class Operator:
    """One operation of the entry function."""

    op: Operation
    steps: int = 1
    sliding: ByRow | None = None
    folding: Folding | None = None
    reads: Sequence[SSAValue] = ()
    """Tensors that it reads."""
    writes: Sequence[SSAValue] = ()
    """Tensors that it writes."""
    is_barrier: bool = False
    """Whether all before it must be done, and nothing after it begun: it may write what others wrote or read."""
    moves: bool = False
    """Whether it only moves what nothing else reads: that may lie where it is moved to from the start."""
    scratch: int = 0
    """Bytes that it holds from its first step to its last."""
    within: int = 0
    """Bytes that it holds during each step, such as words that its kernel copies."""
    needs: list[list[Row]] = field(default_factory=lambda: [])
    """For each step the rows that it reads."""
    makes: list[list[Row]] = field(default_factory=lambda: [])
    """For each step the rows that it completes."""

    @property
    def band(self) -> int | None:
        """Which part of a tensor it helps to compute, where one is computed in parts."""
        return nn_keys.BAND.get(self.op.attributes)


@dataclass(frozen=True)
class Network:
    """The operators of an entry function in order, and their tensors."""

    entry: func.FuncOp
    tensors: Mapping[SSAValue, Tensor]
    operators: Sequence[Operator]

    @staticmethod
    def of(module: ModuleOp, entry: func.FuncOp) -> Network:
        """Read an entry function."""
        return _Reader(module, entry).read()

    @property
    def takes_rows(self) -> bool:
        """Whether an input comes row by row."""
        return any(tensor.is_streamed for tensor in self.tensors.values())

    def with_whole(self, numbers: Iterable[int]) -> Network:
        """The network with some operators that do all at once; what takes rows of the application never does."""
        chosen = {n for n in numbers if not any(self.tensors[t].is_streamed for t in self.operators[n].reads)}
        operators = [
            replace(o, sliding=None, folding=None, steps=1, scratch=0, needs=[], makes=[])
            if n in chosen
            else replace(o)
            for n, o in enumerate(self.operators)
        ]
        return _settled(self.entry, {v: replace(t) for v, t in self.tensors.items()}, operators)


def is_straight(entry: func.FuncOp) -> bool:
    """Whether the operations of a function communicate through buffers alone, so that their order can change."""
    return all(isinstance(op, _SILENT) or not op.results for op in entry.body.block.ops) and any(
        isinstance(op, func.CallOp) for op in entry.body.block.ops
    )


class _Reader:
    def __init__(self, module: ModuleOp, entry: func.FuncOp):
        self._entry = entry
        self._constants = constants_of(module)
        self._functions = functions(module)
        self._writers = Writers(module)
        self._tensors: dict[SSAValue, Tensor] = {}
        self._known: dict[Hashable, ByRow | Folding | None] = {}
        self._held: dict[str, int] = {}

    def read(self) -> Network:
        block = self._entry.body.block
        given = self._entry.arg_attrs or [DictionaryAttr({})] * len(block.args)
        streamed = {a for a, each in zip(block.args, given, strict=True) if keys.STREAMED.within(each.data)}
        outside = {a for a, each in zip(block.args, given, strict=True) if _is_outside(each)} - streamed
        unchanged = {a for a, each in zip(block.args, given, strict=True) if keys.KEEP.within(each.data)}
        for value in _buffers(block):
            self._add(value, is_streamed=value in streamed, is_outside=value in outside, stays=value in unchanged)
        self._share_layouts(block)
        self._place_pieces(block)
        operators = [self._operator(op) for op in block.ops if not isinstance(op, _SILENT)]
        _barriers(self._tensors, operators)
        return _settled(self._entry, self._tensors, operators)

    def _add(self, value: SSAValue, *, is_streamed: bool, is_outside: bool, stays: bool) -> None:
        type = value.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        layout = _layout(value)
        is_caller = not isinstance(value.owner, memref.AllocOp)
        written = self._writers.is_written(value)
        element = element_bytes(type)
        self._tensors[value] = Tensor(
            value,
            layout or RowLayout(1, type.element_count()),
            element,
            is_caller and not written,
            is_caller and (written or stays),
            is_streamed,
            is_outside or _is_state(value),
        )

    def _share_layouts(self, block: Block) -> None:
        """Let results have the rows of operands with as many elements, if these are longer: a list of vectors that is
        made of an image comes as the rows of that.
        """
        for call in block.ops:
            if not isinstance(call, func.CallOp):
                continue
            used = dict.fromkeys(storage(operand) for operand in call.operands if isinstance(operand.type, MemRefType))
            tensors = [self._tensors[value] for value in used if value in self._tensors]
            for result in tensors:
                if not isinstance(result.value.owner, memref.AllocOp) or result.value not in self._written(call):
                    continue
                count = result.layout.rows * result.layout.elements
                for other in tensors:
                    rows, elements = other.layout.rows, other.layout.elements
                    is_longer = 1 < rows < result.layout.rows and result.layout.rows % rows == 0
                    if other is not result and is_longer and rows * elements == count:
                        result.layout = RowLayout(rows, elements)

    def _place_pieces(self, block: Block) -> None:
        """Place values that are moved to memory of the caller alone there from the start."""
        for call in block.ops:
            if not isinstance(call, func.CallOp) or not keys.PARTS.within(call.attributes):
                continue
            written = self._written(call)
            if not all(self._tensors[value].is_outside for value in written if value in self._tensors):
                continue
            for value in {storage(operand) for operand in call.operands} - written:
                if self._is_moved(value, call):
                    self._tensors[value].is_outside = True

    def _is_moved(self, value: SSAValue, call: func.CallOp) -> bool:
        """Whether a call is all that reads a buffer."""
        readers = {use.operation for use in uses_through_views(value) if not self._writers.is_write(use)}
        return isinstance(value.owner, memref.AllocOp) and not _is_state(value) and readers == {call}

    def _written(self, call: func.CallOp) -> set[SSAValue]:
        """The tensors that a call writes."""
        return {
            storage(call.operands[use.index])
            for operand in call.operands
            for use in operand.uses
            if use.operation is call and isinstance(operand.type, MemRefType) and self._writers.is_write(use)
        }

    def _operator(self, op: Operation) -> Operator:
        used = [
            operand for inner in operations(op) for operand in inner.operands if isinstance(operand.type, MemRefType)
        ]
        tensors = list(dict.fromkeys(root for value in used if (root := storage(value)) in self._tensors))
        made = Operator(op)
        if isinstance(op, func.CallOp):
            made.within = self._within(op)
            by_rows = self._by_rows(op)
            made.sliding = by_rows if isinstance(by_rows, ByRow) else None
            made.folding = by_rows if isinstance(by_rows, Folding) else None
            written = self._written(op)
        else:
            written = set(tensors)
        if isinstance(op, func.CallOp) and keys.PARTS.within(op.attributes):
            made.moves = all(t in written or self._is_moved(t, op) for t in tensors)
        made.writes = [tensor for tensor in tensors if tensor in written]
        made.reads = [tensor for tensor in tensors if tensor not in written or not isinstance(op, func.CallOp)]
        return made

    def _within(self, call: func.CallOp) -> int:
        foreseen, name = keys.SCRATCH.get(call.attributes), call.callee.string_value()
        if foreseen is not None or (function := self._functions.get(name)) is None or function.is_declaration:
            return foreseen or 0
        if name not in self._held:
            self._held[name] = held_bytes(function)
        return self._held[name]

    def _by_rows(self, call: func.CallOp) -> ByRow | Folding | None:
        function = self._functions.get(call.callee.string_value())
        if function is None or function.is_declaration:
            return None
        layouts = tuple(
            tensor.layout if (tensor := self._tensors.get(storage(operand))) is not None else None
            for operand in call.operands
        )
        if any(storage(o) in self._tensors and not is_whole(o) for o in call.operands):
            return None
        tables = tables_of(self._constants, call)
        # Other weights make no difference, but which rows are read may stand in small tables.
        key = function.sym_name.data, layouts, tuple((n, t.tobytes()) for n, t in tables.items() if t.ndim == 1)
        if key not in self._known:
            self._known[key] = _read(function, layouts, tables)
        found = self._known[key]
        sliced = [call.operands[n] for n in found.sliced] if isinstance(found, Folding) else []
        return found if all(can_be_sliced(self._constants, operand) for operand in sliced) else None


def _settled(entry: func.FuncOp, tensors: Mapping[SSAValue, Tensor], operators: Sequence[Operator]) -> Network:
    _settle(tensors, operators)
    for operator in operators:
        # Those of another network stay: what steps need does not depend on which tensors are apart.
        if not operator.needs:
            _steps(tensors, operator)
    return Network(entry, tensors, operators)


def _settle(tensors: Mapping[SSAValue, Tensor], operators: Sequence[Operator]) -> None:
    """Decide which tensors are apart; an operator that needs a tensor whole does all at once."""
    for operator in operators:
        if operator.is_barrier:
            operator.sliding = operator.folding = None
    made = {value: operator.band for operator in operators for value in operator.writes}
    handed = {
        value
        for operator in operators
        for value in operator.reads
        if None not in (operator.band, made.get(value)) and made[value] != operator.band
    }
    for tensor in tensors.values():
        # The application sees inputs and outputs as one, and state outlives the run.
        is_own = isinstance(tensor.value.owner, memref.AllocOp) and not _is_state(tensor.value)
        # What one band hands over to others is there for long, and all of it most of the time.
        tensor.is_apart = tensor.layout.rows > 1 and is_own and tensor.value not in handed
    for operator in operators:
        taken = _taken(operator)
        for value in (*operator.reads, *operator.writes):
            if value not in taken:
                tensors[value].is_apart = False


def _barriers(tensors: Mapping[SSAValue, Tensor], operators: Sequence[Operator]) -> None:
    """Find operators whose order matters beyond one writing and the others reading it later."""
    written: dict[SSAValue, int] = {}
    for operator in operators:
        for value in operator.writes:
            written[value] = written.get(value, 0) + 1
    seen = {value for value, tensor in tensors.items() if tensor.is_given and value not in written}
    unordered = {value for value, count in written.items() if count > 1}
    for operator in operators:
        unordered |= {value for value in operator.reads if value not in seen}
        seen |= {*operator.writes}
    for operator in operators:
        operator.is_barrier = bool(unordered & {*operator.reads, *operator.writes})


def _steps(tensors: Mapping[SSAValue, Tensor], operator: Operator) -> None:
    op = operator.op
    if operator.sliding is not None:
        assert isinstance(op, func.CallOp), "functions are called"
        operator.steps = operator.sliding.rows
        for row in range(operator.steps):
            parts = operator.sliding.parts(row)
            needs = [
                (value, r)
                for a, rows in parts.items()
                for r in rows
                if 0 <= r < tensors[value := storage(op.operands[a])].layout.rows
            ]
            taken = {storage(op.operands[a]) for a in operator.sliding.taken | operator.sliding.results}
            whole = [t for t in operator.reads if t not in taken]
            operator.needs.append([*dict.fromkeys(needs), *_all(tensors, whole)])
            operator.makes.append([(storage(op.operands[a]), row) for a in sorted(operator.sliding.results)])
    elif operator.folding is not None:
        assert isinstance(op, func.CallOp), "functions are called"
        operator.steps = operator.folding.rows
        source = storage(op.operands[operator.folding.argument])
        others = _all(tensors, [t for t in operator.reads if t is not source])
        operator.needs = [[(source, row), *others] for row in range(operator.steps)]
        operator.makes = [[] for _ in range(operator.steps - 1)] + [_all(tensors, operator.writes)]
        operator.scratch = sum(type.element_count() * element_bytes(type) for type in operator.folding.accumulators())
    else:
        operator.needs, operator.makes = [_all(tensors, operator.reads)], [_all(tensors, operator.writes)]


def _all(tensors: Mapping[SSAValue, Tensor], values: Sequence[SSAValue]) -> list[Row]:
    return [(value, row) for value in values for row in range(tensors[value].layout.rows)]


def _read(function: func.FuncOp, layouts: Sequence[RowLayout | None], tables: Tables) -> ByRow | Folding | None:
    readers = (
        lambda: Sliding.of(function, layouts),
        lambda: Folding.of(function, layouts),
        lambda: Looping.of(function, layouts, tables),
    )
    for read in readers:
        try:
            return read()
        except NotByRows:
            continue
    return None


def _taken(operator: Operator) -> set[SSAValue]:
    """The tensors that an operator reads or writes row by row."""
    op = operator.op
    if operator.sliding is not None:
        arguments = operator.sliding.taken | operator.sliding.results
    elif operator.folding is not None:
        arguments = {operator.folding.argument}
    else:
        return set()
    return {storage(op.operands[argument]) for argument in arguments}


def _is_outside(argument: DictionaryAttr) -> bool:
    is_io = keys.IO.within(argument.data)
    return not is_io or keys.CALLERS.within(argument.data) or keys.SLOTS.within(argument.data)


def _is_state(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, memref.AllocOp) and keys.KIND.get(owner.attributes) is BufferKind.STATE


def _layout(value: SSAValue) -> RowLayout | None:
    """The rows of a buffer, or of what it is seen as where its own shape has none: images may come as vectors."""
    assert isinstance(value.type, MemRefType), "buffers are memrefs"
    own = RowLayout.of(value.type)
    if own is None or own.rows > 1:
        return own
    views = [use.operation.results[0] for use in value.uses if isinstance(use.operation, VIEWS)]
    seen = (RowLayout.of(view.type) for view in views if isinstance(view.type, MemRefType) and is_whole(view))
    return next((layout for layout in seen if layout is not None and layout.rows > 1), own)


def _buffers(block: Block) -> Iterator[SSAValue]:
    yield from (argument for argument in block.args if isinstance(argument.type, MemRefType))
    yield from (op.memref for op in block.ops if isinstance(op, memref.AllocOp))
