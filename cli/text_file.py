"""Text files that verbs write beside their answer."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, and the folders that it lies in.

    Raises:
        InputError: the file cannot be written.
    """
    partial = path.parent / f".{path.name}.part"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(text, encoding="utf-8", newline="\n")
            os.replace(partial, path)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
