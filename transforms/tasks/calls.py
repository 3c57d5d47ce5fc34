"""Functions of a module, with their calls and the constants that they read or are passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.operations import all_of
from ..usmp.analysis.structure import functions


def constant_ops(value: SSAValue) -> list[Operation]:
    """The operations that make a constant of what is passed: perhaps a view, and the read of the constant."""
    match value.owner:
        case memref.GetGlobalOp() as get:
            return [get]
        case memref.ReinterpretCastOp() as view if rest := constant_ops(view.source):
            return [view, *rest]
        case _:
            return []


def _passed(calls: Sequence[func.CallOp]) -> set[str]:
    """Names of the constants that are passed."""
    ops = [op for call in calls for value in call.arguments for op in constant_ops(value)]
    return {op.name_.string_value() for op in ops if isinstance(op, memref.GetGlobalOp)}


@dataclass(frozen=True)
class Calls:
    """Functions of a module, with their calls and constants."""

    module: ModuleOp
    functions: Mapping[str, func.FuncOp]
    calls: Mapping[str, Sequence[func.CallOp]]
    """By name, in order."""

    @staticmethod
    def of(module: ModuleOp) -> Calls:
        calls: dict[str, list[func.CallOp]] = {}
        for call in all_of(module, func.CallOp):
            calls.setdefault(call.callee.string_value(), []).append(call)
        return Calls(module, functions(module), calls)

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

    @property
    def shared(self) -> set[str]:
        """Names of the constants that several functions read."""
        readers = Counter(name for names in self.constants_of.values() for name in names)
        return {name for name, count in readers.items() if count > 1}

    def shares(self, name: str) -> bool:
        """Whether another function reads one of its constants."""
        return not self.constants_of[name].isdisjoint(self.shared)

    def drop(self, names: Collection[str]) -> None:
        """Remove those of constants that nothing reads any more."""
        read = {op.name_.string_value() for op in all_of(self.module, memref.GetGlobalOp)}
        for op in self.globals_of(names):
            if op.sym_name.data not in read:
                Rewriter.erase_op(op)
