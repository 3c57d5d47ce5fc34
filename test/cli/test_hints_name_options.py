"""Messages and hints name options as the help lists them: not by names that scripts of old may use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import stillpool
from stillpool.cli import main

ROOT = Path(stillpool.__file__).parent
ROOMS = (
    *("cli", "dialects", "driver", "frontends", "lowering", "machines", "planner"),
    *("report", "run", "targets", "transforms", "tune"),
)
DEFINED = {
    "cli/options.py",
    "cli/budgets.py",
    "cli/compile.py",
    "driver/options/stated.py",
}
"""Files that define options, or write down those of a build."""


def _unlisted() -> set[str]:
    """Names that every verb's help leaves out."""
    context = click.Context(main)
    verbs = [main.get_command(context, name) for name in main.list_commands(context)]
    options = [one for verb in verbs if verb for one in verb.params if isinstance(one, click.Option)]
    hidden, listed = (
        {name for one in options if one.hidden is is_hidden for name in (*one.opts, *one.secondary_opts)}
        for is_hidden in (True, False)
    )
    return hidden - listed


def _texts(file: Path) -> Iterator[tuple[int, str]]:
    """Strings of a file with their lines, docstrings aside."""
    tree = ast.parse(file.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def test_some_names_are_unlisted() -> None:
    assert {"--keep-inputs", "--schedule-ram", "--max-flash"} <= _unlisted()


@pytest.mark.parametrize("room", ROOMS)
def test_no_text_names_them(room: str) -> None:
    unlisted = _unlisted()
    assert all((ROOT / name).is_file() for name in DEFINED)
    files = [file for file in sorted((ROOT / room).rglob("*.py")) if str(file.relative_to(ROOT)) not in DEFINED]
    assert files
    found = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in files
        for line, text in _texts(file)
        for name in re.findall(r"--[a-z][a-z-]+", text)
        if name in unlisted
    ]
    assert not found
