"""Whether the channels that the numbers decide go, and in which multiples the others stay: cost decides.

Channels go where, by the estimates, the network takes no more instructions, flash or scratch memory for it. A number of
channels that a processor's kernels do not take costs more than the channels that went saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ..dialects import nn_keys
from ..errors import StillpoolError
from ..lowering.schedule.cost.held import held_bytes
from ..machines.cpus import get_cpu
from ..transforms.usmp.analysis.structure import entries, functions
from . import pipeline
from .network_cost import flash, network_cost
from .simplified import simplified

if TYPE_CHECKING:
    from .compilation import Compilation

STEP = "channels"
"""The clean-up that removes them."""
MOST_TOGETHER = 16
"""Multiples that are tried: what vectors hold of bytes."""


def with_channels(of: Compilation) -> pipeline.Plan:
    """The plan of a compilation with what becomes of its channels, as far as a processor is named."""
    plan = of.plan
    # Functions with less scratch memory are chosen only after that.
    of = replace(of, plan=replace(plan, lean_functions=()))
    if not plan.scheduled_for or plan.channel_multiple is not None or STEP in plan.clean_ups_off:
        return plan
    known = _DECIDED.setdefault(of.model.nn, {})
    key = f"{plan.clean_ups_off} {of.plan.schedule_words}"
    if key not in known:
        known[key] = _multiple(of)
    if known[key]:
        return replace(plan, channel_multiple=known[key])
    return replace(plan, clean_ups_off=(*plan.clean_ups_off, STEP))


def _multiple(of: Compilation) -> int:
    """The first multiple with which nothing is worse than with all channels; 0 if there is none."""
    multiples = _multiples(get_cpu(of.plan.scheduled_for).side_by_side)
    whole: _Cost | None = None
    for multiple in multiples:
        plan = replace(of.plan, channel_multiple=multiple, rows="off", row_segments=(), stream_input="")
        module = simplified(of.model, plan)
        if not any(nn_keys.REMOVED.within(op.attributes) for op in module.walk()):
            return multiple
        try:
            whole = whole or _Cost.of(_lowered(simplified(of.model, _without(plan)), of, plan), plan)
            # Kept: without rows this is the module that the compilation goes on with.
            if _Cost.of(replace(of, plan=plan).lowered_once(), plan).is_no_worse(whole):
                return multiple
        except StillpoolError:
            # What is wrong will be told where the network itself is lowered.
            return multiple
    return 0


def _multiples(first: int) -> Sequence[int]:
    return [first << n for n in range(MOST_TOGETHER.bit_length()) if first << n <= max(first, MOST_TOGETHER)]


def _without(plan: pipeline.Plan) -> pipeline.Plan:
    return replace(plan, clean_ups_off=(*plan.clean_ups_off, STEP))


def _lowered(module: ModuleOp, of: Compilation, plan: pipeline.Plan) -> ModuleOp:
    for passes in (pipeline.to_tasks(plan), pipeline.to_memref()):
        pipeline.apply(module, passes, where=of.model.source, verify=False)
    return module


@dataclass(frozen=True)
class _Cost:
    """Estimated instructions and bytes of a network of loops."""

    instructions: int
    flash: int
    scratch: Sequence[int]
    """Bytes that each call has for itself, in order."""

    @staticmethod
    def of(module: ModuleOp, plan: pipeline.Plan) -> _Cost:
        cost, table = network_cost(module, plan.scheduled_for), functions(module)
        names = [
            op.callee.string_value() for entry in entries(module) for op in entry.walk() if isinstance(op, func.CallOp)
        ]
        scratch = [held_bytes(table[name]) for name in names if name in table and table[name].body.blocks]
        return _Cost(cost.instructions, flash(module, cost), scratch)

    def is_no_worse(self, other: _Cost) -> bool:
        """Whether nothing is more than that of another."""
        is_larger = len(self.scratch) != len(other.scratch) or any(map(int.__gt__, self.scratch, other.scratch))
        return self.instructions <= other.instructions and self.flash <= other.flash and not is_larger


_DECIDED: WeakKeyDictionary[ModuleOp, dict[str, int]] = WeakKeyDictionary()
"""Multiple of channels by the imported model and the way to schedule; 0 where all channels stay."""
