"""Help of a verb on one screen, with the options in the order of use; `--help-all` shows every option."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import click

from .gathered import Gathered, check_once

WIDTH = 80
_ALL = "stillpool.help_all"
_COLUMN = 30
"""Where what an option does begins."""
Words = str | Callable[[], Sequence[str]]


def _targets() -> Sequence[str]:
    from ..machines.cpus import cpu_names

    return "host (default)", *cpu_names()


def _boards() -> Sequence[str]:
    from ..machines.boards import board_names

    return board_names()


def _formats() -> Sequence[str]:
    from ..targets.projects.registry import format_names

    return tuple(f"{name} (default)" if name == "dir" else name for name in format_names())


def _algorithms() -> Sequence[str]:
    from ..planner import DEFAULT, algorithms

    return tuple(f"{name} (default)" if name == DEFAULT else name for name in algorithms())


GROUPS: Mapping[str, Mapping[str, tuple[str, Words]]] = {
    "Output": {
        "output_dir": ("DIR", "Folder of the C project."),
        "format_": ("FORMAT", _formats),
        "emit": ("LEVEL", "Print nn, tasks, memref, pools, emitc or c."),
    },
    "Target": {
        "target": ("CPU", _targets),
        "board": ("NAME", "One that stillpool fit lists, or a .toml file."),
        "optimize": ("GOAL", "balanced, size, speed or ram."),
        "max": ("ram=64K,...", "Budgets of ram, flash, stack, instructions."),
    },
    "Memory": {
        "pool": ("NAME[:size=64K,...]", "A memory; with kind=constant, for weights."),
        "workspace_io": ("WHICH", "all, none or names: inputs and outputs within."),
        "rows": ("off|auto|on", "Run row by row where that takes less RAM."),
    },
    "Interface": {
        "interface": ("STYLE", "native (default), tvm, ai or x-cube-ai."),
        "weights": ("FORM", "source (default), incbin or binary."),
        "external": ("KIND=FUNCTION", "Operators that C functions of yours compute."),
    },
}
"""Options of `compile` that its first screen shows: placeholder and words, or a list of what can be chosen."""

FURTHER: Mapping[str, Sequence[str]] = {
    "Output": ("name", "concurrency", "config", "signature", "report", "profile_hooks"),
    "Target": ("opt", "cc", "emulator", "spend", "schedules", "winograd"),
    "Memory": ("builtin_pools", "pin", "align", "row_segments", "planner", "poison"),
    "Interface": ("io", "input_shape", "custom", "source", "shims", "no_clean_up"),
}
"""Options that `--help-all` shows behind those of a group."""

_SHARED = {"target", "board", "optimize"}
"""Options of these groups that verbs with own options show."""

CHOICES: Mapping[str, Callable[[], Sequence[str]]] = {
    "target": _targets,
    "board": _boards,
    "usmp_algorithm": _algorithms,
    "algorithm": _algorithms,
}
"""Choices of options, which `--help-all` lists."""


class Verb(click.Command):
    """A verb whose help fits one screen."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the verb, and --help-all."""
        every = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        )
        return [*super().get_params(ctx), every]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; an option is given once, under one of its names."""
        rest = super().parse_args(ctx, args)
        check_once(ctx)
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The groups, or all options."""
        params = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        options = {str(param.name): param for param in params if not param.hidden}
        planned = _planned(ctx, options.values())
        own = [name for name in options if name not in planned | _SHARED and name not in _GENERAL]
        is_compile = "output_dir" in options and "format_" in options
        if own and not is_compile:
            _section(ctx, formatter, "Options", [options[name] for name in own])
        if ctx.meta.get(_ALL):
            for title, group in GROUPS.items():
                names = [name for name in (*group, *FURTHER[title]) if name in planned | _SHARED & set(options)]
                _section(ctx, formatter, title, [options[name] for name in names])
            _section(ctx, formatter, "Output on the terminal", [options[name] for name in _GENERAL if name in options])
            return
        shown: set[str] = set()
        for title, group in GROUPS.items():
            names = [name for name in group if name in options and (is_compile or name in _SHARED)]
            if names:
                formatter.write(f"\n{title}:\n")
            for name in names:
                formatter.write(_entry(options[name], *group[name]))
            shown.update(names)
        formatter.write("\n")
        formatter.write(_line("--json, --quiet, --verbose", "One JSON document; say less; say more."))
        if hidden := len(planned - shown):
            of_compile = "" if is_compile else " of compile"
            formatter.write(_line("--help-all", f"{hidden} further options{of_compile}."))


_GENERAL = ("as_json", "quiet", "verbose", "_click_default_help", "help", "help_all")


def _planned(ctx: click.Context, options: Iterable[click.Option]) -> set[str]:
    """Names of those options that are those of `compile`, with the same words."""
    group = None if ctx.parent is None else ctx.parent.command
    compile = group.get_command(ctx, "compile") if isinstance(group, click.Group) else None
    params = [] if compile is None else compile.params
    words = {param.name: param.help for param in params if isinstance(param, click.Option)}
    return {str(one.name) for one in options if one.name in words and words[one.name] == one.help} - {*_GENERAL}


def _section(ctx: click.Context, formatter: click.HelpFormatter, title: str, options: Sequence[click.Option]) -> None:
    records = [record for option in options for record in _records(ctx, option)]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)


def _records(ctx: click.Context, option: click.Option) -> Iterator[tuple[str, str]]:
    """An option and what it does, then the settings that it has; in the list of everything what can be chosen, too."""
    if (record := option.get_help_record(ctx)) is None:
        return
    yield record[0], _said(ctx, option, record[1])
    if isinstance(option, Gathered):
        for setting in option.settings(ctx.command):
            yield (
                f"  {setting.written}",
                f"{_said(ctx, setting.option, setting.option.help or '')} Also: {setting.name}.",
            )


def _said(ctx: click.Context, option: click.Option, words: str) -> str:
    listed = CHOICES.get(str(option.name)) if ctx.meta.get(_ALL) else None
    return words if listed is None else f"{words} One of {', '.join(listed())}."


def _entry(option: click.Option, placeholder: str, words: Words) -> str:
    """One option: its names, and what it does or what there is to choose."""
    said = words if isinstance(words, str) else ", ".join(words())
    name = ", ".join(option.opts)
    return _line(f"{name} {placeholder}".strip(), said)


def _line(name: str, said: str) -> str:
    pad = " " * _COLUMN
    lines = textwrap.wrap(said, WIDTH - _COLUMN, break_on_hyphens=False, break_long_words=False)
    if len(name) + 3 > _COLUMN:
        lines = ["", *lines]
    first = f"  {name}".ljust(_COLUMN) + lines[0]
    return "\n".join([first.rstrip(), *(pad + line for line in lines[1:])]) + "\n"


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()
