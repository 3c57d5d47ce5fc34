"""C names of SSA values: their name hints, unique among all that is visible where they are declared."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.ir import SSAValue

from ..identifiers import UniqueNames, is_word, spelled


class Names:
    """Names handed out in nested scopes; an inner name never hides an outer one."""

    def __init__(self, taken: Iterable[str]):
        """`taken` is what is visible or mentioned at file scope and in functions."""
        self._scopes = [UniqueNames(taken)]
        self._names: dict[SSAValue, str] = {}

    @contextmanager
    def scope(self) -> Generator[None]:
        """A block of C: what is declared in it is free again behind it."""
        self._scopes.append(self._scopes[-1].inner())
        yield
        self._scopes.pop()

    def declare(self, value: SSAValue) -> str:
        """Choose the name of a value that the next statement declares."""
        hint, unique = value.name_hint, self._scopes[-1]
        if hint is None:
            name = unique.numbered("v", separator="")
        else:
            base = spelled(f"v{hint}" if hint[0].isdigit() else hint)
            name = unique.numbered(base) if is_word(base) else unique.fresh(base)
        self._names[value] = name
        return name

    def __getitem__(self, value: SSAValue) -> str:
        return self._names[value]

    def __contains__(self, value: SSAValue) -> bool:
        return value in self._names
