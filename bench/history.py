"""Results by release: a file with one entry for each version that was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import stillpool


def version() -> str:
    """The version that is measured."""
    return stillpool.__version__


def record(path: Path, release: str, entry: dict[str, Any]) -> None:
    """Write the results of a release; those of the same one are replaced, others stay."""
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"releases": {}}
    known["releases"][release] = entry
    known["releases"] = dict(sorted(known["releases"].items(), key=lambda item: _numbers(item[0])))
    path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def earlier(path: Path, release: str) -> tuple[str, dict[str, Any]] | None:
    """The newest release before `release` that has results."""
    if not path.exists():
        return None
    releases: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["releases"]
    older = [name for name in releases if _numbers(name) < _numbers(release)]
    newest = max(older, key=_numbers, default=None)
    return None if newest is None else (newest, releases[newest])


def _numbers(release: str) -> tuple[tuple[int, str], ...]:
    """Return the numbers of a version, for order: 0.10.0 comes after 0.9.0."""
    parts = release.replace("-", ".").replace("+", ".").split(".")
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
