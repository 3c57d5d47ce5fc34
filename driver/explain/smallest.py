"""The smallest change of a request that saves enough RAM, the caller's arrays included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import StillpoolError
from ...targets.interfaces.description import Description
from .levers import levers
from .variants import Plannable, outcome


@dataclass(frozen=True)
class Change:
    """A change that saves enough."""

    action: str
    option: str
    """What to type; behind `without` what to leave out."""
    bytes_saved: int


def smallest_change(of: Plannable, models: Sequence[Description], excess: int) -> Change | None:
    """Of the changes that save at least `excess` bytes the one that saves least; None where none does.

    Args:
        of: the request, whose pools keep within their limits.
        models: its models as they are planned.
        excess: bytes to save, of all workspace pools and the caller's arrays together.

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
        if now - then >= excess:
            found.append(Change(lever.action, lever.option, now - then))
    return min(found, key=lambda change: change.bytes_saved, default=None)
