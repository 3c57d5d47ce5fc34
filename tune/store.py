"""The file of measurements as `tune` writes it: every result is in it as soon as it is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..lowering.schedule.known import Database, Key, Record, read_database


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
            _mend(path)

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
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            assert os.write(file, data) == len(data), "a regular file takes all"
            os.fsync(file)
        finally:
            os.close(file)


def _mend(path: Path) -> None:
    """Take away what a machine that stopped left of a last line: it would swallow the next one.

    Raises:
        InputError: the system refuses.
    """
    try:
        with path.open("r+b") as file:
            data = file.read()
            if not data.endswith(b"\n"):
                file.truncate(data.rfind(b"\n") + 1)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


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
