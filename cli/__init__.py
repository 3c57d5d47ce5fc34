"""The `stillpool` command: one file per verb, each loaded when it is asked for."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import Any

import click

from ..errors import StillpoolError
from .interrupt import Interrupted, done, interruptible
from .output import escape_what_cannot_be_written, report_error, wants_documents

VERBS = {
    "analyze": "show the memory plan of a model, and where its peak lies",
    "audit": "compare a linked program with the memory plan of its model",
    "compile": "write a C project for a model",
    "diff": "compare two compiled projects: pools, buffers, RAM, flash, MACs",
    "fit": "say whether a model fits a board, and what is short",
    "ops": "list the operators and types that can be compiled",
    "plan": "place buffers in pools, from a CSV or JSON file",
    "profile": "count the instructions of every operator on an emulated processor",
    "run": "compile a model and run it, here or on an emulated processor",
    "tune": "search faster schedules for a processor by measuring them",
    "verify": "compare the compiled model with a reference interpreter",
}
"""Verbs and what they do; the module of the same name holds a click command of the same name."""

INTERNAL_ERROR = 70


class Verbs(click.Group):
    """A group that loads a verb's module late and turns every exception into an exit code and one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all verbs."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        if cmd_name not in VERBS:
            return None
        return getattr(importlib.import_module(f".{cmd_name}", __name__), cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run on the command line's arguments; Ctrl-C ends with 130, without a traceback."""
        escape_what_cannot_be_written()
        with interruptible():
            return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line."""
        try:
            return super().make_context(*args, **extra)
        except Interrupted as signal:
            raise click.exceptions.Exit(signal.exit_code) from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the verb; errors of its command line are a document too if it has --json."""
        if "--json" in args:
            wants_documents(ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; a user's mistake ends with its class's exit code, a bug with 70."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                done()
        except StillpoolError as error:
            report_error(ctx, error.message, error.remedy, error.exit_code, error.lines)
            ctx.exit(error.exit_code)
        except Interrupted as signal:
            ctx.exit(signal.exit_code)
        except click.UsageError as error:
            where = (error.ctx or ctx).command_path
            report_error(ctx, _sentence(error.format_message()), f"{where} --help shows what there is", error.exit_code)
            ctx.exit(error.exit_code)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            # click knows what to do with its own, and with a closed pipe.
            raise
        except (OSError, MemoryError) as error:
            why = "out of memory" if isinstance(error, MemoryError) else error
            report_error(ctx, f"the system refused: {why}", None, StillpoolError.exit_code)
            ctx.exit(StillpoolError.exit_code)
        except Exception as error:
            report_error(ctx, *internal_error(error), INTERNAL_ERROR)
            ctx.exit(INTERNAL_ERROR)


def internal_error(error: Exception) -> tuple[str, str]:
    """Message and remedy for a bug; print where it happened if the environment asks for that."""
    if os.environ.get("STILLPOOL_TRACEBACK"):
        traceback.print_exception(error, file=sys.stderr)
    what = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    remedy = "please report this bug in stillpool; STILLPOOL_TRACEBACK=1 shows where it happened"
    return f"internal error: {what}", remedy


def _sentence(message: str) -> str:
    """Message of click in one line, without the full stop."""
    return " ".join(message.split()).removesuffix(".")


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="stillpool", prog_name="stillpool")
def main() -> None:
    """From a trained model to plain C, every byte of RAM planned at compile time.

    Exit codes: 0 done, 1 the input is wrong, 2 wrong usage, 3 over a memory budget, 4 verification failed,
    5 unsupported operator or type, 70 a bug in stillpool, 130 interrupted by Ctrl-C.
    """
