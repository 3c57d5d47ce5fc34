"""A file of constants as bytes, and what is in it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True)
class Part:
    """One constant in a blob."""

    name: str
    offset: int
    """Bytes from the start of the file."""
    bytes: int


@dataclass(frozen=True)
class Blob:
    """A file of constants; numbers in it are little-endian."""

    file: str
    """Its name, in the folder of the headers."""
    pool: str | None
    """The constant pool whose contents it is; None if the model's own sources take it in."""
    bytes: int
    alignment: int
    """Alignment of its address, in bytes."""
    sha256: str
    """In hexadecimal digits."""
    crc32: int
    """CRC-32 as in IEEE 802.3 and zlib."""
    parts: tuple[Part, ...]
    """The constants by offset."""


def blob(file: str, data: bytes, alignment: int, parts: Sequence[Part], *, pool: str | None = None) -> Blob:
    """The description of a file that holds `data`."""
    ordered = tuple(sorted(parts, key=lambda part: part.offset))
    return Blob(file, pool, len(data), alignment, sha256(data).hexdigest(), zlib.crc32(data), ordered)
