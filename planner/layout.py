"""Arguments of a placement algorithm besides the buffers, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .problem import Problem

DEFAULT_SECONDS = 2.0


@dataclass(frozen=True)
class Effort:
    """How hard to try."""

    seconds: float = DEFAULT_SECONDS
    """Time that a search may take on a usual computer. It is counted in steps of the search, never measured."""
    limit: int | None = None
    """Bytes that the pool may have: a plan within them matters more than the least one."""
    known: Mapping[int, int] | None = None
    """Offsets of a plan that is there already, by index into the problem's buffers: what is found need not be worse."""


@dataclass(frozen=True)
class Layout:
    """Offsets of all buffers of one pool."""

    offsets: dict[int, int]
    """Bytes from the start of the pool, by index into the problem's buffers."""
    lower_bound: int = 0
    """Bytes that the algorithm proved to be necessary, if it proves anything; the planner has bounds of its own."""


Algorithm = Callable[[Problem, Sequence[int], Effort], Layout]
"""Places the given buffers of a problem, all in one pool."""
