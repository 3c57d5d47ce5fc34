"""A lowered module in which some functions are tasks again, as they were before they had schedules.

Where another choice concerns a few functions, the others are not lowered twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.operations import all_of
from ...transforms.usmp.analysis.structure import functions


def with_tasks(lowered: ModuleOp, unscheduled: ModuleOp, names: Collection[str]) -> ModuleOp | None:
    """A copy of a lowered module in which some functions are what they were before schedules.

    Args:
        lowered: the module at level `memref`.
        unscheduled: the module at level `tasks` that became it.
        names: those of the functions.

    Returns:
        None where one of them shares a constant with other functions, for then both must be lowered together.
    """
    before = _Calls.of(unscheduled)
    if any(before.shares(name) for name in names):
        return None
    made = lowered.clone()
    after, given = _Calls.of(made), functions(unscheduled)
    for name in names:
        old = after.functions[name]
        Rewriter.insert_op(given[name].clone(), InsertPoint.before(old))
        restored, dropped = before.constants_of[name], after.constants_of[name]
        for constant in before.globals_of(restored - dropped):
            Rewriter.insert_op(constant.clone(), _place(after, before, constant.sym_name.data, old))
        mapping: dict[SSAValue, SSAValue] = {}
        for call, was in zip(after.calls[name], before.calls[name], strict=True):
            _restore(call, was, mapping)
        Rewriter.erase_op(old)
        after.drop(dropped - restored)
    return made


def _place(after: _Calls, before: _Calls, name: str, last: Operation) -> InsertPoint:
    """Where a constant stood: the C has constants in the module's order, in which others have taken the places of some.

    Args:
        after: the module in which it is missing.
        before: the one in which it is.
        name: its name.
        last: what comes after all constants.
    """
    order = {given: number for number, given in enumerate(before.globals)}

    def origin(made: str) -> int:
        """The number of the constant that another was made of, whose name begins with that of the first."""
        while made not in order and "_" in made:
            made = made.rpartition("_")[0]
        return order.get(made, len(order))

    later = (op for made, op in after.globals.items() if origin(made) > order[name])
    return InsertPoint.before(next(later, last))


def _restore(call: func.CallOp, was: func.CallOp, mapping: dict[SSAValue, SSAValue]) -> None:
    """Pass a call the constants that the same call was passed before schedules, and its buffers.

    `mapping` has what was read for calls before. Reads keep their place, for operations are what lives are counted in.
    """
    old = [op for value in call.arguments for op in reversed(_constant_ops(value))]
    buffers = iter([value for value in call.arguments if not _constant_ops(value)])
    operands = list[SSAValue]()
    for value in was.arguments:
        for op in reversed(_constant_ops(value)):
            if op.results[0] not in mapping:
                Rewriter.insert_op(op.clone(mapping), InsertPoint.before(old[0] if old else call))
        operands.append(mapping[value] if value in mapping else next(buffers))
    call.operands = operands
    for op in reversed(old):
        if op.parent is not None and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _constant_ops(value: SSAValue) -> list[Operation]:
    """The operations that make a constant of what is passed: perhaps a view, and the read of the constant."""
    match value.owner:
        case memref.GetGlobalOp() as get:
            return [get]
        case memref.ReinterpretCastOp() as view if rest := _constant_ops(view.source):
            return [view, *rest]
        case _:
            return []


def _passed(calls: Sequence[func.CallOp]) -> set[str]:
    """Names of the constants that are passed."""
    ops = [op for call in calls for value in call.arguments for op in _constant_ops(value)]
    return {op.name_.string_value() for op in ops if isinstance(op, memref.GetGlobalOp)}


@dataclass(frozen=True)
class _Calls:
    """Functions of a module, with their calls and constants."""

    module: ModuleOp
    functions: Mapping[str, func.FuncOp]
    calls: Mapping[str, Sequence[func.CallOp]]
    """By name, in order."""

    @staticmethod
    def of(module: ModuleOp) -> _Calls:
        calls: dict[str, list[func.CallOp]] = {}
        for call in all_of(module, func.CallOp):
            calls.setdefault(call.callee.string_value(), []).append(call)
        return _Calls(module, functions(module), calls)

    @cached_property
    def constants_of(self) -> Mapping[str, set[str]]:
        """Names of the constants that each called function reads or is passed."""
        found: dict[str, set[str]] = {}
        for name, calls in self.calls.items():
            gets = list(all_of(self.functions[name], memref.GetGlobalOp)) if name in self.functions else []
            found[name] = {op.name_.string_value() for op in gets} | _passed(calls)
        return found

    @property
    def globals(self) -> dict[str, memref.GlobalOp]:
        """Constants by name, in the module's order."""
        return {op.sym_name.data: op for op in self.module.ops if isinstance(op, memref.GlobalOp)}

    def globals_of(self, names: Collection[str]) -> list[memref.GlobalOp]:
        """Some constants in the module's order."""
        return [op for name, op in self.globals.items() if name in names]

    def shares(self, name: str) -> bool:
        """Whether another function reads one of its constants."""
        own = self.constants_of[name]
        return any(own & others for other, others in self.constants_of.items() if other != name)

    def drop(self, names: Collection[str]) -> None:
        """Remove those of constants that nothing reads any more."""
        read = {op.name_.string_value() for op in all_of(self.module, memref.GetGlobalOp)}
        for op in self.globals_of(names):
            if op.sym_name.data not in read:
                Rewriter.erase_op(op)
