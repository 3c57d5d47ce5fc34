"""Whether a schedule from elsewhere may be written on a task."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.task import NestOp, ScheduleAttr
from ....dialects.task.dual import DualPlan, dual_plan
from ....dialects.task.expand import expand_step
from ....dialects.task.join import decided_steps
from ....dialects.task.lanes import lanes_plan, lanes_step
from ....dialects.task.loops import planned_loops
from ....dialects.task.schedule import InWords, Step, Words
from ....dialects.task.winograd import winograd_plan, winograd_step
from ....dialects.task.words import words_plan
from ...tasks.dual.constants import Constants
from ...tasks.lanes.blocks import LANE_READS, PRODUCT_READS, blocks_of
from ...tasks.winograd.pack import found
from ..nibbles import allows_nibbles
from ..swar import allows_swar


def legal_steps(nest: NestOp, steps: Sequence[Step], constants: Constants) -> bool:
    """Whether a nest with these steps computes what it computes without: the rules of the verifier, and those of the
    constants that would be packed.

    Args:
        nest: the nest; its schedule is what it was when this returns.
        steps: all that its schedule would have.
        constants: of the module.
    """
    before = nest.schedule
    nest.schedule = ScheduleAttr(tuple(steps))
    try:
        loops = planned_loops(nest)
        plan: DualPlan | None = None
        if any(isinstance(step, InWords) for step in steps):
            plan = dual_plan(nest)
        elif (winograd := winograd_step(nest)) is not None:
            found(nest, winograd_plan(nest, winograd), range(len(nest.space.data)), constants)
        elif any(isinstance(step, Words) for step in steps):
            plan = words_plan(nest, next(loop.dim for loop in loops if loop.form == "jam"))
        elif (lanes := lanes_step(nest)) is not None and lanes.sixteen:
            plan = lanes_plan(nest)
        elif (expand := expand_step(nest)) is not None and expand.dots:
            plan = lanes_plan(nest)
        elif not set(decided_steps(nest)) <= set(steps):
            return False
        if (lanes := lanes_step(nest)) is not None:
            groups = LANE_READS if plan is None else PRODUCT_READS
            blocks_of(nest, next(loop.dim for loop in loops if loop.form == "jam"), groups, constants)
    except ValueError:
        return False
    finally:
        nest.schedule = before
    return plan is None or _packs(nest, plan, constants)


def _packs(nest: NestOp, plan: DualPlan, constants: Constants) -> bool:
    """Whether the factor to pack is a constant that nothing else in the function reads, or is copied."""
    if plan.both:
        return True
    buffer = nest.accesses("step_reads")[plan.packed.read].buffer
    if constants.uses(buffer) is None or not buffer.has_one_use():
        return False
    if plan.nibbles and not allows_nibbles(nest, plan, constants):
        return False
    return not plan.swar or allows_swar(nest, plan, constants)
