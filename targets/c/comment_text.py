"""Text of others in comments of C."""

from __future__ import annotations


def comment_text(text: str) -> str:
    """`text` so that it can stand in a C comment: one printable line that neither ends nor begins a comment."""
    plain = text
    if not (text.isprintable() and text.isascii()):
        plain = "".join(letter if letter.isprintable() and letter.isascii() else "?" for letter in text)
    return plain.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/").rstrip("\\")
