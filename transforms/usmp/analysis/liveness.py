"""Liveness of buffers over the whole call graph: one run of an entry function, every call expanded in its place.

A buffer is live from the first operation that touches it to the last, in the time of that run. What a loop touches is
live through the whole loop. Buffers inside a called function so conflict with all that its callers keep alive, and
functions that are called several times have their buffers live several times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import VIEWS, storage
from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....dialects.pool.kinds import BufferKind
from .contract import is_kept
from .structure import callee, functions, is_operator
from .uses import dense_offset

Storage = memref.AllocOp | None
"""A planned buffer, or None for bytes that somebody else owns."""


_IDLE = frozenset[type[Operation]]((*VIEWS, memref.DeallocOp))
"""Operations that name buffers and touch none."""


@dataclass
class Life:
    """When one buffer is live."""

    ranges: list[list[int]] = field(default_factory=lambda: [])
    """First and last time of each run of the function that holds it."""
    operators: list[int] = field(default_factory=lambda: [])
    """Positions of the entry function's calls that touch it."""

    def touch(self, first: int, last: int) -> None:
        """The buffer is used from `first` to `last` in the current run."""
        current = self.ranges[-1]
        if not current:
            current[:] = [first, last]
        else:
            current[0], current[1] = min(current[0], first), max(current[1], last)


@dataclass(frozen=True)
class Handover:
    """A call in which an output may lie on an input, if the one is born and the other dies there."""

    call: func.CallOp
    output: memref.AllocOp
    input: memref.AllocOp
    below: int | None
    """Bytes that the output must begin below the input, if it can."""
    above: int | None
    """Bytes that it must begin above the input, if it can: in a call that is run backwards."""
    first: int
    last: int


@dataclass(frozen=True)
class _Leaf:
    """What a run of a function without calls does, in the time since it began."""

    duration: int
    arguments: Sequence[tuple[int, int] | None]
    """First and last use of each; None where there is none."""
    allocs: Sequence[tuple[memref.AllocOp, tuple[int, int] | None]]
    """Its own buffers, likewise."""


@dataclass(frozen=True)
class Step:
    """An operation of the entry function itself: a call, or a loop or branch with all that it does."""

    op: Operation
    first: int
    last: int


class _Walk:
    """A run, with every call expanded in its place."""

    def __init__(self, table: dict[str, func.FuncOp]):
        self._functions = table
        self._time = 0
        self._position = -1
        self._stack: list[str] = []
        self.lives: dict[memref.AllocOp, Life] = {}
        self.handovers: list[Handover] = []
        self.steps: list[Step] = []
        self.calls = 0
        """Number of calls and launches in the entry function."""
        self._touched: list[set[memref.AllocOp]] = []
        self._born: dict[memref.AllocOp, int] = {}
        """Which one each buffer is, in the order in which they are reached."""
        self._leaves: dict[str, _Leaf | None] = {}
        """Functions that were called; None for those that call others."""

    @property
    def time(self) -> int:
        """Return how much time has passed."""
        return self._time

    def inside(self, function: func.FuncOp, arguments: Mapping[SSAValue, Storage]) -> None:
        """Run a function that something calls."""
        self._stack.append("")
        self._run(function, arguments)
        self._stack.pop()

    def _run(self, function: func.FuncOp, arguments: Mapping[SSAValue, Storage]) -> None:
        name = function.sym_name.data
        if name in self._stack:
            raise PassFailedException(f"@{name} calls itself: {' -> '.join([*self._stack, name])}")
        if function.is_declaration:
            return
        self._stack.append(name)
        self._block(function.body.block, dict(arguments))
        self._stack.pop()

    def _block(self, block: Block, known: dict[SSAValue, Storage]) -> None:
        for op in block.ops:
            self._time += 1
            start = self._time
            self._operation(op, known)
            if len(self._stack) == 1 and not self._touched and self._time > start:
                self.steps.append(Step(op, start, self._time))

    def _operation(self, op: Operation, known: dict[SSAValue, Storage]) -> None:
        if isinstance(op, memref.AllocOp):
            self.begin(op)
            known[op.memref] = op
            return
        if type(op) in _IDLE:
            # Freeing is no use: a buffer's bytes are free from its last real use on.
            return
        if isinstance(op, func.CallOp):
            self._call(op, known)
            return
        if is_operator(op) and len(self._stack) == 1:
            self._position += 1
            self.calls += 1
        used = [operand for operand in op.operands if isinstance(operand.type, MemRefType)]
        if used and any(isinstance(result.type, MemRefType) for result in op.results):
            raise PassFailedException(f"{op.name} chooses or makes a memref: buffers are only followed through views")
        for operand in used:
            self._use(self._find(operand, known), self._time, self._time)
        self._regions(op, known)

    def _regions(self, op: Operation, known: dict[SSAValue, Storage]) -> None:
        if not op.regions:
            return
        if any(isinstance(result.type, MemRefType) for result in op.results):
            raise PassFailedException(f"{op.name} yields a memref: buffers must not depend on control flow")
        start = self._time
        self._touched.append(set())
        before = len(self._born)
        for region in op.regions:
            for block in region.blocks:
                self._block(block, known)
        for alloc in self._touched.pop():
            if self._born[alloc] < before:
                self._use(alloc, start, self._time)

    def _call(self, op: func.CallOp, known: dict[SSAValue, Storage]) -> None:
        if len(self._stack) == 1:
            self._position += 1
            self.calls += 1
        if any(isinstance(result.type, MemRefType) for result in op.results):
            raise PassFailedException(f"@{op.callee.string_value()} returns a memref: pass the result as an argument")
        function = callee(self._functions, op)
        start = self._time
        bound = [self._find(a, known) if isinstance(a.type, MemRefType) else None for a in op.operands]
        if function.is_declaration:
            for alloc in bound:
                self._use(alloc, start, start)
            return
        name = function.sym_name.data
        if name not in self._leaves:
            self._leaves[name] = _leaf(function)
        if (leaf := self._leaves[name]) is None:
            self._run(function, dict(zip(function.body.block.args, bound, strict=True)))
        else:
            self._repeat(leaf, bound)
        self._time += 1
        self._handovers(op, function, bound, start)

    def _repeat(self, leaf: _Leaf, bound: Sequence[Storage]) -> None:
        """Run a function of which it is known what it does."""
        for alloc, _ in leaf.allocs:
            self.begin(alloc)
        for alloc, uses in (*zip(bound, leaf.arguments, strict=True), *leaf.allocs):
            if uses is not None:
                self._use(alloc, self._time + uses[0], self._time + uses[1])
        self._time += leaf.duration

    def begin(self, alloc: memref.AllocOp) -> None:
        """A buffer begins anew."""
        self._born.setdefault(alloc, len(self._born))
        self.lives.setdefault(alloc, Life()).ranges.append([])

    def _handovers(self, op: func.CallOp, function: func.FuncOp, bound: list[Storage], start: int) -> None:
        for position, attributes in enumerate(function.arg_attrs or ()):
            leads = keys.LEAD.get(attributes.data)
            output = bound[position]
            begin = dense_offset(op.operands[position]) if leads else None
            if not leads or output is None or begin is None or bound.count(output) > 1:
                continue
            below = {lead.argument.data: lead.distance.data for lead in leads if not lead.is_above}
            # A call inside a called function, or in a loop, would have to be turned for all its runs.
            is_alone = len(self._stack) == 1 and not self._touched
            above = {lead.argument.data: lead.distance.data for lead in leads if lead.is_above and is_alone}
            inputs = dict.fromkeys(bound[argument] for argument in sorted({*below, *above}))
            for given in inputs:
                passed = [i for i, other in enumerate(bound) if other is given]
                starts = {i: dense_offset(op.operands[i]) for i in passed}
                if given is None or given is output or None in starts.values():
                    continue
                # Distances are those of the arguments, which may be parts of their buffers.
                apart = {i: begin - own for i, own in starts.items() if own is not None}
                below_all = _largest({i: max(0, d + apart[i]) for i, d in below.items() if i in apart}, passed)
                above_all = _largest({i: max(0, d - apart[i]) for i, d in above.items() if i in apart}, passed)
                self.handovers.append(Handover(op, output, given, below_all, above_all, start, self._time))

    def _find(self, value: SSAValue, known: dict[SSAValue, Storage]) -> Storage:
        root = storage(value)
        if isinstance(root.owner, memref.GetGlobalOp):
            return None
        return known.get(root)

    def _use(self, alloc: Storage, first: int, last: int) -> None:
        if alloc is None:
            return
        life = self.lives[alloc]
        life.touch(first, last)
        life.operators.append(max(0, self._position))
        for touched in self._touched:
            touched.add(alloc)


class Liveness(_Walk):
    """The lives of all buffers reached from one entry function."""

    def __init__(self, module: ModuleOp, entry: func.FuncOp):
        super().__init__(functions(module))
        self._run(entry, {})
        self._time += 1
        for alloc, life in self.lives.items():
            kind = keys.KIND.get(alloc.attributes)
            if kind in (BufferKind.INPUT, BufferKind.STATE):
                life.ranges[-1][:] = [0, (life.ranges[-1] or [0, 0])[1]]
                life.operators.append(0)
            if kind in (BufferKind.OUTPUT, BufferKind.STATE) or is_kept(alloc):
                life.ranges[-1][:] = [(life.ranges[-1] or [self._time])[0], self._time]
                life.operators.append(max(0, self.calls - 1))

    @property
    def end(self) -> int:
        """A time after everything."""
        return self._time + 1

    def handed_over(self) -> list[Handover]:
        """Handovers whose input really dies where the output is born."""
        return [h for h in self.handovers if self._is_born(h) and self._dies(h)]

    def _is_born(self, h: Handover) -> bool:
        ranges = self.lives[h.output].ranges
        return len(ranges) == 1 and ranges[0][0] >= h.first

    def _dies(self, h: Handover) -> bool:
        ranges = self.lives[h.input].ranges
        return len(ranges) == 1 and ranges[0][1] <= h.last


def _largest(distances: Mapping[int, int], arguments: Sequence[int]) -> int | None:
    """The distance that suits all these arguments, None if there is none for one of them."""
    known = [distances[argument] for argument in arguments if argument in distances]
    return max(known) if len(known) == len(arguments) else None


def is_state(alloc: memref.AllocOp) -> bool:
    """Whether the buffer's bytes must stay from one run to the next."""
    return keys.KIND.get(alloc.attributes) is BufferKind.STATE


def _leaf(function: func.FuncOp) -> _Leaf | None:
    """What a run of a function does if it calls no other."""
    if function.is_declaration or all_of(function, func.CallOp):
        return None
    walk = _Walk({})
    arguments = function.body.block.args
    stand_ins: dict[SSAValue, Storage] = {
        a: memref.AllocOp([], [], a.type) if isinstance(a.type, MemRefType) else None for a in arguments
    }
    for alloc in stand_ins.values():
        if alloc is not None:
            walk.begin(alloc)
    walk.inside(function, stand_ins)
    uses = {a: (life.ranges[0][0], life.ranges[0][1]) if life.ranges[0] else None for a, life in walk.lives.items()}
    own = [(alloc, use) for alloc, use in uses.items() if alloc not in stand_ins.values()]
    of_arguments = [None if (alloc := stand_ins[a]) is None else uses[alloc] for a in arguments]
    return _Leaf(walk.time, of_arguments, own)
