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


USMP = ROOT / "transforms" / "usmp"


def reached(start: Path) -> set[Path]:
    """Files of the package that a file's relative imports lead to, directly or not, wherever they stand."""
    found, waiting = set[Path](), [start]
    while waiting:
        path = waiting.pop()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                named = [base, *(base / alias.name for alias in node.names)]
                files = {file for n in named for file in (n.with_suffix(".py"), n / "__init__.py") if file.is_file()}
                waiting += files - found
                found |= files
    return found


def test_the_check_reaches_nothing_that_makes_a_plan() -> None:
    files = reached(USMP / "check" / "check_pass.py")
    assert {"check/timed_run.py", "analysis/sound.py"} <= {
        f.relative_to(USMP).as_posix() for f in files if USMP in f.parents
    }
    makers = (ROOT / "planner", ROOT / "lowering", USMP / "placing", USMP / "rewriting")
    assert [str(file.relative_to(ROOT)) for file in sorted(files) if any(m in file.parents for m in makers)] == []


def test_folders_of_usmp_import_only_those_below_them() -> None:
    order = ("analysis", "check", "rewriting", "placing")
    for position, folder in enumerate(order):
        above = [USMP / other for other in order[position + 1 :]]
        for path in sorted((USMP / folder).glob("*.py")):
            assert [str(f.relative_to(ROOT)) for f in reached(path) if f.parent in above] == [], path
