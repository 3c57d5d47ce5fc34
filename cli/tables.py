"""Rich tables as text, for standard output."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

PIPED_COLUMNS = 200
"""Width of tables that do not go to a terminal."""


def on_terminal() -> bool:
    """Whether what is printed goes to a terminal."""
    return sys.stdout.isatty()


def rendered(*parts: RenderableType) -> str:
    """Tables and texts below each other; coloured on a terminal unless NO_COLOR is set."""
    from rich.console import Console

    terminal = on_terminal()
    width = shutil.get_terminal_size().columns if terminal else PIPED_COLUMNS
    plain = not terminal or bool(os.environ.get("NO_COLOR"))
    console = Console(
        file=StringIO(), width=width, force_terminal=terminal, no_color=plain, highlight=False, markup=False
    )
    for part in parts:
        console.print(part)
    assert isinstance(console.file, StringIO), "given above"
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """A table; columns of numbers are aligned to the right, with thousands marks, None shows as a dash."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE, pad_edge=False)
    for index, head in enumerate(heads):
        numbers = all(row[index] is None or isinstance(row[index], int | float) for row in rows)
        made.add_column(
            Text(head),
            justify="right" if numbers else "left",
            no_wrap=numbers,
            overflow="fold" if numbers else "ellipsis",
        )
    for row in rows:
        made.add_row(*(Text(_cell(value)) for value in row))
    return made


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
