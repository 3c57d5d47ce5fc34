"""The page of the command line, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from stillpool.cli import VERBS, main
from stillpool.cli.gathered import Gathered


def page() -> str:
    """The page's text."""
    parts = [f"{_prose(main.help)}\n", "Every verb has `--help`.\n"]
    context = click.Context(main, info_name="stillpool")
    for verb in VERBS:
        command = main.get_command(context, verb)
        assert command is not None, "every verb has a command"
        parts += _verb(verb, command, click.Context(command, info_name=verb, parent=context))
    return "\n".join(parts)


def _verb(verb: str, command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## `stillpool {verb}`\n"
    yield f"```text\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    yield f"{_prose(command.help)}\n"
    options = [option for option in command.params if isinstance(option, click.Option) and not option.hidden]
    rows = [row for option in options for row in _rows(option, context)]
    yield "\n".join(["| option | |", "|---|---|", *sorted(rows), ""])


def _value(metavar: str) -> str:
    """The choices without the brackets around all of them."""
    return metavar[1:-1] if re.fullmatch(r"\[[^\[\]]*\]", metavar) else metavar


def _rows(option: click.Option, context: click.Context) -> Iterator[str]:
    """An option, or the settings that it gathers."""
    if isinstance(option, Gathered):
        for setting in option.settings(context.command):
            words = f"{_said(setting.option)} Also: {setting.name}."
            yield _row(f"{option.opts[0]} {setting.written}", words)
        return
    names = ", ".join([*option.opts, *option.secondary_opts])
    value = "" if option.is_flag or option.count else f" {_value(option.make_metavar(context))}"
    yield _row(names + value, _said(option))


def _said(option: click.Option) -> str:
    help = _prose(option.help)
    if isinstance(option.default, str | int | float) and not option.is_flag and "efault" not in help:
        help += f" Default: {option.default}."
    return help


def _row(written: str, words: str) -> str:
    cells = [cell.replace("|", "\\|") for cell in (f"`{written}`", words)]
    return f"| {cells[0]} | {cells[1]} |"


def _prose(text: str | None) -> str:
    return re.sub(r"[ \n]+", " ", (text or "").replace("\b", "")).strip()
