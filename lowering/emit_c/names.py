"""Names of C: valid identifiers, each used once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr "
    "const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false float "
    "for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast "
    "struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq main NULL".split()
)
"""Words of C and C++ that are no names, `main`, and the one macro that a symbol is likely to be called."""


def identifier(text: str) -> str:
    """The nearest C identifier: other characters become `_`; a digit in front or a keyword gets one more."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text) or "_"
    if name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if name in _KEYWORDS else name


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
