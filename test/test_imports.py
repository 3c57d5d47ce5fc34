"""Inside the package imports are relative: a bare import of a room would load a second copy of every class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = sorted(path.parent.name for path in ROOT.glob("*/__init__.py") if not path.parent.name.startswith("."))
FOLDERS = [*ROOMS, "test", "bench", "examples"]


def imported(source: str) -> Iterator[str]:
    """Modules that absolute imports name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_room_is_imported_by_its_bare_name(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: import {module}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for module in imported(path.read_text(encoding="utf-8"))
        if module.partition(".")[0] in ROOMS
    ]
    assert found == []


def test_rooms_are_found() -> None:
    assert {"cli", "dialects", "driver", "planner", "transforms"} <= set(ROOMS)
    source = "import dialects.nn\nfrom . import cli\nfrom driver import tree\n"
    assert list(imported(source)) == ["dialects.nn", "driver"]


def rooms_of(path: Path, source: str) -> Iterator[str]:
    """Other rooms that relative imports lead to, wherever they stand."""
    here = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((*base, *name.split("."))[0] for name in names)


def test_rooms_do_not_import_each_other_in_a_circle() -> None:
    needs = {
        room: {
            other
            for path in (ROOT / room).rglob("*.py")
            for other in rooms_of(path, path.read_text(encoding="utf-8"))
            if other in ROOMS and other != room
        }
        for room in ROOMS
    }
    assert needs["lowering"] >= {"dialects"}
    TopologicalSorter(needs).prepare()


def test_where_relative_imports_lead() -> None:
    path = ROOT / "lowering" / "nn" / "rows.py"
    source = (
        "from ...dialects.nn import ops\nfrom ... import errors\nfrom .kernel import Kernel\nfrom .. import loops\n"
    )
    assert list(rooms_of(path, source)) == ["dialects", "errors", "lowering", "lowering"]
