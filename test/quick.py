"""Which tests are quick: those whose modules, with their helpers, start no program and compile no model."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SLOW = (
    "subprocess",
    "click",
    "hypothesis",
    "multiprocessing",
    "sweeps",
    "stillpool.cli",
    "stillpool.driver",
    "stillpool.report",
    "stillpool.run",
    "stillpool.tune",
)
"""Modules that start programs, compile models, or repeat a test many times."""


@cache
def is_quick(path: Path) -> bool:
    """Whether nothing that a module of tests imports is slow; helpers and fixtures count as what they import."""
    tree = ast.parse(path.read_text())
    # Whoever has a part in the sweep repeats itself every day too.
    if any(isinstance(node, ast.Attribute) and node.attr == "sweep" for node in ast.walk(tree)):
        return False
    return not any(_is_slow(name, path) for name in _imported(tree)) and all(
        is_quick(folder / "conftest.py")
        for folder in path.parents
        if HERE in folder.parents and path.name != "conftest.py" and (folder / "conftest.py").is_file()
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # What stands in stillpool itself compiles, and the rest are rooms.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_slow(name: str, path: Path) -> bool:
    if name == "stillpool" or name.startswith(("stillpool.compile", "stillpool.Artifact")):
        return True
    if any(f"{name}.".startswith(f"{slow}.") for slow in SLOW):
        return True
    first = name.split(".")[0]
    helpers = (folder / f"{first}.py" for folder in (path.parent, HERE, HERE.parent / "bench"))
    return any(helper.is_file() and helper != path and not is_quick(helper) for helper in helpers)
