"""Project files: the options of `compile` as keys of a TOML file.

A gathered option is a table: `[max]` with the key `ram`. Two more tables say what the command line cannot:
`[[model]]` a model with options of its own (`path`, `name`, `workspace-io`, `keep-inputs`, `double-buffer-inputs`,
`external`), and `[[pool]]` a pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..documents import read_toml
from ..errors import InputError
from .budgets import Bytes
from .gathered import Gathered
from .options import is_file_of_pools

if TYPE_CHECKING:
    from ..driver.options.pool_spec import PoolSpec

_MODELS, _POOLS = "stillpool.models", "stillpool.pools"
_MODEL_KEYS: dict[str, type] = {
    "path": str,
    "name": str,
    "workspace-io": str,
    "keep-inputs": bool,
    "double-buffer-inputs": bool,
    "external": list,
}
_KINDS = {str: "text", bool: "true or false", list: "list of texts"}

_PATHS = ("models", "output_dir", "pool_file", "source", "custom_source", "external_source")
_ALIASES = {"model": "models", "output": "output_dir", "format": "format_"}


def project_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Make the file's keys the defaults of the command's options; paths are relative to the file.

    Raises:
        InputError: the file cannot be read, is not TOML, or has a key that is not an option.
    """
    if path is None:
        return
    values = read_toml(path)
    known = {parameter.name: parameter for parameter in ctx.command.params if parameter.name}
    defaults: dict[str, Any] = {}
    if isinstance(tables := values.get("model"), list) and any(isinstance(t, dict) for t in cast("list[Any]", tables)):
        models = [_model(path, table) for table in cast("list[Any]", values.pop("model"))]
        # One file may be several models: instances with names of their own.
        ctx.meta[_MODELS] = [(path.parent / model["path"], model) for model in models]
        defaults["models"] = [str(file) for file, _ in ctx.meta[_MODELS]]
    if isinstance(tables := values.get("pool"), list) and any(isinstance(t, dict) for t in cast("list[Any]", tables)):
        from ..driver.options.pool_files import pools_of

        ctx.meta[_POOLS] = pools_of(values.pop("pool"), str(path))
    for key, value in _settings(path, values, known):
        name = key.replace("-", "_")
        name = _ALIASES.get(name, name)
        if name in defaults:
            raise InputError(f"{path}: '{key}' is there twice, as a key and in a table")
        if name not in known or not known[name].expose_value:
            listed = ", ".join(sorted(name.strip("_").replace("_", "-") for name in known if known[name].expose_value))
            raise InputError(f"{path}: unknown key '{key}'", remedy=f"known are {listed}")
        defaults[name] = _value(path, key, value, known[name], is_path=name in _PATHS)
    ctx.default_map = {**defaults, **(ctx.default_map or {})}


def _settings(path: Path, values: Mapping[str, Any], known: Mapping[str, click.Parameter]) -> Iterator[tuple[str, Any]]:
    """The keys and values of a file; of a table such as `[max]` the options that it gathers."""
    for key, value in values.items():
        parameter = known.get(key)
        if not isinstance(parameter, Gathered):
            yield key, value
            continue
        if not isinstance(value, dict):
            raise InputError(f"{path}: key '{key}' must be a table", remedy=f"write [{key}] and its keys below it")
        for one, setting in cast("dict[str, Any]", value).items():
            if one not in parameter.keys:
                raise InputError(f"{path}: [{key}] has no key '{one}'", remedy=f"known are {', '.join(parameter.keys)}")
            name = parameter.keys[one].removeprefix("--")
            if name.startswith("no-") and isinstance(setting, bool):
                name, setting = name.removeprefix("no-"), not setting
            yield name, setting


def model_options(ctx: click.Context, models: Sequence[Path], index: int) -> Mapping[str, Any]:
    """Settings of the project file for one of the models in its `[[model]]` table; of equal paths, in their order."""
    tables = [table for file, table in ctx.meta.get(_MODELS, ()) if file == models[index]]
    return tables[min(list(models[:index]).count(models[index]), len(tables) - 1)] if tables else {}


def file_pools(ctx: click.Context) -> Sequence[PoolSpec]:
    """The pools of the project file."""
    return ctx.meta.get(_POOLS, ())


def _model(path: Path, table: Any) -> dict[str, Any]:
    values = cast("dict[str, Any]", table if isinstance(table, dict) else {})
    for key, value in values.items():
        texts = cast("list[Any]", value if isinstance(value, list) else [])
        if (
            key not in _MODEL_KEYS
            or not isinstance(value, _MODEL_KEYS[key])
            or not all(isinstance(t, str) for t in texts)
        ):
            listed = ", ".join(f"{key} ({_KINDS[kind]})" for key, kind in _MODEL_KEYS.items())
            raise InputError(f"{path}: a [[model]] has a bad key '{key}'", remedy=f"known are {listed}")
    if "path" not in values:
        raise InputError(f"{path}: a [[model]] has no path")
    return values


def _value(path: Path, key: str, value: Any, parameter: click.Parameter, *, is_path: bool) -> Any:
    """One key's value as the option takes it."""
    several = parameter.multiple or parameter.nargs == -1
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    items = value if isinstance(value, list) and several else [value]
    number = isinstance(parameter.type, Bytes | click.IntRange | click.FloatRange)
    if number and all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        items = [str(item) for item in items]
    wanted = bool if flag else str
    if not all(isinstance(item, wanted) for item in items):
        text = "a number or a text" if number else "a text"
        kind = "true or false" if flag else text + (" or a list of texts" if several else "")
        raise InputError(f"{path}: key '{key}' must be {kind}")
    if is_path or parameter.name == "pool":
        items = [str(path.parent / item) if is_path or is_file_of_pools(item) else item for item in items]
    return items if several else items[0]
