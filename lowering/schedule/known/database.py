"""The file of measurements: one JSON object a line, each a task on a processor in one schedule.

Lines are only ever added, so that what was measured stays whatever ends the program; of two that say the same the last
one counts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias, cast

from ....documents import Shape, misfit, parse_json, read_text
from ....errors import InputError
from .names import parsed_steps

_REMEDY = "take a file that stillpool tune wrote, or delete the line"
_ALIKE = 1.005
"""Times the least value: up to this the flash decides."""


Key: TypeAlias = tuple[str, tuple[str, str, str, str], str]
"""Task, way of measuring and schedule."""


@dataclass(frozen=True)
class Record:
    """One measurement."""

    task: str
    """Digest of the task's key."""
    what: str
    """The task for readers."""
    target: str
    """The processor."""
    cost: str
    """`instructions` or `cycles` that an emulator counts, or `runner` for what a user's program prints."""
    by: str
    """The compiler and its level, or the user's runner."""
    schedule: str
    """The steps, with numbers for dimensions; empty for loops in order."""
    value: float | None
    """Measured cost; None where it cannot be built or run."""
    version: str
    """Version of stillpool."""
    flash: int = 0
    """Bytes of the program that was measured; 0 where that is not known."""
    role: str = ""
    """`plain` of loops in order, `heuristic` of what is chosen without measuring."""
    outputs: str = ""
    """A digest of the program that was measured and of its outputs."""
    failed: str = ""
    """Why there is no value."""

    @property
    def group(self) -> tuple[str, str, str, str]:
        """Return what values that are compared share, beside the task."""
        return self.target, self.cost, self.by, self.version

    def line(self) -> str:
        """The record in the file, with the end of the line."""
        given = {key: value for key, value in asdict(self).items() if key not in _OPTIONAL or value}
        return json.dumps(given, ensure_ascii=False, allow_nan=False) + "\n"


class Database:
    """Records by task and what was measured how, in the order of the file."""

    def __init__(self, records: Iterable[Record] = ()):
        self.records: dict[Key, Record] = {}
        self._of_task = defaultdict[tuple[str, str], dict[Key, Record]](dict)
        for record in records:
            self.add(record)

    def add(self, record: Record) -> bool:
        """Add a record; returns whether it says anything new."""
        key = record.task, record.group, record.schedule
        is_new = self.records.get(key) != record
        for records in (self.records, self._of_task[record.task, record.target]):
            records.pop(key, None)
            records[key] = record
        return is_new

    def of_task(self, task: str, target: str) -> list[Record]:
        """Return a task's records on a processor that were measured like the last of them: these can be compared."""
        found = list(self._of_task.get((task, target), {}).values())
        return [one for one in found if one.group == found[-1].group]

    def best(self, task: str, target: str) -> Record | None:
        """The fastest schedule of a task on a processor."""
        return best_of(self.of_task(task, target))

    def tasks(self) -> list[tuple[str, str]]:
        """The tasks and their processors, in order."""
        return list(dict.fromkeys((one.task, one.target) for one in self.records.values()))


def best_of(records: Sequence[Record]) -> Record | None:
    """The record of the least value; None where none has a value.

    Of several that are as fast, but for half a percent, that with the least flash, and of these the fastest; if they
    are alike in both, the first in alphabetical order, so that it does not matter which was measured first.
    """
    values = [one.value for one in records if one.value is not None]
    alike = [one for one in records if one.value is not None and one.value <= _ALIKE * min(values)]
    return min(alike, key=lambda one: (one.flash, one.value or 0.0, one.schedule), default=None)


def read_database(path: Path) -> Database:
    """Read a file.

    What stands after the last end of a line is a record if it is whole; else it is the begin of one that was being
    written when the machine stopped, and is left out.

    Raises:
        InputError: it cannot be read, or a line is no record.
    """
    lines = read_text(path).split("\n")
    if is_begun(lines[-1]):
        lines.pop()
    return Database(parsed_record(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())


def is_begun(line: str) -> bool:
    """Whether a line is the begin of a record: what no program has written to its end."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return line.startswith("{")
    return False


def parsed_record(line: str, where: str) -> Record:
    """One line of a file.

    Raises:
        InputError: it is no record; `where` says which.
    """
    try:
        given = parse_json(line, where)
    except InputError as error:
        raise InputError(error.message, remedy=_REMEDY) from error
    values = {**_OPTIONAL, **cast("dict[str, Any]", given)} if isinstance(given, dict) else given
    if wrong := misfit(values, _SHAPE):
        raise InputError(f"{where}: {wrong}", remedy=_REMEDY)
    record = Record(**{name: values[name] for name in _SHAPE})
    if record.value is not None and record.value < 0:
        raise InputError(f"{where}: nothing costs {record.value}", remedy=_REMEDY)
    try:
        parsed_steps(record.schedule)
    except ValueError as error:
        raise InputError(f"{where}: '{record.schedule}' is no schedule: {error}", remedy=_REMEDY) from error
    return record


_OPTIONAL = {one.name: one.default for one in fields(Record) if one.default is not MISSING}
_SHAPE: Mapping[str, Shape] = {one.name: type(_OPTIONAL.get(one.name, "")) for one in fields(Record)} | {
    "value": (int, float, type(None))
}
