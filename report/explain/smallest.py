"""Changes of a request that save RAM, the caller's arrays included, and changes that save flash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...driver.compile.compilation import Compilation
from ...driver.compile.network_cost import flash, network_cost
from ...driver.pipeline import Plan
from ...errors import StillpoolError
from ...progress import tell
from ...targets.interfaces.description import Description
from .lever import EFFORTS, Lever
from .levers import levers
from .variants import Plannable, compilations, outcome, with_plan

_SHORT = 0.05
"""Seconds of the search of estimates."""
_SLACK = 0.05
"""Part of a plan by which a longer search may lower it."""


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
    """A change, planned, that lowers RAM by `excess` bytes or more; where none does, one that saves most; None where
    none saves anything. RAM is what all workspace pools and the caller's arrays take together.

    Changes that need no other loops come first, the one that saves least of them; then other loops, the least
    different ones first; and longer searches last. Short searches, whose plans take as many bytes or a few more, say
    which changes are worth a plan.

    Args:
        of: the request, whose pools keep within their limits.
        models: its models as they are planned.
        excess: bytes to save.

    Raises:
        StillpoolError: a pass refused a model.
    """
    now = sum(outcome(of, limited=True).sizes.values())
    # Buffers of the peak that move to another pool are none the smaller for it: no peak is given.
    found = _promising(of, list(levers(of, models, ())), now - excess)
    planned, behind = list[Change](), list[tuple[int, Lever]]()
    for effort in EFFORTS:
        estimates = _estimates([lever for lever in found if lever.effort == effort], now)
        for saved, lever in sorted(estimates, key=lambda one: one[0]) if effort == "plan" else estimates:
            if saved < excess:
                behind.append((saved, lever))
            elif (change := _planned(lever, now)) is not None:
                planned.append(change)
                if change.bytes_saved >= excess:
                    return change
    for saved, lever in sorted(behind, key=lambda one: -one[0]):
        # A plan is seldom smaller by more than this.
        is_enough = saved + _SLACK * (now - saved) >= excess
        if planned and not is_enough:
            break
        if (change := _planned(lever, now)) is not None:
            planned.append(change)
    return best_change(planned, excess)


def _promising(of: Plannable, found: list[Lever], most: int) -> list[Lever]:
    """The changes without those by rows that take more than others, where no order of rows takes `most` bytes."""
    by_rows = [lever for lever in found if any(one.plan.rows != "off" for one in compilations(lever.changed))]
    if not by_rows or not isinstance(of, Compilation) or of.plan.rows != "off" or of.row_bound() <= most:
        return found
    return [lever for lever in found if lever not in by_rows[:-1]]


def _estimates(found: Sequence[Lever], now: int) -> Iterator[tuple[int, Lever]]:
    """Bytes of RAM that changes save, by short searches unless they are about longer ones."""
    for lever in found:
        changed = lever.changed if lever.effort == "search" else with_plan(lever.changed, _shortly)
        if (then := _bytes(lever, changed)) is not None:
            yield now - then, lever


def _shortly(plan: Plan) -> Plan:
    return plan if plan.seconds is not None and plan.seconds < _SHORT else replace(plan, seconds=_SHORT)


def _planned(lever: Lever, now: int) -> Change | None:
    """What a change saves, planned; None where it saves nothing."""
    tell(f"change that saves RAM: {lever.action}")
    then = _bytes(lever, lever.changed)
    return None if then is None or then >= now else Change(lever.action, lever.option, now - then)


def _bytes(lever: Lever, changed: Plannable) -> int | None:
    """Bytes of RAM with a change; None where it does not go, or the limits of the pools are not met."""
    try:
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
