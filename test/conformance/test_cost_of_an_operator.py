"""docs/tasks.md says what an operator of a known family costs: those lines are there, and no others."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("dialects", "driver", "frontends", "lowering", "report", "run", "targets", "transforms")


def _lines_with(word: str) -> set[tuple[str, str]]:
    """Members and entries of tables; what makes other operators of this one costs it nothing."""
    return {
        (path.relative_to(ROOT).as_posix(), line)
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"\b{word}\b", line) and line.endswith((",", "auto()"))
    }


def test_maximum_costs_what_the_page_says() -> None:
    page = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
    (diff,) = re.findall(r"```diff\n(.*?)```", page, re.DOTALL)
    told: set[tuple[str, str]] = set()
    path = ""
    for line in diff.splitlines():
        if line.startswith("--- "):
            path = line[4:]
        else:
            told.add((path, line[1:]))
    assert _lines_with("MAXIMUM") == told
