"""Costs of functions in one run of the network: tasks are made into loops, and these are weighed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....lowering.scaling import ScaleSumsPass
from ....lowering.schedule.cost.counts import estimate
from ....lowering.tasks import LowerTasksPass
from ....machines.cpus import Cpu
from ...usmp.analysis.held import bytes_of, held_bytes
from ..calls import Calls


@dataclass(frozen=True)
class FunctionCost:
    """Cost of a function in one run of the network."""

    instructions: float
    """Instructions of all calls."""
    code: float
    """Bytes."""
    constants: int
    """Bytes of the constants that calls pass to it or that it reads."""
    scratch: int = 0
    """Bytes of memory that it has for itself while it runs."""

    def flash_beyond(self, other: FunctionCost) -> float:
        """Bytes of code and constants that it has more than another."""
        return self.code - other.code + self.constants - other.constants


def costs_of(module: ModuleOp, cpu: Cpu, names: Collection[str] | None = None) -> dict[str, FunctionCost]:
    """Return the costs of the functions of a module of tasks that are called; the module is consumed.

    Those are asked about that `names` has; all if it is None.
    """
    for one in (ScaleSumsPass(), LowerTasksPass()):
        one.apply(Context(), module)
    calls = Calls.of(module)
    sizes = {name: bytes_of(op.type) for name, op in calls.globals.items()}
    found: dict[str, FunctionCost] = {}
    for name, function in calls.functions.items():
        if function.is_declaration or name not in calls.calls or (names is not None and name not in names):
            continue
        passed = [value.owner for call in calls.calls[name] for value in call.arguments]
        gets = [*all_of(function, memref.GetGlobalOp), *(get for get in passed if isinstance(get, memref.GetGlobalOp))]
        constants = sum(sizes[one] for one in {get.name_.string_value() for get in gets})
        one, times = estimate(function, cpu), len(calls.calls[name])
        found[name] = FunctionCost(one.instructions * times, one.code, constants, held_bytes(function))
    return found
