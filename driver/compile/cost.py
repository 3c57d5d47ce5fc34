"""What a network costs on a processor, to compare ways to compile it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...dialects.operations import all_of
from ...machines.costs import CALL, OTHER
from ...machines.cpus import get_cpu
from ...transforms.tasks.calls import Calls
from ...transforms.tasks.choose.weighed import Weighed
from ...transforms.usmp.analysis.held import bytes_of, constant_bytes, held_bytes
from ...transforms.usmp.analysis.structure import entries, functions
from .network_cost import flash, network_cost


@dataclass(frozen=True)
class Cost:
    """Estimated instructions and bytes of a network."""

    instructions: int
    flash: int
    scratch: Sequence[int]
    """Bytes that each call has for itself, in order."""

    @staticmethod
    def of_loops(module: ModuleOp, cpu: str) -> Cost:
        """The cost of a module at level `memref`."""
        cost, table = network_cost(module, cpu), functions(module)
        scratch = [held_bytes(table[name]) for name in _called(module) if name in table and table[name].body.blocks]
        return Cost(cost.instructions, flash(module, cost), scratch)

    @staticmethod
    def of_tasks(module: ModuleOp, cpu: str) -> Cost | None:
        """The cost of a module of tasks with schedules, which is consumed: what was weighed before is not lowered.

        Returns:
            None where functions share constants, of which each alone says how many bytes they become.
        """
        calls, processor = Calls.of(module), get_cpu(cpu)
        if calls.shared:
            return None
        read = set[str]().union(*calls.constants_of.values())
        constants = constant_bytes(module) - sum(bytes_of(op.type) for op in calls.globals_of(read))
        found = Weighed(processor).costs(module)
        costs = processor.costs.instructions
        called = [found[name] for name in _called(module) if name in found]
        instructions = sum(one.instructions for one in found.values()) + len(called) * costs.get(CALL, costs[OTHER])
        code, packed = sum(one.code for one in found.values()), sum(one.constants for one in found.values())
        return Cost(round(instructions), round(code) + constants + packed, [one.scratch for one in called])

    def is_no_worse(self, other: Cost) -> bool:
        """Whether it has no more instructions and flash than another."""
        return self.instructions <= other.instructions and self.flash <= other.flash

    def has_no_more_scratch(self, other: Cost) -> bool:
        """Whether no call has more than the same of another."""
        return len(self.scratch) == len(other.scratch) and all(map(int.__le__, self.scratch, other.scratch))


def _called(module: ModuleOp) -> list[str]:
    """Names of the functions that entries call, in order."""
    return [op.callee.string_value() for entry in entries(module) for op in all_of(entry, func.CallOp)]
