"""Names of tensors, for prose and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

MOST = 48
"""Letters of a name in a table."""


def short_name(name: str) -> str:
    """A tensor's name without what converters append of other tensors, and without the scopes it stands in."""
    first = name.split(";")[0]
    parts = [part for part in first.split("/") if part]
    return "/".join(parts[-2:]) or name


def cut(name: str, most: int = MOST) -> str:
    """A name of at most so many letters, shortened in the middle."""
    if len(name) <= most:
        return name
    half = (most - 3) // 2
    return f"{name[:half]}...{name[-half:]}"


def labels(names: Iterable[str]) -> Mapping[str, str]:
    """Name of each tensor in tables: its short name, or its own where another one has the same short name.

    A row of a tensor, `name[3]`, keeps its number.
    """
    rows = {name: _split(name) for name in names}
    counts = Counter(short_name(stem) for stem in {stem for stem, _ in rows.values()})
    return {
        name: cut(short_name(stem) if counts[short_name(stem)] == 1 else stem) + row
        for name, (stem, row) in rows.items()
    }


def _split(name: str) -> tuple[str, str]:
    stem, bracket, row = name.rpartition("[")
    return (stem, bracket + row) if bracket and row[:-1].isdigit() and row.endswith("]") else (name, "")
