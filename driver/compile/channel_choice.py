"""Whether the channels that the numbers decide go, and in which multiples the others stay: cost decides.

Channels go where, by the estimates, the network takes no more instructions and flash for it, and no more workspace:
where operators have more scratch memory, plans decide. A number of channels that a processor's kernels do not take
costs more than the channels that went saved. With `balanced` schedules may take the flash of weights that went.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from ...dialects import nn_keys
from ...dialects.operations import operations
from ...errors import StillpoolError
from ...machines.cpus import get_cpu
from ...planner import PoolShort
from .. import hooks, pipeline
from ..models.simplified import simplified
from .cost import Cost
from .lost_channels import freed_weights
from .ways import Way

STEP = "channels"
"""The clean-up that removes them."""
MOST_TOGETHER = 16
"""Multiples that are tried: what vectors hold of bytes."""


def with_channels(of: Way) -> pipeline.Plan:
    """The plan of a compilation with what becomes of its channels, as far as a processor is named."""
    plan = _decided(of)
    if not plan.scheduled_for or plan.objective != "balanced" or STEP in plan.clean_ups_off:
        return plan
    known, passes = _FREED.setdefault(of.model.nn, {}), pipeline.to_simplified(plan)
    if passes not in known:
        known[passes] = freed_weights(simplified(of.model, plan))
    return replace(plan, freed_flash=known[passes])


def _decided(of: Way) -> pipeline.Plan:
    plan = of.plan
    # Functions with less scratch memory are chosen only after that.
    of = of.planned_as(replace(plan, lean_functions=()))
    if not plan.scheduled_for or plan.channel_multiple is not None or STEP in plan.clean_ups_off:
        return plan
    known = _DECIDED.setdefault(of.model.nn, {})
    key = f"{plan.clean_ups_off} {of.plan.schedule_words} {plan.io} {of.pools}"
    if key not in known:
        known[key] = _multiple(of)
    if known[key]:
        return replace(plan, channel_multiple=known[key])
    return replace(plan, clean_ups_off=(*plan.clean_ups_off, STEP))


def _multiple(of: Way) -> int:
    """The first multiple with which nothing is worse than with all channels; 0 if there is none."""
    multiples = _multiples(get_cpu(of.plan.scheduled_for).side_by_side)
    whole: Cost | None = None
    for multiple in multiples:
        plan = replace(of.plan, channel_multiple=multiple, rows="off", row_segments=(), stream_input="")
        module = simplified(of.model, plan)
        if not any(nn_keys.REMOVED.within(op.attributes) for op in operations(module)):
            return multiple
        try:
            whole = whole or _cost(of.planned_as(_without(plan)))
            # Kept: without rows this is the module that the compilation goes on with.
            cost = _cost(of.planned_as(plan))
            if cost.is_no_worse(whole) and (
                cost.has_no_more_scratch(whole) or _workspace(of, plan) <= _workspace(of, _without(plan))
            ):
                return multiple
        except StillpoolError:
            # What is wrong will be told where the network itself is lowered.
            return multiple
    return 0


def _multiples(first: int) -> Sequence[int]:
    return [first << n for n in range(MOST_TOGETHER.bit_length()) if first << n <= max(first, MOST_TOGETHER)]


def _without(plan: pipeline.Plan) -> pipeline.Plan:
    return replace(plan, clean_ups_off=(*plan.clean_ups_off, STEP))


def _workspace(of: Way, plan: pipeline.Plan) -> float:
    """Bytes of all workspace pools; infinite if these are too small."""
    try:
        return sum(of.planned_as(plan).workspace_bytes().values())
    except PoolShort:
        return math.inf


def _cost(of: Way) -> Cost:
    """The cost of one way to compile: of tasks, where the choice of their forms has weighed all functions."""
    plan = of.plan
    if plan.objective == "balanced" and not hooks.around("memref"):
        found = Cost.of_tasks(of.scheduled_once().clone(), plan.scheduled_for)
        if found is not None:
            return found
    return Cost.of_loops(of.lowered_once(), plan.scheduled_for)


_DECIDED: WeakKeyDictionary[ModuleOp, dict[str, int]] = WeakKeyDictionary()
"""Multiple of channels by the imported model and the way to schedule and plan; 0 where all channels stay."""

_FREED: WeakKeyDictionary[ModuleOp, dict[pipeline.Passes, int]] = WeakKeyDictionary()
"""Bytes of weights that went, by the imported model and the clean-ups."""
