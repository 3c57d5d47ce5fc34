"""C names of SSA values: their name hints, unique among all that is visible where they are declared."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.ir import SSAValue

from ..interfaces.identifiers import KEYWORDS

_RESERVED = KEYWORDS | {"NULL", "INT32_MIN", "INT64_MIN", "bool"}


class Names:
    """Names handed out in nested scopes; an inner name never hides an outer one."""

    def __init__(self, symbols: Iterable[str]):
        self._taken = [set(_RESERVED) | set(symbols)]
        self._names: dict[SSAValue, str] = {}

    @contextmanager
    def scope(self) -> Generator[None]:
        """A block of C: what is declared in it is free again behind it."""
        self._taken.append(set(self._taken[-1]))
        yield
        self._taken.pop()

    def declare(self, value: SSAValue) -> str:
        """Choose the name of a value that the next statement declares."""
        base = re.sub(r"[^0-9A-Za-z_]", "_", value.name_hint or "v")
        base = f"v{base}" if base[0].isdigit() else base
        taken = self._taken[-1]
        name, number = base, 1
        # Bare numbers would all collide: values without a hint count from 1 at once.
        while name in taken or (value.name_hint is None and name == base):
            name, number = f"{base}{'' if value.name_hint is None else '_'}{number}", number + 1
        taken.add(name)
        self._names[value] = name
        return name

    def __getitem__(self, value: SSAValue) -> str:
        return self._names[value]

    def __contains__(self, value: SSAValue) -> bool:
        return value in self._names
