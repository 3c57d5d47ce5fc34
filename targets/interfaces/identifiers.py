"""Names of models, tensors and pools as C identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const const_cast
    constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false float for
    friend goto if inline int long main mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual
    void volatile wchar_t while xor xor_eq""".split()
)
"""Words that C99, C11 or C++17 keep for themselves, and `main`."""


def identifier(name: str) -> str:
    """`name` as one C identifier: other characters than letters and digits become single underscores.

    Never empty, never a keyword of C or C++, never starting with a digit or an underscore.
    """
    text = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")
    if not text or text[0].isdigit():
        text = f"t{text}"
    return f"{text}_" if text.lower() in KEYWORDS else text


def unique_identifiers(names: Iterable[str], reserved: Iterable[str] = ()) -> list[str]:
    """One identifier per name, distinct from each other and from `reserved` even in upper case.

    Macros are named by the upper-case spelling, hence the comparison without case.
    """
    taken = {word.upper() for word in reserved}
    result: list[str] = []
    for name in names:
        base = candidate = identifier(name)
        number = 2
        while candidate.upper() in taken:
            candidate = f"{base}_{number}"
            number += 1
        taken.add(candidate.upper())
        result.append(candidate)
    return result
