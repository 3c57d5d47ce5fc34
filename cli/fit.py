"""`stillpool fit`: whether a model fits a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, InputError, UsageError
from .effects import refuse_given
from .emulation import DEFAULT_LEVEL, HOST
from .help import Verb
from .options import MODEL, plan_options, prepared
from .output import Output, output_options, result_and_error
from .tables import rendered, table

if TYPE_CHECKING:
    from ..driver.fit import Use


@click.command(cls=Verb)
@click.argument("model", type=MODEL)
@click.option("--opt", metavar="0|1|2|3|s", help="Level of -O of the code. Default: 2.")
@click.option("--cc", metavar="gcc|zig|PROGRAM", help="Compiler of the code. Default: gcc if there, else zig.")
@plan_options
@output_options
def fit(
    model: Path, opt: str | None, cc: str | None, board: str | None, target: str, output: Output, **options: Any
) -> None:
    """Say whether MODEL fits the memories of a board (--board), and what is short if it does not.

    Where its buffers cannot be placed within the memories, the table shows what they need. The processor
    is the board's unless --target names one. Exit code 3 if it does not fit.
    """
    if board is None:
        raise UsageError("there is no board to fit", remedy="name a preset or a .toml file by --board")
    from ..driver.explain.variants import accommodated
    from ..driver.fit import uses
    from ..machines.boards import get_board

    found = get_board(board)
    target = found.target if target == HOST else target
    if target == HOST:
        refuse_given(("opt", "cc"), f"there is no profile of {found.cpu}, and no code is compiled for it")
    artifact, short = accommodated(prepared(model, target=target, board=board, **options))
    try:
        used = uses(artifact, found, target, cc=cc, opt=opt or DEFAULT_LEVEL)
    except InputError as error:
        # What fits no memories at all cannot be linked either.
        raise (short[0] if short else error) from error
    if target == HOST:
        output.say(f"there is no profile of {found.cpu}: code and stack are not counted")
    elif not any("stack" in use.parts for use in used):
        output.say("the worst case of the stack is unknown and not counted")
    name = artifact.description.name
    shorts = [
        f"{use.memory.name} by {use.short:,} bytes ({use.bytes:,} of {use.memory.bytes:,})" for use in used if use.short
    ]
    over: BudgetError | None = None
    if short or shorts:
        # The memories as the table has them, with stack and variables; then the plan alone, if that is too large.
        about = [f"short are {', '.join(shorts)}"] if shorts else []
        plan = short[0] if len(short) == 1 else None
        about += [plan.message] if plan is not None else []
        over = BudgetError(
            f"{name} does not fit {found.name}: {'; '.join(about)}", remedy=None if plan is None else plan.remedy
        )
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
