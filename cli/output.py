"""Where the command line's words go: results to standard output, prose and errors to standard error."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import Any, NoReturn, TextIO, TypeVar

import click

from ..documents import MOST_NUMBER
from ..outside import is_well_formed, printable
from .progress import Line, Notes

_JSON = "stillpool.json"
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Output:
    """Output of a verb: a document or text, and how much of it."""

    json: bool
    verbosity: int
    """-1 quiet, 0 normal, 1 verbose."""
    line: Line = field(default_factory=lambda: Line(wanted=False))
    """The line that says what is being done, on a terminal."""

    @property
    def wants_progress(self) -> bool:
        """Whether a terminal may show how far long work is."""
        return not self.json and self.verbosity >= 0

    def say(self, text: str, level: int = 0) -> None:
        """Prose for people, on standard error; `level` 1 is only said with -v."""
        if self.verbosity >= level:
            self.line.hide()
            click.echo(broken(text, sys.stderr), err=True)

    def result(self, document: Any, text: str) -> None:
        """The verb's answer on standard output: the JSON document, or the text when there is any.

        Every document has the version of its schema; one that is a manifest has its own. -q leaves out texts.
        """
        self.line.hide()
        if self.json:
            from ..report.schemas import versioned

            _print(versioned(document))
        elif text and self.verbosity >= 0:
            click.echo(broken(text.rstrip("\n"), sys.stdout))


def output_options(command: Command) -> Command:
    """Add --json, -q and -v; the command receives `output: Output`."""

    def remember(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
        if value:
            wants_documents(ctx)
        return value

    def quiet_or_verbose(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
        if value and ctx.params.get("quiet"):
            raise click.UsageError("--quiet and --verbose contradict each other", ctx)
        return value

    from functools import wraps

    @wraps(command)
    def wrapped(*args: Any, as_json: bool, quiet: bool, verbose: bool, **options: Any) -> Any:
        from ..progress import listening, warned

        for name, value in options.items():
            _check(name, value)
        line, notes = Line(wanted=not (as_json or quiet)), Notes(wanted=not (as_json or quiet))

        def show(what: str) -> None:
            line.show(what)
            notes.show(what)

        output = Output(as_json, 1 if verbose else -1 if quiet else 0, line)
        try:
            with listening(show), warned(lambda what: output.say(f"note: {printable(what)}")):
                return command(*args, output=output, **options)
        finally:
            line.hide()
            notes.end()

    decorated: Any = wrapped
    for option in (
        click.option("-v", "--verbose", is_flag=True, callback=quiet_or_verbose, help="Say more."),
        click.option("-q", "--quiet", is_flag=True, is_eager=True, help="Say nothing but errors."),
        click.option(
            "--json", "as_json", is_flag=True, is_eager=True, callback=remember, help="Print one JSON document."
        ),
    ):
        decorated = option(decorated)
    return decorated


def _check(name: str, value: Any) -> None:
    """Refuse words that no file could hold, and numbers of more than 63 bits; paths are any bytes."""
    for one in value if isinstance(value, tuple | list) else (value,):
        match one:
            case str() if not is_well_formed(one):
                wrong = f"'{printable(one)}' of {{}} is not UTF-8"
            case int() | float() if not abs(one) <= MOST_NUMBER:
                wrong = f"{{}}: {str(one)[:20]} is no number below 2**63"
            case _:
                continue
        raise click.UsageError(wrong.format(name.replace("_", "-")))


def escape_what_cannot_be_written() -> None:
    """From here on, standard output and error show what their encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def wants_documents(ctx: click.Context) -> None:
    """Remember that errors are to be documents too."""
    ctx.meta[_JSON] = True


def report_error(ctx: click.Context, message: str, remedy: str | None, code: int, lines: Sequence[str] = ()) -> None:
    """The message, of which `lines` are the end, on standard error; with --json also the document `{"error": ...}` on
    standard output.
    """
    say_error(message, remedy, lines)
    if ctx.meta.get(_JSON):
        from ..report.schemas import versioned

        _print(versioned({"error": {"message": message, "remedy": remedy, "exit_code": code}}))


def result_and_error(ctx: click.Context, output: Output, document: dict[str, Any], text: str, error: Any) -> NoReturn:
    """Print a result and the error (of `errors`) that it makes, as a document or as text and a line of prose; end."""
    entry = {"message": error.message, "remedy": error.remedy, "exit_code": error.exit_code}
    output.result({**document, "error": entry}, text)
    say_error(error.message, error.remedy, error.lines)
    ctx.exit(error.exit_code)


def _print(document: Any) -> None:
    from ..report.manifest import dump

    click.echo(dump(document), nl=False)


def broken(text: str, stream: TextIO) -> str:
    """Break lines at spaces that are longer than a terminal, which would break them within words.

    Args:
        text: what is printed; lines with colours are left as they are.
        stream: where it is printed.
    """
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:
        columns = 0
    if columns == 0:
        return text
    return "\n".join(_broken(line, columns) for line in text.split("\n"))


def _broken(line: str, columns: int) -> str:
    if len(line) <= columns or "\x1b" in line:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    parts = textwrap.wrap(
        line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
    return "\n".join(parts)


def say_error(message: str, remedy: str | None, lines: Sequence[str] = ()) -> None:
    """One line on standard error, and one for each of `lines`, the message's end, whatever a file brought into them.

    The remedy ends the first line; on a terminal, and where there are `lines`, it is the last one.
    """
    message = message.removesuffix("".join(f"\n{line}" for line in lines))
    if remedy is not None and (lines or sys.stderr.isatty()):
        lines = *lines, remedy if lines else f"  {remedy}"
    elif remedy is not None:
        message = f"{message}; {remedy}"
    text = broken("\n".join(map(printable, (f"error: {message}", *lines))), sys.stderr)
    click.echo(text.replace("error", click.style("error", fg="red"), 1) if _colour() else text, err=True)


def _colour() -> bool:
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")
