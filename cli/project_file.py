"""Project files: the options of `compile` as keys of a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from ..errors import InputError

_PATHS = ("models", "output_dir")
_ALIASES = {"model": "models", "output": "output_dir", "format": "format_"}


def project_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Make the file's keys the defaults of the command's options; paths are relative to the file.

    Raises:
        InputError: the file cannot be read, is not TOML, or has a key that is not an option.
    """
    if path is None:
        return
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from error
    known = {parameter.name: parameter for parameter in ctx.command.params if parameter.name}
    defaults: dict[str, Any] = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        name = _ALIASES.get(name, name)
        if name not in known or not known[name].expose_value:
            listed = ", ".join(sorted(name.strip("_").replace("_", "-") for name in known if known[name].expose_value))
            raise InputError(f"{path}: unknown key '{key}'", remedy=f"known are {listed}")
        defaults[name] = _value(path, key, value, known[name], is_path=name in _PATHS)
    ctx.default_map = {**(ctx.default_map or {}), **defaults}


def _value(path: Path, key: str, value: Any, parameter: click.Parameter, *, is_path: bool) -> Any:
    """One key's value as the option takes it."""
    several = parameter.multiple or parameter.nargs == -1
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    items = value if isinstance(value, list) and several else [value]
    wanted = bool if flag else str
    if not all(isinstance(item, wanted) for item in items):
        kind = "true or false" if flag else "a text" + (" or a list of texts" if several else "")
        raise InputError(f"{path}: key '{key}' must be {kind}")
    if is_path:
        items = [str(path.parent / item) for item in items]
    return items if several else items[0]
