"""How many bytes a run of the module reads from and writes to each buffer: what makes a buffer hot.

Accesses are counted where they stand, times the iterations of the loops around them, through the call graph.
Where a loop's bounds vary, the most iterations that it can have count; what an unknown operation does to a memref
counts as reading and writing all of it once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.accesses import accesses, storage
from ....dialects.pool.extent import spanned_bytes
from .index_ranges import NotUnderstood, Ranges
from .structure import element_size, entries, functions


@dataclass(frozen=True)
class Traffic:
    """Bytes read and written."""

    reads: int = 0
    writes: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.reads + other.reads, self.writes + other.writes)

    def times(self, count: int) -> Traffic:
        """The traffic of as many repetitions."""
        return Traffic(self.reads * count, self.writes * count)


ByValue = Mapping[SSAValue, Traffic]
"""Traffic of the memrefs that a function names: its arguments, its allocs, the globals it gets."""


def traffic(module: ModuleOp) -> dict[Operation, Traffic]:
    """Traffic of each alloc and each global (by its operation), for one run of every entry function."""
    globals = {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)}
    table = functions(module)
    known: dict[str, dict[SSAValue, Traffic]] = {}
    found: dict[Operation, Traffic] = {}

    def visit(name: str) -> dict[SSAValue, Traffic]:
        if name not in known:
            known[name] = {}
            known[name] = _Count(visit, table).function(table[name])
        return known[name]

    def charge(name: str, count: int) -> None:
        for value, amount in visit(name).items():
            owner = value.owner
            if isinstance(owner, memref.GetGlobalOp):
                owner = globals.get(owner.name_.string_value(), owner)
            if isinstance(owner, memref.AllocOp | memref.GlobalOp):
                found[owner] = found.get(owner, Traffic()) + amount.times(count)
        for op in table[name].walk():
            if isinstance(op, func.CallOp) and op.callee.string_value() in table:
                charge(op.callee.string_value(), count)

    for entry in entries(module):
        charge(entry.sym_name.data, 1)
    return found


class _Count:
    """Counts within one function."""

    def __init__(self, visit: Callable[[str], ByValue], table: Mapping[str, func.FuncOp]):
        self._visit = visit
        self._table = table
        self._ranges = Ranges(1)
        self._found: dict[SSAValue, Traffic] = {}

    def function(self, function: func.FuncOp) -> dict[SSAValue, Traffic]:
        """The traffic of one call."""
        if not function.is_declaration:
            self._block(function.body.block, 1)
        return self._found

    def _add(self, value: SSAValue, amount: Traffic) -> None:
        root = storage(value)
        self._found[root] = self._found.get(root, Traffic()) + amount

    def _block(self, block: Block, times: int) -> None:
        for op in block.ops:
            match op:
                case func.CallOp():
                    self._call(op, times)
                case scf.ForOp():
                    self._loop(op, times)
                case _ if op.regions:
                    for region in op.regions:
                        for inner in region.blocks:
                            self._block(inner, times)
                case _:
                    self._touch(op, times)

    def _touch(self, op: Operation, times: int) -> None:
        for access in accesses(op):
            whole = spanned_bytes(access.type) if access.indices is None else access.count * element_size(access.type)
            if whole is None:
                # Only run time knows how much of the buffer it is.
                root = storage(access.memref).type
                assert isinstance(root, MemRefType), "a memref is kept in a memref"
                whole = spanned_bytes(root) or 0
            amount = Traffic(writes=whole) if access.is_write else Traffic(reads=whole)
            self._add(access.memref, amount.times(times))

    def _call(self, op: func.CallOp, times: int) -> None:
        callee = self._table.get(op.callee.string_value())
        memrefs = [(i, operand) for i, operand in enumerate(op.operands) if isinstance(operand.type, MemRefType)]
        if callee is None or callee.is_declaration:
            self._touch(op, times)
            return
        inside = self._visit(op.callee.string_value())
        for index, operand in memrefs:
            self._add(operand, inside.get(callee.body.block.args[index], Traffic()).times(times))

    def _loop(self, loop: scf.ForOp, times: int) -> None:
        try:
            self._ranges.span(loop)
            trips = self._most_trips(loop)
        except NotUnderstood:
            # The bounds depend on data: count its body once.
            for inner in loop.body.blocks:
                self._block(inner, times)
            return
        self._block(loop.body.block, times * trips)
        self._ranges.leave()

    def _most_trips(self, loop: scf.ForOp) -> int:
        lower, upper, step = (self._ranges.value(bound) for bound in (loop.lb, loop.ub, loop.step))
        return max(0, int(-((lower.least - upper.most) // step.least).item()))
