"""Files that users give: read in little memory and little time, and refused in words."""

from __future__ import annotations

import json
import math
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from .errors import InputError

MOST_BYTES = 256 << 20
"""Largest file that is read."""

MOST_JSON_BYTES = 64 << 20
"""Largest JSON file: its lists take many times the memory of their text."""

MOST_TOML_BYTES = 1 << 20
"""Largest TOML file: they are written by hand."""

MOST_DOTS = 100
"""Most dots in a line of TOML outside of texts: dotted keys nest, and every level costs more than the one before."""

MOST_NUMBER = 2**63 - 1
"""Largest whole number in JSON."""

Shape: TypeAlias = "type | tuple[type, ...] | list[Shape] | Mapping[str, Shape]"
"""Shape of a value: a type, one of some, a list of such values, or an object that has at least these keys."""

_ZERO = re.compile(r"\\(u0{4}|U0{8})")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """A regular file: what never ends or waits for another program is refused.

    Raises:
        InputError: it cannot be read, is no regular file, or is too large.
    """
    try:
        # Opening a named pipe would wait for who writes to it.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(f"{path} is no regular file", remedy="write what it holds to a file, and give that")
            data = file.read(most + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"cannot read '{path}': {error}") from error
    if len(data) > most:
        raise InputError(f"{path} has more than {most} bytes")
    return data


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """A text file in UTF-8, with a byte order mark or without.

    Raises:
        InputError: it cannot be read, is no text in UTF-8, or is too large.
    """
    try:
        return read_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a text file in UTF-8") from error


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        InputError: it cannot be read, or is no JSON; see `parse_json`.
    """
    return parse_json(read_text(path, MOST_JSON_BYTES), str(path))


def parse_json(text: str, where: str) -> Any:
    """Read JSON text; `where` names it.

    Raises:
        InputError: it is no JSON, is nested too deeply, or holds what no other program could read: numbers that are not
            finite or take more than 63 bits, halves of characters.
    """
    try:
        found = _DECODER.decode(text)
        if _HALF.search(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{where} is no JSON: half of a character, {error.object[error.start]!r}") from error
    except ValueError as error:
        raise InputError(f"{where} is no JSON: {error}") from error
    except RecursionError as error:
        raise InputError(f"{where} is nested too deeply") from error
    return found


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text[:40]} is no finite number")
    return number


def _whole(text: str) -> int:
    if len(text) > 20 or abs(number := int(text)) > MOST_NUMBER:
        raise ValueError(f"{text[:40]} takes more than 63 bits")
    return number


_DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite, parse_int=_whole)


def misfit(value: Any, shape: Shape, where: str = "") -> str | None:
    """Name in words what does not fit in a value of a document; None if it has the shape that is wanted."""
    match shape:
        case type() | tuple():
            kinds: tuple[type, ...] = (shape,) if isinstance(shape, type) else shape
            if type(value) in kinds:
                return None
            wanted = " or ".join(_TYPES[kind] for kind in kinds)
            return f"{where or 'it'} must be {wanted}, not {json.dumps(value)[:40]}"
        case Mapping():
            if not isinstance(value, dict):
                return f"{where or 'it'} must be an object"
            given = cast("dict[str, Any]", value)
            for key, inner in shape.items():
                if key not in given:
                    return f"{f'{where}.{key}' if where else key} is missing"
                if wrong := misfit(given[key], inner, f"{where}.{key}" if where else key):
                    return wrong
            return None
        case _:
            if not isinstance(value, list):
                return f"{where or 'it'} must be a list"
            found = (misfit(one, shape[0], f"{where}[{n}]") for n, one in enumerate(cast("list[Any]", value)))
            return next((wrong for wrong in found if wrong), None)


_TYPES: Mapping[type, str] = {str: "a text", int: "a whole number", float: "a number", type(None): "null"}


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        InputError: it cannot be read, or is no TOML.
    """
    text = read_text(path, MOST_TOML_BYTES)
    if any(line.partition("=")[0].count(".") > MOST_DOTS for line in text.splitlines()):
        raise InputError(f"{path} is nested too deeply")
    if _ZERO.search(text):
        raise InputError(f"{path} is not a TOML file: a text holds a zero byte")
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path} is nested too deeply") from error
