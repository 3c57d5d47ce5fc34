"""The page of the Python interface, from the docstrings of what `stillpool` and `stillpool.planner` export."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from field_docs import fields_of

import stillpool
from stillpool import errors, planner
from stillpool.driver.options import Options, Request
from stillpool.driver.pool_spec import PoolSpec
from stillpool.driver.system import System


def page() -> str:
    """The page's text."""
    parts = [f"{inspect.getdoc(stillpool)}\n"]
    for name, thing in (("compile", stillpool.compile), ("load", stillpool.load)):
        parts += _function(f"stillpool.{name}", thing)
    for made in (Options, Request, PoolSpec, stillpool.Model, stillpool.Artifact, System):
        parts += _class(_public(made), made)
    parts += ["## `stillpool.planner`\n", f"{inspect.getdoc(planner)}\n"]
    for name in planner.__all__:
        thing = getattr(planner, name)
        if inspect.isclass(thing):
            parts += _class(f"stillpool.planner.{name}", thing, "###")
        elif inspect.isfunction(thing):
            parts += _function(f"stillpool.planner.{name}", thing, "###")
    parts += ["## `stillpool.errors`\n", f"{inspect.getdoc(errors)}\n", "| class | exit code | |", "|---|---|---|"]
    for name, thing in vars(errors).items():
        if inspect.isclass(thing) and issubclass(thing, errors.StillpoolError):
            parts.append(f"| `{name}` | {thing.exit_code} | {inspect.getdoc(thing)} |")
    return "\n".join([*parts, ""])


def _public(made: type) -> str:
    name = made.__name__
    return f"stillpool.{name}" if name in stillpool.__all__ else f"{made.__module__}.{name}"


def _function(name: str, function: Callable[..., Any], level: str = "##") -> Iterator[str]:
    yield f"{level} `{name}`\n"
    yield f"```python\n{name.rpartition('.')[2]}{_signature(function)}\n```\n"
    yield f"{_prose(function)}\n"


def _signature(function: Callable[..., Any]) -> str:
    parameters = inspect.signature(function)
    kept = [p for p in parameters.parameters.values() if p.name != "self"]
    return str(parameters.replace(parameters=kept)).replace("'", "")


def _class(name: str, made: type, level: str = "##") -> Iterator[str]:
    yield f"{level} `{name}`\n"
    yield f"{_prose(made)}\n"
    rows: list[str] = []
    for field in fields_of(made):
        default = f", default `{field.default}`" if field.default else ""
        rows.append(f"| `{field.name}` | `{field.annotation}`{default} | {field.text} |")
    for key, member in vars(made).items():
        if key.startswith("_"):
            continue
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            assert getter is not None, "a property is read"
            kind = inspect.signature(getter).return_annotation
            rows.append(f"| `{key}` | `{kind}` | {_line(getter)} |")
        elif inspect.isfunction(member):
            rows.append(f"| `{key}{_signature(member)}` | method | {_line(member)} |")
    if rows:
        yield "\n".join(["| name | type | |", "|---|---|---|", *(_barred(row) for row in rows), ""])


def _barred(row: str) -> str:
    """A row of a table whose code may have bars."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "\\|"), row)


def _line(thing: object) -> str:
    """The first paragraph of a docstring in one line."""
    return re.sub(r"\s+", " ", (inspect.getdoc(thing) or "").split("\n\n")[0])


def _prose(thing: object) -> str:
    """A docstring whose sections are lists."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"^(Args|Returns|Raises|Yields):$", r"**\1**\n", text, flags=re.MULTILINE)
    return re.sub(r"^    (\w+): ", r"- `\1`: ", text, flags=re.MULTILINE)
