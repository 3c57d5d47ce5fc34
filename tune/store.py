"""The file of measurements as `tune` writes it: every result is in it as soon as it is known."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from ..errors import InputError
from ..lowering.schedule.known.database import Database, Key, Record, is_begun, read_database

_PIECE = 1 << 16
"""Bytes that are looked at together."""


class Store:
    """A database and its file, which need not exist yet."""

    def __init__(self, path: Path):
        """Read what is there.

        Raises:
            InputError: it cannot be read, or is no database.
        """
        self.path = path
        self.database = Database()
        if path.exists():
            self.database = read_database(path)

    def add(self, records: Sequence[Record]) -> int:
        """Add records that say anything new; returns how many.

        Each line is written at once at the end of the file, so that several may add to one file, and none is lost
        when the program ends.

        Raises:
            InputError: the file cannot be written.
        """
        lines = [record.line() for record in records if self.database.add(record)]
        if lines:
            try:
                self._append("".join(lines).encode())
            except OSError as error:
                raise InputError(f"cannot write {self.path}: {error.strerror or error}") from error
        return len(lines)

    def written(self) -> set[Key]:
        """The keys of what is in the file, of all that is known here: others may add to it, too.

        Raises:
            InputError: the file cannot be read.
        """
        there = read_database(self.path) if self.path.exists() else Database()
        return there.records.keys() & self.database.records.keys()

    def _append(self, data: bytes) -> None:
        """Write whole lines behind what is there, while no other program does."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "ab+", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            last = _last_line(file)
            if is_begun(last.decode(errors="replace")):
                # A machine stopped while it wrote this.
                file.truncate(file.seek(-len(last), os.SEEK_END))
            elif last:
                data = b"\n" + data
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            os.fsync(file)


def _last_line(file: IO[bytes]) -> bytes:
    """Text behind the last end of a line."""
    end = place = file.seek(0, os.SEEK_END)
    last = b""
    while place and b"\n" not in last:
        place = max(0, place - _PIECE)
        file.seek(place)
        last = file.read(end - place)
    return last.rpartition(b"\n")[2]


def exported(database: Database) -> bytes:
    """The fastest schedule of every task, and what it was compared with: loops in order, and what is chosen
    without measuring.

    Records that cannot be built are left out.
    """
    kept: list[Record] = []
    for task, target in database.tasks():
        records = [one for one in database.of_task(task, target) if one.value is not None]
        best = database.best(task, target)
        kept += [one for one in records if one is best or one.role]
    return "".join(one.line() for one in kept).encode()
