"""Inside the package imports are relative: a bare import of a room would load a second copy of every class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
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


@cache
def files_imported(path: Path, *, typing: bool = False) -> set[Path]:
    """Files of the package that a file's relative imports name, in functions too; for annotations if `typing`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    idle = set[int]() if typing else {id(inner) for node in checks for inner in ast.walk(node)}
    found = set[Path]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level and id(node) not in idle:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            places = [file_of(base / alias.name) or file_of(base) for alias in node.names]
            found |= {place for place in places if place is not None and place != path}
    return found


def file_of(module: Path) -> Path | None:
    return next((file for file in (module.with_suffix(".py"), module / "__init__.py") if file.is_file()), None)


def reached(start: Path) -> set[Path]:
    """Files that a file's imports lead to, directly or not."""
    found, waiting = set[Path](), [start]
    while waiting:
        more = files_imported(waiting.pop()) - found
        found |= more
        waiting += more
    return found


def test_files_do_not_import_each_other_in_a_circle() -> None:
    """Not within functions either: what two files need of each other belongs in a third, below both."""
    files = [*ROOT.glob("*.py"), *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
    needs = {path: files_imported(path) for path in files}
    doors, within = ROOT / "driver" / "models" / "doors.py", ROOT / "driver" / "models" / "mlir_model.py"
    assert within in needs[doors], "an import within a function counts"
    TopologicalSorter(needs).prepare()


def in_circles(folder: Path) -> set[str]:
    """What stands in a folder, files and folders, and imports each other in a circle, for annotations too."""
    needs: dict[str, set[str]] = {}
    for path in folder.rglob("*.py"):
        own = needs.setdefault(path.relative_to(folder).parts[0], set())
        own |= {
            other.relative_to(folder).parts[0] for other in files_imported(path, typing=True) if folder in other.parents
        }
    for name, others in needs.items():
        others.discard(name)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return set(error.args[1])
    return set()


def test_what_stands_in_a_folder_has_an_order() -> None:
    """Rooms within rooms too: a folder is ordered with the files beside it."""
    folders = {path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    found = {folder.relative_to(ROOT).as_posix(): in_circles(folder) for folder in folders}
    assert {folder: circle for folder, circle in found.items() if circle} == {}


def test_rooms_stand_on_those_before_them() -> None:
    order = ("driver", "report", "run", "tune", "cli")
    for position, room in enumerate(order):
        needs = {
            name for path in (ROOT / room).rglob("*.py") for name in rooms_of(path, path.read_text(encoding="utf-8"))
        }
        assert needs.isdisjoint(order[position + 1 :]), room


def test_the_check_reaches_nothing_that_makes_a_plan() -> None:
    files = reached(USMP / "check" / "check_pass.py")
    assert {"check/timed_run.py", "analysis/sound.py"} <= {
        f.relative_to(USMP).as_posix() for f in files if USMP in f.parents
    }
    makers = (ROOT / "planner", ROOT / "lowering", USMP / "placing", USMP / "rewriting")
    assert [str(file.relative_to(ROOT)) for file in sorted(files) if any(m in file.parents for m in makers)] == []


def test_planning_reaches_no_operators_of_networks() -> None:
    """Their dialect takes a fifth of the time in which a planning pass starts."""
    files = reached(USMP / "usmp.py")
    assert ROOT / "targets/identifiers/headers.py" in files
    assert [file.name for file in sorted(files) if ROOT / "dialects/nn" in file.parents] == []


def test_folders_of_usmp_import_only_those_below_them() -> None:
    order = ("analysis", "check", "rewriting", "placing")
    for position, folder in enumerate(order):
        above = [USMP / other for other in order[position + 1 :]]
        for path in sorted((USMP / folder).glob("*.py")):
            assert [str(f.relative_to(ROOT)) for f in reached(path) if f.parent in above] == [], path
