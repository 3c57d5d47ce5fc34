"""Unique symbol names that are C identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable


class UniqueNames:
    """Hands out names, each once."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """`wish` made an identifier; with a running number if that name is taken."""
        name = identifier(wish)
        return self._claim(name) if name not in self._taken else self.numbered(name)

    def numbered(self, stem: str) -> str:
        """`stem` with the next running number: `conv2d_0`, `conv2d_1` ..."""
        stem = identifier(stem)
        while True:
            number = self._next.get(stem, 0)
            self._next[stem] = number + 1
            if (name := f"{stem}_{number}") not in self._taken:
                return self._claim(name)

    def _claim(self, name: str) -> str:
        self._taken.add(name)
        return name


def identifier(text: str) -> str:
    """`text` with everything that C does not allow in identifiers replaced by single underscores."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "unnamed"
    return f"_{name}" if name[0].isdigit() else name
