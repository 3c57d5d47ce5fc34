"""Names of C: valid identifiers, each used once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...targets.interfaces.identifiers import KEYWORDS

_RESERVED = KEYWORDS | {"NULL"}
"""Words that are no names, and the one macro that a symbol is likely to be called."""


def identifier(text: str) -> str:
    """The nearest C identifier: other characters become `_`; a digit in front or a keyword gets one more."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text) or "_"
    if name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if name in _RESERVED else name


class Names:
    """Hands out C identifiers of one name space, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def reserve(self, names: Iterable[str]) -> None:
        """Never hand these out."""
        self._taken.update(names)

    def unique(self, text: str) -> str:
        """The identifier nearest to `text` that is not taken: `text`, `text_1`, `text_2` ..."""
        base = identifier(text)
        name, number = base, 0
        while name in self._taken:
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name
