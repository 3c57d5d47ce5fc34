"""What messages tell the user to type exists: every option that they name is an option of some verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click

from stillpool.cli import main

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "cli",
    "driver",
    "report",
    "run",
    "frontends",
    "dialects",
    "lowering",
    "transforms",
    "machines",
    "planner",
    "targets",
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
OF_STILLPOOL_OPT = {"--passes"}
OF_VELA = {"--memory-mode"}
OF_MLIR_OPT = {"--lift-cf-to-scf", "--normalize-memrefs"}


def options() -> set[str]:
    """The long options of all verbs."""
    context = click.Context(main)
    verbs = [main.get_command(context, name) for name in main.list_commands(context)]
    return {option for verb in verbs if verb is not None for parameter in verb.params for option in parameter.opts}


def messages(path: Path) -> Iterator[str]:
    """Texts in what is raised, and in what is said."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise | ast.Call):
            yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and _is_prose(part))


def _is_prose(part: ast.Constant) -> bool:
    return isinstance(part.value, str) and " " in part.value and "{" not in part.value


def test_options_that_messages_name_exist() -> None:
    known = options() | OF_STILLPOOL_OPT | OF_MLIR_OPT | OF_VELA | {"--help", "--version"}
    named = {
        (option, str(path.relative_to(ROOT)))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for text in messages(path)
        for option in OPTION.findall(text)
    }
    assert {"--target", "--workspace-io", "--board"} <= {option for option, _ in named}
    assert sorted(pair for pair in named if pair[0] not in known) == []
