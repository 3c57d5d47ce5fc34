"""The pass `foresee-scratch`: how much scratch functions will have once a processor's schedules are loops.

Kernels copy what they multiply into words, and an order of rows in which these count needs less memory than one that
was chosen for the rows alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.operations import all_of
from ...dialects.pool import keys
from ...lowering.schedule import SchedulePass
from ...machines.cpus import get_cpu
from ..tasks import PrepareTasksPass
from ..tasks.choose.weighed import Weighed
from ..usmp.analysis.structure import entries


@dataclass(frozen=True)
class ForeseeScratchPass(ModulePass):
    """Write `pool.scratch` on the calls of entry functions, for `split-rows`."""

    name: ClassVar[str] = "foresee-scratch"

    cpu: str
    """The processor, as `choose-forms` takes it."""
    optimize: str = "speed"
    """Goal of the schedules. For `balanced` the scratch is that of `speed`, which is no less."""
    schedules: str | None = None
    """A file of schedules that were measured, as `choose-forms` takes it."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        made = op.clone()
        objective = "speed" if self.optimize == "balanced" else self.optimize
        PrepareTasksPass(self.cpu, objective, schedules=self.schedules).apply(ctx, made)
        SchedulePass(self.cpu, self.schedules, objective == "speed").apply(ctx, made)
        held = Weighed(get_cpu(self.cpu)).scratch(made)
        for call in (inner for entry in entries(op) for inner in all_of(entry, func.CallOp)):
            bytes = held.get(call.callee.string_value(), 0)
            if bytes and not keys.SCRATCH.within(call.attributes):
                keys.SCRATCH.put(call.attributes, bytes)
