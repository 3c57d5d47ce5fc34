"""The pass `schedule`: writes a schedule on every task that runs faster with one on a given processor.

A task that has a schedule keeps it, and one for which nothing is known to be faster stays without. The decision is the
attribute `schedule` of `task.nest`: it can be read, edited, and written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp, ScheduleAttr
from ...dialects.task.join import decided_steps
from ...dialects.task.schedule import InWords, Words
from ...errors import UsageError
from ...machines.cpus import Cpu, get_cpu
from ..emit_c.no_inline import NO_INLINE
from ..tasks.dual.constants import Constants
from ..tasks.function_block import function_block
from .channels import channels_schedule
from .cost.growth import FunctionCost, Option, chosen, constant_bytes, costs_of, in_order, options
from .float_sums import float_sums_schedule
from .narrow import narrow_sums
from .products import products_schedule
from .remarks import put_remarks
from .rescale import shorten_rescaling
from .variants import Variant, variants

OBJECTIVES = ("speed", "balanced", "size")


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """Choose loops for tasks."""

    name: ClassVar[str] = "schedule"

    cpu: str
    """The processor, as `--target` names it."""
    optimize: str = "speed"
    """`speed`: fewest instructions. `balanced`: the same for at most `flash` bytes more, by the estimates of `cost`.
    `size`: schedules that cost no flash, which are none."""
    flash: int | None = None
    """Bytes of code and constants that schedules may take beyond those of loops in order. Default: with `balanced` as
    many as the constants have, with `speed` as many as it takes."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            cpu = get_cpu(self.cpu)
        except UsageError as error:
            raise PassFailedException(f"schedule: {error}") from error
        if self.optimize not in OBJECTIVES:
            raise PassFailedException(f"schedule: optimize is one of {', '.join(OBJECTIVES)}, got {self.optimize!r}")
        if self.optimize == "size":
            return
        if self.optimize == "speed" and self.flash is None:
            _schedule(op, cpu, lambda name: variants(cpu)[-1])
            return
        most = constant_bytes(op) if self.flash is None else self.flash
        plain = costs_of(op.clone(), cpu)
        found = _options(op, cpu, plain)
        taken = chosen(found, most)
        _schedule(op, cpu, taken.get)
        put_remarks(op, plain, found, taken)


def flash_steps(module: ModuleOp, cpu: Cpu) -> list[tuple[float, float]]:
    """What ever more flash for schedules leaves of the instructions of a module of tasks.

    Returns:
        Pairs of bytes beyond those of loops in order and instructions, by estimates; the first is that without
        schedules.
    """
    plain = costs_of(module.clone(), cpu)
    total = sum(one.instructions for one in plain.values())
    steps = [(0.0, total)]
    for step in in_order(_options(module, cpu, plain)):
        flash, total = steps[-1]
        steps.append((flash + step.flash, total - step.saved))
    return steps


def _options(module: ModuleOp, cpu: Cpu, plain: Mapping[str, FunctionCost]) -> list[Option]:
    """What each way to schedule each function would save and take, compared with what they cost without."""
    found = list[Option]()
    for variant in variants(cpu):
        scheduled = module.clone()
        _schedule(scheduled, cpu, lambda name, variant=variant: variant)
        found += options(plain, costs_of(scheduled, cpu), variant)
    return found


def _schedule(module: ModuleOp, cpu: Cpu, variant_of: Callable[[str], Variant | None]) -> None:
    """Write schedules on the tasks of those functions for which there is a variant."""
    constants = Constants(module)
    for found in [inner for inner in module.walk() if isinstance(inner, NestOp)]:
        function = _function_around(found)
        variant = variant_of(function.sym_name.data)
        if variant is None:
            continue
        narrow_sums(found, constants)
        nest = shorten_rescaling(found, constants)
        needed = () if nest.schedule is None else nest.schedule.data
        if needed != decided_steps(nest):
            continue
        steps = (
            products_schedule(nest, constants, cpu, variant)
            or channels_schedule(nest, constants, cpu)
            or float_sums_schedule(nest, cpu)
        )
        if steps is None:
            continue
        writes_out = any(isinstance(step, InWords | Words) for step in steps)
        nest.schedule = ScheduleAttr(steps if writes_out else (*needed, *steps))
        # Inside the function that calls them, compilers find fewer registers for the innermost loops.
        function.attributes[NO_INLINE] = UnitAttr()


def _function_around(nest: NestOp) -> func.FuncOp:
    function = function_block(nest).parent_op()
    assert isinstance(function, func.FuncOp), "it is the block of a function"
    return function
