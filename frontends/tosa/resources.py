"""Constants of a text whose bytes stand at its end: torch-mlir prints weights so.

xDSL 0.74 keeps resources of all texts of a process in one place, and TOSA's constants as dense values alone. So a text
gets its bytes where they are named, before it is read; lines stay what they were.
"""

from __future__ import annotations

import re

from ...errors import InputError

_NAMED = re.compile(rb'\bdense_resource<("?)([\w.$-]+)\1>')
_GIVEN = re.compile(rb'("?)([\w.$-]+)\1\s*:\s*"0x([0-9A-Fa-f]*)"')
_ALIGNMENT = 8
"""Hexadecimal digits before the bytes: how they are aligned."""


def with_resources(data: bytes, source: str) -> bytes:
    """A text with dense values for its resources.

    Raises:
        InputError: one is named that the text does not have.
    """
    if b"dense_resource<" not in data:
        return data
    end = data.rfind(b"{-#")
    text, tail = (data, b"") if end < 0 else (data[:end], data[end:])
    given = {found[2]: found[3][_ALIGNMENT:] for found in _GIVEN.finditer(tail)}

    def dense(found: re.Match[bytes]) -> bytes:
        if found[2] not in given:
            line = data.count(b"\n", 0, found.start()) + 1
            raise InputError(f"{source}:{line}: the file has no resource '{found[2].decode(errors='replace')}'")
        return b'dense<"0x' + given[found[2]] + b'">'

    return _NAMED.sub(dense, text)
