"""Text, JSON and TOML files that users give: read in little time, and refused in words."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from .errors import InputError

MOST_BYTES = 256 << 20
"""Largest file that is read."""

MOST_DOTS = 100
"""Most dots in a line of TOML outside of texts: dotted keys nest, and every level costs more than the one before."""


def read_text(path: Path) -> str:
    """A text file.

    Raises:
        InputError: it cannot be read, is no text in UTF-8, or is too large.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} has more than {MOST_BYTES} bytes")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{path} is not a text file in UTF-8") from error


def read_json(path: Path) -> Any:
    """What a JSON file holds.

    Raises:
        InputError: it cannot be read, or is no JSON.
    """
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path} is nested too deeply") from error


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file holds.

    Raises:
        InputError: it cannot be read, or is no TOML.
    """
    text = read_text(path)
    if any(line.partition("=")[0].count(".") > MOST_DOTS for line in text.splitlines()):
        raise InputError(f"{path} is nested too deeply")
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path} is nested too deeply") from error
