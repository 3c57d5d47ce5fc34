"""The schedules that are known to be fast without measuring, and how one is written on a nest."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import func
from xdsl.dialects.builtin import UnitAttr

from ...dialects.task import NestOp, ScheduleAttr
from ...dialects.task.join import decided_steps
from ...dialects.task.schedule import Expand, InWords, Lanes, Step, Winograd, Words
from ...machines.cpus import Cpu
from ..emit_c.no_inline import NO_INLINE
from ..tasks.dual.constants import Constants
from ..tasks.function_block import function_block
from ..tasks.legal import is_legal
from .channels import channels_schedule, small_channels_schedule
from .expand import expand_schedule
from .float_sums import float_sums_schedule
from .kernels import kernel_schedule
from .lanes import lanes_schedule
from .pointwise import pointwise_schedule
from .products import products_schedule
from .variants import Variant
from .winograd import winograd_schedule


def is_open(nest: NestOp) -> bool:
    """Whether a nest has no schedule yet but what joined operands need."""
    return (() if nest.schedule is None else nest.schedule.data) == decided_steps(nest)


def heuristic_steps(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> tuple[Step, ...] | None:
    """The schedule that is known to be fast without measuring; None where loops in order are best."""
    if (steps := kernel_schedule(nest, constants, cpu)) is not None:
        return steps
    if variant is Variant.LOOPS:
        steps = expand_schedule(nest, constants, decided_steps(nest))
    elif variant is Variant.SMALL:
        steps = products_schedule(nest, constants, cpu, variant) or (small_channels_schedule(nest) if cpu.dsp else None)
    else:
        is_lean = variant is Variant.LEAN
        if is_lean:
            cpu = replace(cpu, tile=replace(cpu.tile, pixels=1))
        steps = (
            (products_schedule(nest, constants, cpu, variant) if is_lean else None)
            or lanes_schedule(nest, constants, cpu, decided_steps(nest))
            or (winograd_schedule(nest, constants, cpu) if variant is Variant.WINOGRAD else None)
            or products_schedule(nest, constants, cpu, Variant.FAST if variant is Variant.WINOGRAD else variant)
            or channels_schedule(nest, constants, cpu)
            or float_sums_schedule(nest, cpu)
            or pointwise_schedule(nest, cpu)
        )
    if steps is None:
        return None
    writes_out = any(isinstance(step, InWords | Words | Lanes | Expand | Winograd) for step in steps)
    steps = steps if writes_out else (*decided_steps(nest), *steps)
    return steps if is_legal(nest, steps, constants) else None


def put_schedule(nest: NestOp, steps: tuple[Step, ...]) -> None:
    """Write a schedule on a nest."""
    nest.schedule = ScheduleAttr(steps)
    # Inside the function that calls them, compilers find fewer registers for the innermost loops.
    function_around(nest).attributes[NO_INLINE] = UnitAttr()


def function_around(nest: NestOp) -> func.FuncOp:
    """The function that a nest stands in."""
    function = function_block(nest).parent_op()
    assert isinstance(function, func.FuncOp), "it is the block of a function"
    return function
