"""Reads the tables of a flatbuffer by the places of their fields, trusting no offset or length.

Every read stays inside the file or raises `FlatbufferError`, and what is read in all is bounded: tables of a hostile
file may overlap.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

_READS_PER_BYTE = 16
"""A file whose vectors sum to more than this many times its size shares them beyond any sensible use."""


class FlatbufferError(Exception):
    """A table cannot be read; the message says why."""


@dataclass
class Buffer:
    """The bytes of a file, and how much may still be read of them."""

    data: bytes
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = _READS_PER_BYTE * len(self.data) + 4096

    def number(self, format: str, place: int) -> int:
        """A little-endian number."""
        if not 0 <= place <= len(self.data) - struct.calcsize(format):
            raise FlatbufferError(f"an offset leads to byte {place}, outside the file")
        return struct.unpack_from(f"<{format}", self.data, place)[0]

    def part(self, place: int, size: int) -> bytes:
        """Bytes."""
        self.left -= size + 16
        if size > len(self.data) - place or place < 0:
            raise FlatbufferError(f"{size} bytes at byte {place} leave the file")
        if self.left < 0:
            raise FlatbufferError("its tables overlap more than a file needs")
        return self.data[place : place + size]

    def root(self) -> Table:
        """The first table."""
        return Table(self, self.number("I", 0))


@dataclass(frozen=True)
class Table:
    """A table; fields are counted from 0, in the order of the schema."""

    buffer: Buffer
    place: int

    def _field(self, number: int) -> int | None:
        """Where a field lies; None if it is not written."""
        fields = self.place - self.buffer.number("i", self.place)
        size = self.buffer.number("H", fields)
        if 4 + 2 * number + 2 > size:
            return None
        offset = self.buffer.number("H", fields + 4 + 2 * number)
        return self.place + offset if offset else None

    def _follow(self, number: int) -> int | None:
        place = self._field(number)
        return None if place is None else place + self.buffer.number("I", place)

    def number(self, number: int, format: str = "i", default: int = 0) -> int:
        """A number, in the form of `struct`."""
        place = self._field(number)
        return default if place is None else self.buffer.number(format, place)

    def flag(self, number: int, *, default: bool = False) -> bool:
        """A truth value."""
        return bool(self.number(number, "B", int(default)))

    def table(self, number: int) -> Table | None:
        """A table; None if it is not written."""
        place = self._follow(number)
        return None if place is None else Table(self.buffer, place)

    def bytes(self, number: int) -> bytes:
        """The bytes of a vector or a string; none if it is not written."""
        place = self._follow(number)
        return b"" if place is None else self.buffer.part(place + 4, self.buffer.number("I", place))

    def text(self, number: int) -> str:
        """A string."""
        try:
            return self.bytes(number).decode("utf-8")
        except UnicodeDecodeError as error:
            raise FlatbufferError("a string is not UTF-8") from error

    def integers(self, number: int) -> tuple[int, ...]:
        """A vector of int32."""
        place = self._follow(number)
        if place is None:
            return ()
        count = self.buffer.number("I", place)
        return struct.unpack(f"<{count}i", self.buffer.part(place + 4, 4 * count))

    def _places(self, number: int) -> list[int]:
        place = self._follow(number)
        if place is None:
            return []
        count = self.buffer.number("I", place)
        offsets = struct.unpack(f"<{count}I", self.buffer.part(place + 4, 4 * count))
        # Each element costs as much as the least table.
        self.buffer.part(0, 0)
        self.buffer.left -= 12 * count
        return [place + 4 + 4 * index + offset for index, offset in enumerate(offsets)]

    def tables(self, number: int) -> list[Table]:
        """A vector of tables."""
        return [Table(self.buffer, place) for place in self._places(number)]

    def texts(self, number: int) -> list[str]:
        """A vector of strings."""
        found: list[str] = []
        for place in self._places(number):
            raw = self.buffer.part(place + 4, self.buffer.number("I", place))
            try:
                found.append(raw.decode("utf-8"))
            except UnicodeDecodeError as error:
                raise FlatbufferError("a string is not UTF-8") from error
        return found
