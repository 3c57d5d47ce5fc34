"""`stillpool fit`: whether a model fits a board, or which of several."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, InputError
from .effects import refuse_given
from .emulation import DEFAULT_LEVEL, HOST
from .help import Verb
from .options import MODEL, plan_options, prepared
from .output import Output, output_options, result_and_error
from .tables import rendered, table

if TYPE_CHECKING:
    from ..machines.boards.board import Board
    from ..run.fit import Use

TIME = "milliseconds are estimated, without wait states of flash; > counts one cycle an instruction"


@dataclass(frozen=True)
class _Judged:
    """One model on one board."""

    model: str
    board: Board
    target: str
    used: list[Use]
    over: BudgetError | None
    """The budget that is exceeded; None where the model fits."""
    milliseconds: float | None
    """Milliseconds of one run, estimated; None where the processor is unknown."""
    is_least_time: bool

    def document(self) -> dict[str, Any]:
        """Return the fit as JSON data."""
        return {
            "board": self.board.name,
            "target": self.target,
            "fits": self.over is None,
            "milliseconds": self.milliseconds,
            "is_least_time": self.is_least_time,
            "memories": [use.document() for use in self.used],
        }

    @property
    def time(self) -> str:
        """Milliseconds in words."""
        return "-" if self.milliseconds is None else f"{'>' * self.is_least_time}{self.milliseconds:,.1f}"


@click.command(cls=Verb)
@click.argument("model", type=MODEL)
@click.option("--opt", metavar="0|1|2|3|s", help="Level of -O of the code. Default: 2.")
@click.option("--cc", metavar="gcc|zig|PROGRAM", help="Compiler of the code. Default: gcc if there, else zig.")
@plan_options
@output_options
def fit(
    model: Path, opt: str | None, cc: str | None, board: str | None, target: str, output: Output, **options: Any
) -> None:
    """Say whether MODEL fits a board (--board), and what is short. Without --board, list boards.

    --board A,B,C compares several, and --board all every one. The processor is the board's unless --target names
    one. Exit code 3 if it fits none.
    """
    from ..machines.boards import board_names, get_board

    if board is None:
        _list(output)
        return
    names = board_names() if board == "all" else [board] if Path(board).exists() else board.split(",")
    boards = [get_board(name) for name in names]
    judged: list[_Judged] = []
    for name, one in zip(names, boards, strict=True):
        judged.append(_judge(model, name, one, one.target if target == HOST else target, opt, cc, output, options))
    if len(judged) == 1:
        (found,) = judged
        verdict = f"{found.model} {'fits' if found.over is None else 'does not fit'} {found.board.name}"
        text = _text(verdict, found)
        document: dict[str, Any] = {"model": found.model, **found.document()}
        if found.over is not None:
            result_and_error(click.get_current_context(), output, document, text, found.over)
        output.result(document, text)
        return
    fitting = sum(one.over is None for one in judged)
    document = {"model": judged[0].model, "fitting": fitting, "boards": [one.document() for one in judged]}
    verdict = f"{judged[0].model} fits {fitting} of {len(judged)} boards"
    text = _compared(verdict, judged)
    if not fitting:
        error = BudgetError(f"{judged[0].model} fits none of {len(judged)} boards", remedy="try --optimize ram")
        result_and_error(click.get_current_context(), output, document, text, error)
    output.result(document, text)


def _judge(
    model: Path,
    name: str,
    board: Board,
    target: str,
    opt: str | None,
    cc: str | None,
    output: Output,
    options: dict[str, Any],
) -> _Judged:
    """Compile for one board and compare."""
    from ..report.explain.variants import accommodated
    from ..report.run_time import milliseconds
    from ..run.fit import uses

    if target == HOST:
        refuse_given(("opt", "cc"), f"there is no profile of {board.cpu}, and no code is compiled for it")
    artifact, short = accommodated(prepared(model, target=target, board=name, **options))
    try:
        used = uses(artifact, board, target, cc=cc, opt=opt or DEFAULT_LEVEL)
    except InputError as error:
        # What fits no memories at all cannot be linked either.
        raise (short[0] if short else error) from error
    if target == HOST:
        output.say(f"there is no profile of {board.cpu}: code and stack are not counted")
    elif not any("stack" in use.parts for use in used):
        output.say("the worst case of the stack is unknown and not counted")
    called = artifact.description.name
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
            f"{called} does not fit {board.name}: {'; '.join(about)}", remedy=None if plan is None else plan.remedy
        )
    estimates = artifact.description.estimates
    time, is_least = (None, False) if estimates is None else milliseconds(estimates, board.clock_hz)
    return _Judged(called, board, target, used, over, time, is_least)


def _list(output: Output) -> None:
    """The boards that there are."""
    from ..machines.boards import board_names, get_board

    boards = [get_board(name) for name in board_names()]
    rows = [(b.name, b.cpu, b.clock_hz // 10**6, *(_total(b, kind) for kind in ("ram", "flash"))) for b in boards]
    keys = ("name", "cpu", "clock_mhz", "ram", "flash")
    text = rendered(
        "Name one by --board, several as A,B,C, or all.",
        table("", ("board", "processor", "MHz", "RAM, bytes", "flash, bytes"), rows),
    )
    output.result({"boards": [dict(zip(keys, row, strict=True)) for row in rows]}, text)


def _total(board: Board, kind: str) -> int:
    return sum(memory.bytes for memory in board.memories if memory.kind == kind)


def _compared(verdict: str, judged: list[_Judged]) -> str:
    heads = ("board", "processor", "fits", "RAM used", "of", "flash used", "of ", "ms")
    rows: list[tuple[object, ...]] = []
    for one in judged:
        used = {kind: sum(use.bytes for use in one.used if use.memory.kind == kind) for kind in ("ram", "flash")}
        sizes = (used["ram"], _total(one.board, "ram"), used["flash"], _total(one.board, "flash"))
        rows.append((one.board.name, one.board.cpu, "no" if one.over else "yes", *sizes, one.time))
    return rendered(verdict, table("", heads, rows), TIME)


def _text(verdict: str, judged: _Judged) -> str:
    heads = ("memory", "bytes", "used", "free", "of these")
    rows = [
        (
            use.memory.name,
            use.memory.bytes,
            use.bytes,
            use.memory.bytes - use.bytes,
            ", ".join(f"{what} {count:,}" for what, count in use.parts.items()),
        )
        for use in judged.used
    ]
    clock = f"{judged.board.clock_hz / 1e6:g} MHz"
    about = "at least" if judged.is_least_time else "about"
    time = judged.milliseconds
    said = [] if time is None else [f"one run takes {about} {time:,.1f} ms at {clock}, without wait states of flash"]
    return rendered(verdict, table("", heads, rows), *said)
