"""Names, each handed out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class UniqueNames:
    """Hands out names, with running numbers where they are taken already."""

    def __init__(self, taken: Iterable[str] = (), *, first: int = 1, key: Callable[[str], str] = str):
        """`first` is the lowest number; names are the same if `key` makes the same of them."""
        self._key = key
        self._first = first
        self._taken = {key(name) for name in taken}
        self._next: dict[str, int] = {}

    def reserve(self, names: Iterable[str]) -> None:
        """Never hand these out."""
        self._taken.update(map(self._key, names))

    def fresh(self, wish: str) -> str:
        """`wish`, or with a running number if that is taken: `conv`, `conv_1`, `conv_2` ..."""
        return wish if self._claim(wish) else self.numbered(wish)

    def numbered(self, stem: str, separator: str = "_") -> str:
        """`stem` with the next running number."""
        while True:
            number = self._next.get(stem, self._first)
            self._next[stem] = number + 1
            if self._claim(name := f"{stem}{separator}{number}"):
                return name

    def inner(self) -> UniqueNames:
        """Names of a scope within: none that is taken here, and what it takes is free again behind it."""
        scope = UniqueNames(first=self._first, key=self._key)
        scope._taken |= self._taken
        return scope

    def _claim(self, name: str) -> bool:
        key = self._key(name)
        is_free = key not in self._taken
        self._taken.add(key)
        return is_free
