"""`stillpool fit`: whether a model fits a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, InputError, UsageError
from .emulation import DEFAULT_LEVEL, HOST
from .options import MODEL, plan_options, prepared
from .output import Output, output_options, result_and_error
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

    Where its buffers cannot be placed within the memories, the table shows what they take without limits. The processor
    is the board's unless --target names one. Exit code 3 if it does not fit.
    """
    if board is None:
        raise UsageError("there is no board to fit", remedy="name a preset or a .toml file by --board")
    from ..driver.explain.variants import unlimited
    from ..driver.fit import uses
    from ..targets.boards import get_board

    found = get_board(board)
    target = found.target if target == HOST else target
    compilation, over = prepared(model, target=target, board=board, **options), None
    try:
        artifact = compilation.result()
    except BudgetError as error:
        artifact, over = unlimited(compilation).result(), error
    try:
        used = uses(artifact, found, target, cc=cc, opt=opt)
    except InputError as error:
        # What fits no memories at all cannot be linked either.
        raise over or error from error
    if target == HOST:
        output.say(f"there is no profile of {found.cpu}: code and stack are not counted")
    elif not any("stack" in use.parts for use in used):
        output.say("the worst case of the stack is unknown and not counted")
    name = artifact.description.name
    shorts = [
        f"{use.memory.name} by {use.short:,} bytes ({use.bytes:,} of {use.memory.bytes:,})" for use in used if use.short
    ]
    if shorts and over is None:
        over = BudgetError(f"{name} does not fit {found.name}: short are {', '.join(shorts)}")
    document: dict[str, Any] = {"model": name, "board": found.name, "target": target, "fits": over is None}
    document["memories"] = [use.document() for use in used]
    text = _text(f"{name} {'fits' if over is None else 'does not fit'} {found.name}", used)
    if over is not None:
        result_and_error(click.get_current_context(), output, document, text, over)
    output.result(document, text)


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
