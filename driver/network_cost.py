"""What a network costs on a processor before any C compiler has seen it: to compare ways to compile it."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ..lowering.schedule.cost import estimate
from ..lowering.schedule.cost.growth import constant_bytes
from ..machines.costs import CALL, OTHER
from ..machines.cpus import get_cpu
from ..transforms.usmp.analysis.structure import entries, functions


def instructions(module: ModuleOp, cpu: str) -> int:
    """Instructions of one run of a module of loops, each operator called as often as its calls stand there.

    Args:
        module: at level `memref`.
        cpu: the processor, one of `machines.cpus`.
    """
    table = functions(module)
    known: dict[str, float] = {}
    costs = get_cpu(cpu).costs.instructions
    total = 0.0
    for op in (op for entry in entries(module) for op in entry.walk()):
        name = op.callee.string_value() if isinstance(op, func.CallOp) else ""
        if name in table and table[name].body.blocks:
            if name not in known:
                known[name] = estimate(table[name], get_cpu(cpu)).instructions
            total += known[name] + costs.get(CALL, costs[OTHER])
    return round(total)


def flash(module: ModuleOp, cpu: str) -> int:
    """Bytes of the constants and of the machine code of the operators of a module of loops.

    Args:
        module: at level `memref`.
        cpu: the processor, one of `machines.cpus`.
    """
    called = {
        op.callee.string_value() for entry in entries(module) for op in entry.walk() if isinstance(op, func.CallOp)
    }
    made = [function for name, function in functions(module).items() if name in called and function.body.blocks]
    return round(sum(estimate(function, get_cpu(cpu)).code for function in made)) + constant_bytes(module)
