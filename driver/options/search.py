"""How long the planner may search, where it searches."""

from __future__ import annotations

from ...errors import UsageError
from ...planner import DEFAULT, searches


def check_search(algorithm: str | None, seconds: float | None) -> None:
    """Refuse a length of the planner's search where nothing is searched.

    Raises:
        UsageError: both are given, and do not go together.
    """
    if seconds is not None and not searches(algorithm or DEFAULT):
        raise UsageError(
            f"algorithm '{algorithm}' does not search: --planner-seconds has no effect",
            remedy="leave out --planner-seconds",
        )
