"""Whether a nest may run as a schedule says, and why not: the one answer for all who write, search or lower schedules.

What index maps and the rest of a schedule say is `planned_loops`, which the verifier asks, too. The rest is what the
constants say that would be packed or turned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.task import NestOp, ScheduleAttr
from ...dialects.task.dual import DualPlan, dual_plan
from ...dialects.task.join import decided_dims
from ...dialects.task.lanes import lanes_plan
from ...dialects.task.loop import Loop
from ...dialects.task.loops import planned_loops
from ...dialects.task.rewrites import Rewrite
from ...dialects.task.schedule import Expand, InWords, Lanes, Step, Tensorize, Winograd, Words, writes_out
from ...dialects.task.winograd import winograd_plan
from ...dialects.task.words import words_plan
from ..constants import ConstantFactor, Constants
from ..kernels.sets import bound_to
from .dual.layouts import fits_halves, nibbles
from .lanes.blocks import LANE_READS, PRODUCT_READS, blocks_of
from .steps.rewriting import rehearsed
from .winograd.pack import found


def why_illegal(nest: NestOp, steps: Sequence[Step], constants: Constants) -> str | None:
    """The step that a nest does not allow, and why; None if it computes with all of them what it computes without.

    Args:
        nest: the nest; its schedule is what it was when this returns.
        steps: all that its schedule would have.
        constants: of the module.
    """
    before = nest.schedule
    nest.schedule = ScheduleAttr(tuple(steps))
    try:
        check_schedule(nest, constants)
    except ValueError as error:
        return str(error)
    finally:
        nest.schedule = before
    return None


def is_legal(nest: NestOp, steps: Sequence[Step], constants: Constants) -> bool:
    """Whether a nest with these steps computes what it computes without; see `why_illegal`."""
    return why_illegal(nest, steps, constants) is None


def check_schedule(nest: NestOp, constants: Constants) -> None:
    """Check the schedule that a nest has.

    Raises:
        ValueError: the nest or its constants do not allow a step.
    """
    loops = planned_loops(nest)
    if nest.step_of(Rewrite) is not None:
        made, constants = rehearsed(nest)
        for one in made:
            check_schedule(one, constants)
        return
    jammed = [loop.dim for loop in loops if loop.form == "jam"]
    for step in nest.steps:
        match step:
            case Tensorize():
                bound_to(nest, step)
            case Winograd():
                found(nest, winograd_plan(nest, step), range(len(nest.space.data)), constants)
            case InWords():
                _check_packed(nest, dual_plan(nest), step.keyword, constants)
            case Words():
                _check_packed(nest, words_plan(nest, jammed[0]), step.keyword, constants)
            case Lanes(sixteen=True) | Expand(dots=True):
                _check_packed(nest, lanes_plan(nest), str(step), constants)
            case _:
                pass
    _check_joins(nest, loops)
    if (lanes := nest.step_of(Lanes)) is not None:
        blocks_of(nest, jammed[0], PRODUCT_READS if lanes.sixteen else LANE_READS, constants)


def _check_packed(nest: NestOp, plan: DualPlan, what: str, constants: Constants) -> None:
    """Check that the factor to pack, if any, is a constant that nothing else in the function reads, and fits."""
    if plan.step.both:
        return
    buffer = nest.accesses("step_reads")[plan.packed.read].buffer
    if constants.uses(buffer) is None or not buffer.has_one_use():
        raise ValueError(f"{what}: the factor to pack is not a constant that belongs to this nest alone")
    if not (plan.step.nibbles or plan.step.swar):
        return
    of = ConstantFactor.of(nest, plan.packed, constants)
    assert of is not None, "asked before: it is a constant"
    if plan.step.nibbles and nibbles(plan, np.concatenate(of.values)) is None:
        raise ValueError("dual: the constant less its zero point does not fit four bits, or sums may leave 32")
    if plan.step.swar and not all(fits_halves(plan, each) for each in of.values):
        raise ValueError("swar: products of two fold points do not always fit 16 bits")


def _check_joins(nest: NestOp, loops: Sequence[Loop]) -> None:
    """Check that it is known which part of joined operands is read."""
    is_whole = any(map(writes_out, nest.steps))
    decided = [decided_dims(nest, access) for group in nest.GROUPS for access in nest.accesses(group)]
    dims = frozenset[int]().union(*decided)
    for loop in loops:
        is_written_out = loop.form != "loop" or loop.extent == 1 or (is_whole and loop.is_fold)
        if loop.dim in dims and not is_written_out:
            raise ValueError(f"{loop.name}: what is read along it is joined of several buffers: unroll it")
