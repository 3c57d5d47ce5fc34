"""Names of a model's inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with a number behind repeated ones."""
    taken: set[str] = set()
    result: list[str] = []
    for name in names:
        candidate, number = name, 2
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)
