"""Cost of a network on a processor before any C compiler has seen it, to compare ways to compile it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...dialects import nn_keys
from ...dialects.operations import operations
from ...lowering.schedule.cost.counts import Estimate, estimate
from ...machines.costs import CALL, OTHER
from ...machines.cpus import get_cpu
from ...transforms.usmp.analysis.held import constant_bytes
from ...transforms.usmp.analysis.structure import entries, functions


@dataclass(frozen=True)
class NetworkCost:
    """Estimates of one run and of its operators' code."""

    instructions: int
    """Instructions of one run, each operator called as often as its calls stand in the module."""
    code: int
    """Bytes of machine code of the operators."""
    gain: tuple[int, int] | None
    """Instructions that schedules save in one run, and bytes of flash that they take more than plain loops; None where
    plain loops were not weighed."""
    functions: Mapping[str, Estimate] = field(default_factory=lambda: {}, repr=False)
    """Those of a call of each operator, by its function."""


def network_cost(module: ModuleOp, cpu: str, given: Mapping[str, Estimate] | None = None) -> NetworkCost:
    """Estimate a module of loops.

    Args:
        module: at level `memref`.
        cpu: the processor, one of `machines.cpus`.
        given: what is known of functions.
    """
    table, processor = functions(module), get_cpu(cpu)
    costs = processor.costs.instructions
    known: dict[str, Estimate] = {}
    instructions, code = 0.0, 0.0
    for op in (op for entry in entries(module) for op in operations(entry)):
        name = op.callee.string_value() if isinstance(op, func.CallOp) else ""
        if name in table and table[name].body.blocks:
            if name not in known:
                known[name] = (given or {}).get(name) or estimate(table[name], processor)
                code += known[name].code
            instructions += known[name].instructions + costs.get(CALL, costs[OTHER])
    gains = [gain for name in known if (gain := nn_keys.GAIN.get(table[name].attributes)) is not None]
    gain = (sum(one[0] for one in gains), sum(one[1] for one in gains)) if gains else None
    return NetworkCost(round(instructions), round(code), gain, known)


def flash(module: ModuleOp, cost: NetworkCost) -> int:
    """Bytes of the constants and of the machine code of the operators of a module of loops."""
    return cost.code + constant_bytes(module)
