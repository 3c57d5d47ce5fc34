"""Options that gather others: `--max ram=64K,flash=1M` is `--max-ram 64K --max-flash 1M`.

A verb has each gathered option under its own name too, hidden from its help. Scripts and project files may use either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ..errors import UsageError
from ..outside import printable

_SET = "stillpool.gathered"


@dataclass(frozen=True)
class Setting:
    """A setting of a gathered option."""

    written: str
    """Form in which it is written: `ram=BYTES`."""
    name: str
    """The name of the option that it is: `--max-ram`."""
    option: click.Option


class Gathered(click.Option):
    """An option with settings, `KEY[=VALUE],...`, each of which is another option of the verb."""

    def __init__(self, names: Sequence[str], keys: Mapping[str, str], help: str) -> None:
        """Name the option, and the option of the verb that each key sets."""
        super().__init__(
            names,
            multiple=True,
            is_eager=True,
            expose_value=False,
            callback=_set,
            metavar="KEY[=VALUE],...",
            help=help,
        )
        self.keys = keys

    def settings(self, command: click.Command) -> Iterator[Setting]:
        """Yield the settings, which are options of `command`."""
        for key, name in self.keys.items():
            option = option_of(command, name)
            yield Setting(key if option.is_flag else f"{key}={_value(option)}", name, option)


def option_of(command: click.Command, name: str) -> click.Option:
    """Return the option of a verb that is called `name`."""
    found = [o for o in command.params if isinstance(o, click.Option) and name in (*o.opts, *o.secondary_opts)]
    assert len(found) == 1, f"{command.name} has one option {name}"
    return found[0]


def listed_name(command: click.Command, option: click.Option) -> str:
    """The name of an option of a verb as its help lists it: `--max ram`, or its own."""
    for gathered in (one for one in command.params if isinstance(one, Gathered)):
        for key, name in gathered.keys.items():
            if option.hidden and name in (*option.opts, *option.secondary_opts):
                return f"{max(gathered.opts, key=len)} {key}"
    return max(option.opts, key=len)


def check_once(ctx: click.Context) -> None:
    """Refuse an option that is given under its own name beside the option that gathers it.

    Raises:
        UsageError: there is one.
    """
    for name, word in ctx.meta.get(_SET, {}).items():
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            own = next(max(o.opts, key=len) for o in ctx.command.params if o.name == name)
            raise UsageError(f"{word} and {own} are the same option", remedy="give one of them")


def _set(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> None:
    """Make the settings values of the options that they name, before those of a project file."""
    assert isinstance(option, Gathered), "it is the callback of such an option"
    values: dict[str, Any] = {}
    words: dict[str, str] = ctx.meta.setdefault(_SET, {})
    for text in (item for given in texts for item in _items(given, option.keys)):
        key, equals, value = text.partition("=")
        said = f"{option.opts[0]} {printable(text)}"
        if key not in option.keys:
            known = ", ".join(setting.written for setting in option.settings(ctx.command))
            raise UsageError(f"{said}: there is no such setting", remedy=f"known are {known}")
        target = option_of(ctx.command, option.keys[key])
        if target.is_flag == bool(equals):
            needs = "is not followed by a value" if target.is_flag else f"needs a value, {key}={_value(target)}"
            raise UsageError(f"{said}: {key} {needs}")
        if target.name in values:
            raise UsageError(f"{option.opts[0]}: {key} is given twice", remedy="give it once")
        assert target.name is not None, "every option has a name"
        values[target.name] = option.keys[key] in target.opts if target.is_flag else value
        words[target.name] = f"{option.opts[0]} {key}"
    ctx.default_map = {**(ctx.default_map or {}), **values}


def _items(text: str, keys: Mapping[str, str]) -> list[str]:
    """The settings of a text; a comma that no key follows is part of a value."""
    known = "|".join(map(re.escape, keys))
    return re.split(rf",(?=(?:{known})(?:=|,|$))", text)


def _value(option: click.Option) -> str:
    """Name the kind of value, or the values that there are."""
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return option.metavar or "|".join(map(str, choices))
