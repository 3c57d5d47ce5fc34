"""The pass `usmp-state-windows`: state lies in the windows that it is copied to, where pools do not grow together.

Streaming networks put what is new behind what a state held, compute on both, and keep the end for the next run. With
the window as the state nothing is copied in or out; its bytes move down once in a run. The state is larger by what is
new, and the workspace smaller by the window: plans of both ways tell which takes less.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.accesses import storage
from ....progress import counted
from ..analysis.sound import require_sound
from ..rewriting.state_windows import copied_states, settle
from .plan_pass import Outcome, UsmpPlanPass
from .views import MOST_TRIALS, SHARE, candidates, provable, rewrite

LEAST_GAIN = 0.02
"""Part of all bytes that the copies of a state in and out must save, for they take time."""


@dataclass(frozen=True)
class UsmpStateWindowsPass(ModulePass):
    """Let state lie in its windows."""

    name: ClassVar[str] = "usmp-state-windows"

    algorithm: str = UsmpPlanPass.algorithm
    """The placement algorithm that the plan will be made with."""
    seconds: float = UsmpPlanPass.seconds
    """Search in each pool."""
    always: bool = False
    """Do so whatever it costs."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        if not any(copied_states(op)):
            return
        views = _around_states(op)
        seen = op.clone()
        rewrite(seen, views, copies=True)
        trial = seen.clone()
        names = settle(trial)
        if not names:
            return
        chosen: Collection[str] = names if self.always else self._cheapest(op, seen, trial, names)
        if chosen:
            rewrite(op, views, copies=True)
            settle(op, chosen)

    def _cheapest(self, op: ModuleOp, seen: ModuleOp, trial: ModuleOp, names: list[str]) -> Collection[str]:
        """All states, but for those whose windows cost much; none where the rest takes more than before."""
        plan = UsmpPlanPass(self.algorithm, self.seconds / SHARE)
        before = min(_rank(plan.outcome(op)), _rank(plan.outcome(seen)))
        chosen, after = names, _rank(plan.outcome(trial))
        for gain in (LEAST_GAIN, 0.0):
            for name in counted("usmp-state-windows: state", chosen[:MOST_TRIALS]):
                trial, fewer = seen.clone(), [other for other in chosen if other != name]
                settle(trial, fewer)
                if (without := _rank(plan.outcome(trial))) < (after[0], after[1] * (1 - gain)):
                    chosen, after = fewer, without
            if after <= before:
                return chosen
        return ()


def _rank(outcome: Outcome) -> tuple[bool, int]:
    """Keeping within limits comes before bytes of all pools."""
    return not outcome.fits, sum(outcome.sizes.values())


def _around_states(module: ModuleOp) -> list[int]:
    """The numbers of the calls that may become views and have to do with what states are copied to or from."""
    near = {storage(value) for _, out, back in copied_states(module) for value in (out.destination, back.source)}
    calls = candidates(module)
    return [n for n in provable(module) if not near.isdisjoint(map(storage, calls[n].operands))]
