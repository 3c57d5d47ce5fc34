"""Text that comes from outside: names in files, words of the command line, names of files."""

from __future__ import annotations

_HALVES = range(0xD800, 0xE000)


def is_well_formed(text: str) -> bool:
    """Whether UTF-8 can write a text: Python keeps other bytes in names of files as halves of characters."""
    return not any(ord(character) in _HALVES for character in text)


def well_formed(text: str) -> str:
    """The text with a mark for everything that UTF-8 cannot write."""
    return "".join("\ufffd" if ord(character) in _HALVES else character for character in text)


def printable(text: str) -> str:
    """The text with escapes for what would end a line or steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
