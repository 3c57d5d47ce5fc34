"""The composite pass `usmp`: from buffers to offsets in pools, all steps in order; tasks become loops first.

Each step is a pass of its own, so that one can stop, look, or replace it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...lowering.loops import LowerToLoopsPass
from ..options import PassWithChoices
from .analysis.sound import is_carried_out
from .analysis.structure import allocs
from .check import UsmpCheckPass
from .placing.assign_pools import UsmpAssignPoolsPass
from .placing.overlap import Mode, UsmpOverlapPass
from .placing.plan_pass import UsmpPlanPass
from .placing.state_windows import UsmpStateWindowsPass
from .placing.views import UsmpViewsPass
from .rewriting.io_allocs import UsmpIoAllocsPass
from .rewriting.materialize_offsets import UsmpMaterializeOffsetsPass
from .rewriting.release_inputs import UsmpReleaseInputsPass


@dataclass(frozen=True)
class UsmpPass(PassWithChoices):
    """Plan the memory of a module and carry the plan out; where that is done, prove it again and change nothing.

    As with every pass, who runs it verifies the result; its steps verify nothing.
    """

    name: ClassVar[str] = "usmp"

    algorithm: str = UsmpPlanPass.algorithm
    """Placement algorithm, as of `usmp-plan`."""
    seconds: float = UsmpPlanPass.seconds
    """Search in each pool, as of `usmp-plan`."""
    io: tuple[str, ...] = ("none",)
    """Which inputs and outputs lie in the workspace, as `tensors` of `usmp-io-allocs`."""
    overlap: Mode = UsmpOverlapPass.mode
    """How outputs may overlap dying inputs, as `mode` of `usmp-overlap`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if is_carried_out(op) and not any(allocs(op)):
            UsmpCheckPass().apply(ctx, op)
            return
        for step in (
            LowerToLoopsPass(),
            UsmpIoAllocsPass(self.io),
            UsmpAssignPoolsPass(),
            UsmpOverlapPass(self.overlap),
            UsmpStateWindowsPass(self.algorithm, self.seconds),
            UsmpViewsPass(self.algorithm, self.seconds),
            UsmpPlanPass(self.algorithm, self.seconds),
            UsmpReleaseInputsPass(),
            UsmpCheckPass(),
            UsmpMaterializeOffsetsPass(),
            UsmpCheckPass(),
        ):
            step.apply(ctx, op)
