"""Options that say what an inference may take on the processor it is compiled for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import UsageError
from .gathered import Gathered

if TYPE_CHECKING:
    from ..run.budgets import Budgets

Command = TypeVar("Command", bound=Callable[..., Any])


class Bytes(click.ParamType):
    """A number of bytes, such as 65536, 0x10000 or 64K."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from ..driver.options.pool_spec import parse_bytes

        where = param.opts[0] if param is not None else self.name
        return value if isinstance(value, int) else parse_bytes(value, where)


def budget_options(command: Command) -> Command:
    """Add --max, which gathers --max-flash, -ram, -stack and -instructions; the command receives `budgets: Budgets`."""

    @wraps(command)
    def wrapped(
        *args: Any,
        max_flash: int | None,
        max_ram: int | None,
        max_stack: int | None,
        max_instructions: int | None,
        **options: Any,
    ) -> Any:
        from ..run.budgets import Budgets

        return command(*args, budgets=Budgets(max_flash, max_ram, max_stack, max_instructions), **options)

    decorated: Any = wrapped
    for option in (
        click.option(
            "--max",
            cls=Gathered,
            keys={name: f"--max-{name}" for name in ("ram", "flash", "stack", "instructions")},
            help="Budgets of one inference on a --target. More than a budget is exit code 3.",
        ),
        click.option(
            "--max-instructions",
            type=click.IntRange(0),
            metavar="N",
            help="Budget of instructions of one inference.",
            hidden=True,
        ),
        click.option(
            "--max-stack", type=Bytes(), metavar="BYTES", help="Budget of the worst case of the stack.", hidden=True
        ),
        click.option("--max-ram", type=Bytes(), metavar="BYTES", help="Budget of RAM without the stack.", hidden=True),
        click.option(
            "--max-flash", type=Bytes(), metavar="BYTES", help="Budget of flash: code, weights, tables.", hidden=True
        ),
    ):
        decorated = option(decorated)
    return decorated


def refuse_budgets(budgets: Budgets, why: str, remedy: str) -> None:
    """Refuse budgets where they cannot be checked.

    Raises:
        UsageError: one was given.
    """
    for name in budgets.given():
        raise UsageError(f"--max {name} {why}", remedy=remedy)
