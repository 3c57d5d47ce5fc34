"""Text files that verbs write beside their answer."""

from __future__ import annotations

from pathlib import Path

from .files import write_whole


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, and the folders that it lies in.

    Raises:
        InputError: the file cannot be written.
    """
    write_whole(path, text.encode())
