"""TFLite models inside C source, as `xxd -i` and the examples of other runtimes write them: arrays of bytes."""

from __future__ import annotations

import re
from pathlib import PurePath

from ..errors import InputError

SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp")
"""Endings of C sources; their contents are read, not the files that include them."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ARRAY = re.compile(r"(\w+)\s*\[[^\[\]{};=]*\][^\[\]{};=]*=\s*\{([^{};]*)\}")
"""Name and elements of an array; attributes may stand between brackets and elements."""
_IDENTIFIER = b"TFL3"
"""Bytes 4 to 7 of a model."""
_MARGIN = 2000
"""Characters of an array that hold its first eight elements."""


def model_in_c(data: bytes, source: str) -> bytes | None:
    """The model that a C file holds in one array; None where the file is none or holds none.

    Args:
        data: the file's bytes.
        source: its name.

    Raises:
        InputError: there are several.
    """
    if PurePath(source).suffix.lower() not in SUFFIXES or data[4:8] == _IDENTIFIER:
        return None
    text = _COMMENT.sub(" ", data.decode("ascii", errors="replace"))
    found = [(name, elements) for name, elements in _ARRAY.findall(text) if _is_model(elements)]
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise InputError(f"{source} holds several models, the arrays {names}", remedy="give a file with one of them")
    return _bytes(found[0][1]) if found else None


def _is_model(elements: str) -> bool:
    first = _bytes(",".join(elements[:_MARGIN].split(",")[:8]))
    return first is not None and first[4:] == _IDENTIFIER


def _bytes(elements: str) -> bytes | None:
    """The elements, with or without sign; None if one is no number of eight bits."""
    texts = [element.strip() for element in elements.split(",")]
    try:
        numbers = [int(element, 0) for element in (texts if texts[-1] else texts[:-1])]
    except ValueError:
        return None
    if not all(-128 <= number < 256 for number in numbers):
        return None
    return bytes(number & 0xFF for number in numbers)
