"""Scratch memory of schedules, weighed against instructions: what a plan needs less memory with is taken.

Scratch counts where the plan is fullest. Functions that run there compute one point at a time, the fullest first, as
long as the estimates keep within the price.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...dialects.operations import all_of
from ...lowering.schedule.cost.counts import estimate
from ...lowering.schedule.variants import Variant, variants
from ...machines.cpus import get_cpu
from ...transforms.tasks.choose.weigh import costs_in
from ...transforms.usmp.analysis.held import InUse, held_bytes
from ...transforms.usmp.analysis.structure import functions
from .ways import Way


def lean_functions(of: Way, module: ModuleOp, most: float) -> tuple[tuple[str, ...], int]:
    """Functions with whose lean schedules a network takes less workspace.

    Args:
        of: the compilation.
        module: its module at level `memref`.
        most: instructions that it may cost.

    Returns:
        `lean_functions` of a plan, empty if nothing takes less; and the bytes that the network needs as it is, where no
        buffers overlap.
    """
    in_use, table, cpu = InUse.of(module), functions(module), get_cpu(of.plan.scheduled_for)
    scratch = {name: held_bytes(table[name]) for name in in_use.around if name in table and table[name].body.blocks}
    needed = max((in_use.around[name] + own for name, own in scratch.items()), default=0)
    if Variant.LEAN not in variants(cpu, lean=True):
        return (), needed
    calls = Counter(op.callee.string_value() for op in all_of(module, func.CallOp))

    def lean(names: Sequence[str]) -> dict[str, Lean]:
        found = costs_in(Variant.LEAN, of.unscheduled(), cpu, names)
        return {
            name: Lean(cost.scratch, cost.instructions - estimate(table[name], cpu).instructions * calls[name])
            for name, cost in found.items()
        }

    return tuple(less_scratch(in_use, scratch, lean, most)), needed


@dataclass(frozen=True)
class Lean:
    """A function's lean schedule."""

    scratch: int
    """Bytes of scratch memory."""
    more: float
    """Instructions that it takes more."""


def less_scratch(
    in_use: InUse, scratch: Mapping[str, int], lean: Callable[[Sequence[str]], Mapping[str, Lean]], most: float
) -> list[str]:
    """The functions with whose lean schedules a network needs least, for at most so many instructions more.

    Args:
        in_use: what the network has in use around its functions.
        scratch: bytes of scratch memory of functions.
        lean: lean schedules of functions, which are only asked for where these are the fullest.
        most: instructions.
    """
    needs = {name: in_use.around[name] + own for name, own in scratch.items()}
    taken, cost = list[str](), 0.0
    while needs and (top := max(needs.values())) > in_use.least and cost <= most:
        fullest = [name for name, bytes in needs.items() if bytes == top]
        if any(name in taken or not scratch[name] for name in fullest):
            break
        found = lean(fullest)
        cost += sum(found[name].more for name in fullest)
        if cost > most or any(found[name].scratch >= scratch[name] for name in fullest):
            break
        taken += fullest
        needs |= {name: in_use.around[name] + found[name].scratch for name in fullest}
    return taken
