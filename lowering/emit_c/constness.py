"""Which memrefs are written, so that the pointers to all others can be `const`.

Memrefs that may share elements (views, loop-carried memrefs, both sides of a select) form classes; a store marks its
class. A call marks the classes of the arguments that its callee writes, through any number of calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.accesses import VIEWS, accesses
from ...dialects.operations import operations

_VIEWS = (*VIEWS, memref.AssumeAlignmentOp)


class Writes:
    """Answers `is_written` for every memref of a module."""

    def __init__(self, module: ModuleOp):
        self._parent: dict[SSAValue, SSAValue] = {}
        self._written: set[SSAValue] = set()
        self._functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        calls: list[func.CallOp] = []
        for function in self._functions.values():
            for op in operations(function):
                if isinstance(op, func.CallOp):
                    calls.append(op)
                else:
                    self._visit(op)
        self._propagate(calls)

    def is_written(self, value: SSAValue) -> bool:
        """True if an element of the memref may be written while the function runs."""
        return self._root(value) in self._written

    def _visit(self, op: Operation) -> None:
        match op:
            case _ if isinstance(op, _VIEWS):
                self._join(op.operands[0], op.results[0])
            case arith.SelectOp():
                self._join_all(op.lhs, op.rhs, op.result)
            case scf.ForOp():
                body = op.body.block
                for values in zip(op.iter_args, body.args[1:], _yielded(body.last_op), op.res, strict=True):
                    self._join_all(*values)
            case scf.WhileOp():
                self._visit_while(op)
            case scf.IfOp() | scf.IndexSwitchOp():
                for region in op.regions:
                    if region.blocks and op.results:
                        for values in zip(_yielded(region.block.last_op), op.results, strict=True):
                            self._join_all(*values)
            case scf.YieldOp() | scf.ConditionOp() | func.FuncOp():
                pass
            case func.ReturnOp():
                # The caller may write to what it is given.
                self._mark(op.operands)
            case _ if any(isinstance(result.type, MemRefType) for result in op.results):
                # What the results share with the operands is not known here.
                self._mark(op.operands)
            case _:
                self._mark(access.memref for access in accesses(op) if access.is_write)

    def _visit_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        for values in zip(op.arguments, before.args, _yielded(after.last_op), strict=True):
            self._join_all(*values)
        condition = before.last_op
        assert isinstance(condition, scf.ConditionOp), "the first region of scf.while ends in scf.condition"
        for values in zip(condition.args, after.args, op.res, strict=True):
            self._join_all(*values)

    def _propagate(self, calls: Sequence[func.CallOp]) -> None:
        """Repeat over the calls until nothing changes: as often as calls are nested, at most."""
        for call in calls:
            self._mark(call.results)
        before = -1
        while before != len(self._written):
            before = len(self._written)
            for call in calls:
                callee = self._functions.get(call.callee.string_value())
                if callee is None or not callee.body.blocks:
                    self._mark(call.arguments)
                    continue
                for argument, parameter in zip(call.arguments, callee.body.block.args, strict=True):
                    if self.is_written(parameter):
                        self._mark([argument])

    def _mark(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if isinstance(value.type, MemRefType):
                self._written.add(self._root(value))

    def _join_all(self, first: SSAValue, *others: SSAValue) -> None:
        for other in others:
            self._join(first, other)

    def _join(self, first: SSAValue, second: SSAValue) -> None:
        if not isinstance(first.type, MemRefType):
            return
        first, second = self._root(first), self._root(second)
        if first is second:
            return
        self._parent[second] = first
        if second in self._written:
            self._written.discard(second)
            self._written.add(first)

    def _root(self, value: SSAValue) -> SSAValue:
        root = value
        while (parent := self._parent.get(root)) is not None:
            root = parent
        while value is not root:
            self._parent[value], value = root, self._parent[value]
        return root


def _yielded(terminator: Operation | None) -> Sequence[SSAValue]:
    assert isinstance(terminator, scf.YieldOp), "a region of scf ends in scf.yield"
    return terminator.arguments
