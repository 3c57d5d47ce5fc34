"""`stillpool fit`: whether a model fits a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, UsageError
from .emulation import DEFAULT_LEVEL, HOST
from .options import MODEL, plan_options, prepared
from .output import Output, output_options
from .tables import rendered, table

if TYPE_CHECKING:
    from ..driver.fit import Use


@click.command()
@click.argument("model", type=MODEL)
@click.option("--opt", default=DEFAULT_LEVEL, metavar="0|1|2|3|s", help="Level of -O of the code. Default: 2.")
@click.option("--cc", metavar="gcc|zig|PROGRAM", help="Compiler of the code. Default: gcc if there, else zig.")
@plan_options
@output_options
def fit(model: Path, opt: str, cc: str | None, board: str | None, target: str, output: Output, **options: Any) -> None:
    """Say whether MODEL fits the memories of a board (--board), and what is short if it does not.

    The processor is the board's unless --target names one. Exit code 3 if it does not fit.
    """
    if board is None:
        raise UsageError("there is no board to fit", remedy="name a preset or a .toml file by --board")
    from ..driver.fit import uses
    from ..targets.boards import get_board

    found = get_board(board)
    target = found.target if target == HOST else target
    artifact = prepared(model, target=target, board=board, **options).result()
    used = uses(artifact, found, target, cc=cc, opt=opt)
    if target == HOST:
        output.say(f"there is no profile of {found.cpu}: code and stack are not counted")
    elif not any("stack" in use.parts for use in used):
        output.say("the worst case of the stack is unknown and not counted")
    short = [
        f"{use.memory.name} by {use.short:,} bytes ({use.bytes:,} of {use.memory.bytes:,})" for use in used if use.short
    ]
    name = artifact.description.name
    if short:
        raise BudgetError(f"{name} does not fit {found.name}: short are {', '.join(short)}")
    document = {"model": name, "board": found.name, "target": target, "fits": True}
    output.result({**document, "memories": [use.document() for use in used]}, _text(f"{name} fits {found.name}", used))


def _text(verdict: str, used: list[Use]) -> str:
    heads = ("memory", "bytes", "used", "free", "of these")
    rows = [
        (
            use.memory.name,
            use.memory.bytes,
            use.bytes,
            use.memory.bytes - use.bytes,
            ", ".join(f"{what} {count:,}" for what, count in use.parts.items()),
        )
        for use in used
    ]
    return rendered(verdict, table("", heads, rows))
