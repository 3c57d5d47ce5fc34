"""Costs of functions in several copies of one module: those that are alike are weighed once.

Most variants give a function the schedules that another one gives it, and lowering is most of what weighing takes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....lowering.schedule.cost.growth import FunctionCost, costs_of
from ....machines.cpus import Cpu


@dataclass
class Weighed:
    """Knowledge of the functions of a module whose copies differ in forms and schedules alone."""

    cpu: Cpu
    _known: dict[str, list[tuple[func.FuncOp, FunctionCost]]] = field(default_factory=lambda: {})
    """By name: each way that was met, and its cost."""

    def costs(self, module: ModuleOp) -> dict[str, FunctionCost]:
        """Return the costs of the called functions of a copy; the copy is consumed."""
        functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
        found = {op.sym_name.data: cost for op in functions if (cost := self._cost(op)) is not None}
        new = [op.clone() for op in functions if op.sym_name.data not in found]
        empty([op for op in functions if op.sym_name.data in found])
        costs = costs_of(module, self.cpu)
        for op in new:
            name = op.sym_name.data
            if name in costs:
                self._known.setdefault(name, []).append((op, costs[name]))
        return {name: found.get(name, cost) for name, cost in costs.items()}

    def _cost(self, function: func.FuncOp) -> FunctionCost | None:
        ways = self._known.get(function.sym_name.data, ())
        return next((cost for other, cost in ways if function.is_structurally_equivalent(other)), None)


def empty(functions: Collection[func.FuncOp]) -> None:
    """Take away what is not lowered again."""
    for nest in [op for function in functions for op in all_of(function, NestOp)]:
        nest.detach()
        nest.erase()
