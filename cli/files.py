"""Files that verbs write: each whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def write_whole(path: Path, data: bytes) -> None:
    """Write one file, where a symbolic link points if it is one; its folder is made if it does not exist.

    Raises:
        InputError: the system refuses.
    """
    path = Path(os.path.realpath(path))
    partial = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            # A device or a pipe, which nothing may take the place of.
            path.write_bytes(data)
            return
        try:
            partial.write_bytes(data)
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
