"""Origin of a model's code: file, digest and options, as every file of a project states them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """A model file and what was asked for."""

    file: str
    """The file's name, without folders: projects do not depend on where they are made."""
    sha256: str
    """SHA-256 of the file, in hexadecimal; of the model's IR where there is no file."""
    options: tuple[str, ...] = ()
    """Words of the command line that are not defaults."""
