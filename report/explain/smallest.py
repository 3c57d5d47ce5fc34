"""Changes of a request that save RAM, the caller's arrays included, and changes that save flash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...driver.compile.compilation import Compilation
from ...driver.compile.network_cost import flash, network_cost
from ...errors import BudgetError, StillpoolError
from ...progress import tell
from ...targets.interfaces.description import Description
from .lever import EFFORTS, Lever
from .levers import levers
from .variants import Plannable, outcome, with_plan

_QUICK = "greedy_by_size"
"""The algorithm of estimates."""


@dataclass(frozen=True)
class Change:
    """A change that saves enough."""

    action: str
    option: str
    """Words of the command line to add; behind `without` those to leave out."""
    bytes_saved: int


def best_change(found: Sequence[Change], excess: int) -> Change | None:
    """Return the change that saves least of those that save `excess` bytes or more; where none does, the one that saves
    most; None where there are none.
    """
    enough = [change for change in found if change.bytes_saved >= excess]
    if enough:
        return min(enough, key=lambda change: change.bytes_saved)
    return max(found, key=lambda change: change.bytes_saved, default=None)


def ram_change(of: Plannable, models: Sequence[Description], excess: int) -> Change | None:
    """The change, planned, that lowers what all workspace pools and the caller's arrays take together by least but by
    `excess` bytes or more; where none does, the one that saves most; None where none saves anything.

    Changes that need no other loops come first, and longer searches last; where one is enough the rest is not tried.
    Plans of a greedy algorithm, which take as many bytes or more, say which changes are worth a plan.

    Args:
        of: the request, whose pools keep within their limits.
        models: its models as they are planned.
        excess: bytes to save.

    Raises:
        StillpoolError: a pass refused a model.
    """
    now = sum(outcome(of, limited=True).sizes.values())
    # Buffers of the peak that move to another pool are none the smaller for it: no peak is given.
    found = list(levers(of, models, ()))
    planned = list[Change]()
    for effort in EFFORTS:
        estimates = [
            (now - then, lever)
            for lever in found
            if lever.effort == effort and (then := _bytes(lever, is_estimate=effort != "search")) is not None
        ]
        enough = sorted((one for one in estimates if one[0] >= excess), key=lambda one: one[0])
        less = sorted((one for one in estimates if one[0] < excess), key=lambda one: -one[0])
        for saved, lever in enough[:1] or less:
            tell(f"change that saves RAM: {lever.action}")
            then = now - saved if effort == "search" else _bytes(lever)
            if then is not None and then < now:
                planned.append(Change(lever.action, lever.option, now - then))
        if any(change.bytes_saved >= excess for change in planned):
            break
    return best_change(planned, excess)


def _bytes(lever: Lever, *, is_estimate: bool = False) -> int | None:
    """Bytes of RAM with a change; None where it does not go, or the limits of the pools are not met."""
    changed = lever.changed
    try:
        if is_estimate:
            try:
                quick = with_plan(changed, lambda plan: replace(plan, algorithm=_QUICK))
                return sum(outcome(quick, limited=True).sizes.values()) + lever.caller_bytes
            except BudgetError:
                # Greedy plans may miss limits that others keep.
                pass
        return sum(outcome(changed, limited=True).sizes.values()) + lever.caller_bytes
    except StillpoolError:
        return None


def flash_changes(of: Compilation) -> list[Change]:
    """The changes that lower code and constants, by estimates; empty where no schedules were chosen.

    Raises:
        StillpoolError: a pass refused the model.
    """
    plan = of.plan
    if not plan.scheduled_for:
        return []
    plain = replace(plan, schedules="", winograd=False, schedule_flash=None)
    ways = {
        "--optimize size": replace(plain, objective="size"),
        "--spend flash=0": replace(plan, schedule_flash=0),
    }
    now = _estimated_flash(of)
    found: list[Change] = []
    for option, changed in ways.items():
        if changed == plan or (plan.objective == "size"):
            continue
        tell(f"flash with {option}")
        then = _estimated_flash(replace(of, plan=changed))
        if then < now:
            found.append(Change("shorter code", option, now - then))
    return found


def _estimated_flash(of: Compilation) -> int:
    module = of.placed()
    return flash(module, network_cost(module, of.plan.scheduled_for))
