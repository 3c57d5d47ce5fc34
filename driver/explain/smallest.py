"""Changes of a request that save RAM, the caller's arrays included, and changes that save flash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import StillpoolError
from ...progress import tell
from ...targets.interfaces.description import Description
from ..compilation import Compilation
from ..network_cost import flash, network_cost
from .levers import levers
from .variants import Plannable, outcome


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


def ram_changes(of: Plannable, models: Sequence[Description]) -> list[Change]:
    """The changes that lower what all workspace pools and the caller's arrays take together, each planned.

    Args:
        of: the request, whose pools keep within their limits.
        models: its models as they are planned.

    Raises:
        StillpoolError: a pass refused a model.
    """
    now = sum(outcome(of, limited=True).sizes.values())
    found: list[Change] = []
    # Buffers of the peak that move to another pool are none the smaller for it: no peak is given.
    for lever in levers(of, models, ()):
        try:
            then = sum(outcome(lever.changed, limited=True).sizes.values()) + lever.caller_bytes
        except StillpoolError:
            continue
        if then < now:
            found.append(Change(lever.action, lever.option, now - then))
    return found


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
        "--schedule-flash 0": replace(plan, schedule_flash=0),
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
