"""Lines that are not too long for reviews: long ones are broken where a reader would break them."""

from __future__ import annotations

import re

WIDTH = 119
"""Columns of a line."""
_CONTINUED = "    "
_SAID = re.compile(r"^(/\*| \*) ")
"""How a line of a comment begins that stands by itself."""
_NEXT = re.compile(r"^ \* (\S.*)")
"""A further line of such a comment."""


def folded_text(text: str) -> str:
    """A text with its long lines broken; what is left of a line of a comment begins the next line of its sentence."""
    lines: list[str] = []
    left = ""
    for line in text.split("\n"):
        if left:
            found = _NEXT.match(line)
            if found is None:
                lines.append(left)
            else:
                line = f"{left} {found[1]}"
        if len(line) <= WIDTH:
            lines.append(line)
            left = ""
            continue
        parts = folded(line)
        goes_on = len(parts) > 1 and _SAID.search(line) is not None and not line.endswith((".", ":", "*/"))
        left = parts.pop().rstrip() if goes_on else ""
        lines += parts
    return "\n".join([*lines, left] if left else lines)


def folded(line: str) -> list[str]:
    """The lines that one line becomes: itself if it is short, or a directive without a comment, or part of one.

    Comments are broken between words, also those behind a directive. Code is broken after a comma, within as few
    parentheses as possible, else at a space; never within a string or behind `//`.
    """
    if len(line) <= WIDTH or line.endswith("\\"):
        return [line]
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    if text.startswith(("/*", "* ", "//")):
        head = "// " if text.startswith("//") else " * " if text.startswith("/*") else "* "
        return _broken(line, indent + head, len(indent + head))
    if text.startswith("#"):
        comment = line.find("/*")
        return [line] if comment < 0 else _broken(line, indent + _CONTINUED, comment + 3)
    return _broken(line, indent + _CONTINUED, None)


def _broken(line: str, head: str, words_from: int | None) -> list[str]:
    """Its parts, `head` before all but the first; `words_from` is where a comment's words begin, None for code."""
    lines: list[str] = []
    while len(line) > WIDTH:
        # The end of a comment stays with its last word.
        last = len(line) - 3 if line.endswith(" */") else len(line)
        at = _break(line) if words_from is None else line.rfind(" ", words_from, min(WIDTH + 1, last))
        if at <= len(head):
            break
        lines.append(line[:at].rstrip())
        line = head + line[at:].lstrip()
        words_from = None if words_from is None else len(head)
    return [*lines, line]


def _break(line: str) -> int:
    """Where a line of code is broken: an index of a space; 0 if there is none."""
    start = len(line) - len(line.lstrip())
    places: list[tuple[bool, int, int]] = []
    depth, quote, at = 0, "", start
    while at < min(len(line), WIDTH + 1):
        letter = line[at]
        if quote == "/*":
            quote = "" if line.startswith("*/", at) else quote
            if letter == " ":
                places.append((False, -depth - 1, at))
        elif quote:
            at += letter == "\\"
            quote = "" if letter == quote else quote
        elif line.startswith("//", at):
            # The rest is a comment, which the next line would not be.
            break
        elif line.startswith("/*", at):
            quote = "/*"
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == " " and at > start:
            places.append((line[at - 1] == ",", -depth, at))
        at += 1
    # The first half of a line is no place to end it while there is another.
    late = [place for place in places if place[2] - start > (WIDTH - start) // 2]
    return max(late or places, default=(False, 0, 0))[2]
