"""What a page of the reference says of a class or function, from its docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from field_docs import fields_of

UNLISTED = {"inside_nest", "parse", "print", "verify_"}
"""Methods that others call: xDSL, or what builds a nest."""


def function_entry(name: str, function: Callable[..., Any], level: str = "##") -> Iterator[str]:
    """Heading, signature and text of a function."""
    yield f"{level} `{name}`\n"
    yield f"```python\n{name.rpartition('.')[2]}{_signature(function)}\n```\n"
    yield f"{_prose(function)}\n"


def _signature(function: Callable[..., Any]) -> str:
    parameters = inspect.signature(function)
    kept = [p for p in parameters.parameters.values() if p.name != "self"]
    return str(parameters.replace(parameters=kept)).replace("'", "")


def class_entry(name: str, made: type, level: str = "##", *, bases: Sequence[type] = ()) -> Iterator[str]:
    """Heading, text, and a table of what the class and those of `bases` have."""
    yield f"{level} `{name}`\n"
    yield f"{_prose(made)}\n"
    rows: dict[str, str] = {}
    for one in (made, *bases):
        for key, row in _rows(one):
            rows.setdefault(key, row)
    if rows:
        yield "\n".join(["| name | type | |", "|---|---|---|", *(_barred(row) for row in rows.values()), ""])


def _rows(made: type) -> Iterator[tuple[str, str]]:
    for field in fields_of(made):
        if field.name.startswith("_"):
            continue
        default = f", default `{field.default}`" if field.default else ""
        yield field.name, f"| `{field.name}` | `{field.annotation}`{default} | {field.text} |"
    for key, member in vars(made).items():
        if key.startswith("_") or key in UNLISTED:
            continue
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            assert getter is not None, "a property is read"
            kind = inspect.signature(getter).return_annotation
            yield key, f"| `{key}` | `{kind}` | {_line(getter)} |"
        elif inspect.isfunction(member):
            yield key, f"| `{key}{_signature(member)}` | method | {_line(member)} |"


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
