"""Tables as plain text that fit a terminal of 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 100
"""Columns of a terminal that every table fits."""
_NARROWEST = 12
"""Columns that texts are not made narrower than."""


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], *, indent: str = "  ") -> str:
    """Columns aligned by spaces; numbers to the right with thousands marks, long texts over several lines."""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    right = [bool(rows) and all(isinstance(row[index], int) for row in rows) for index in range(len(heads))]
    natural = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    widths = _narrowed(natural, right, WIDTH - len(indent) - 2 * (len(heads) - 1))
    lines: list[str] = []
    for row in [heads, *cells]:
        parts = [_wrapped(text, width) for text, width in zip(row, widths, strict=True)]
        for number in range(max(map(len, parts))):
            texts = [part[number] if number < len(part) else "" for part in parts]
            padded = [t.rjust(w) if r else t.ljust(w) for t, w, r in zip(texts, widths, right, strict=True)]
            lines.append((indent + "  ".join(padded)).rstrip())
    return "\n".join(lines)


def filled(text: str) -> str:
    """A sentence in lines that fit; those after the first are indented."""
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _narrowed(widths: Sequence[int], fixed: Sequence[bool], room: int) -> list[int]:
    """The widths, with the widest columns of texts cut to equal shares of what room there is."""
    result = list(widths)
    while sum(result) > room:
        widest = max((w for w, f in zip(result, fixed, strict=True) if not f), default=0)
        if widest <= _NARROWEST:
            break
        result[next(i for i, w in enumerate(result) if w == widest and not fixed[i])] -= 1
    return result


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` letters, broken behind a space or a mark where there is one, else anywhere."""
    lines: list[str] = []
    while len(text) > width:
        breaks = [at + 1 for at in range(width // 2, width) if text[at] in " ;/,="]
        end = breaks[-1] if breaks else width
        lines.append(text[:end].rstrip())
        text = text[end:]
    return [*lines, text]
