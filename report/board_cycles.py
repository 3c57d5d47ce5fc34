"""Cycles of operators on a board, as a program built with `--profile-hooks` prints it: lines `position cycles`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..documents import read_text
from ..errors import InputError
from ..targets.interfaces.description import Operator
from .manifest_operators import Operators

_LINE = re.compile(r"([0-9]{1,19})\s+([0-9]{1,19})")
"""Counters of boards have 64 bits at most."""


@dataclass(frozen=True)
class BoardOperator:
    """Cycles of one operator."""

    operator: Operator
    cycles: int

    @property
    def per_mac(self) -> float | None:
        """Cycles per multiply-accumulate; None for operators without any."""
        return self.cycles / self.operator.macs if self.operator.macs else None


@dataclass(frozen=True)
class BoardCycles:
    """Cycles of the operators of one inference; of several, the last."""

    source: str
    """The file that says so."""
    runs: int
    """Inferences in it."""
    operators: tuple[BoardOperator, ...]
    """In execution order; all rows of an operator together, where it runs row by row."""

    @property
    def cycles(self) -> int:
        """All operators together."""
        return sum(entry.cycles for entry in self.operators)

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "source": self.source,
            "runs": self.runs,
            "cycles": self.cycles,
            "operators": [_entry(entry) for entry in self.operators],
        }


def _entry(entry: BoardOperator) -> dict[str, Any]:
    operator, per_mac = entry.operator, entry.per_mac
    return {
        "position": operator.position,
        "index": operator.index,
        "op": operator.op,
        "name": operator.name,
        "macs": operator.macs,
        "cycles": entry.cycles,
        "cycles_per_mac": None if per_mac is None else round(per_mac, 3),
    }


def read_cycles(path: Path, model: Operators) -> BoardCycles:
    """Read the lines of one or more inferences of a model; empty lines say nothing.

    Raises:
        InputError: the file cannot be read, or a line does not fit the model.
    """
    count = len(model.entries)
    if not count:
        raise InputError(f"model '{model.model}' runs no operators", remedy=model.origin)
    cycles: list[int] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        where, found = f"{path}:{number}", _LINE.fullmatch(line.strip())
        if found is None:
            raise InputError(
                f"{where}: '{line.strip()[:80]}' is not a position and its cycles",
                remedy="leave out what else the program prints",
            )
        position, expected = int(found[1]), len(cycles) % count
        if position >= count:
            raise InputError(
                f"{where}: model '{model.model}' has positions 0 to {count - 1}, not {position}", remedy=model.origin
            )
        if position != expected:
            raise InputError(
                f"{where}: position {position} stands where {expected} must", remedy="give all lines of a run in order"
            )
        cycles.append(int(found[2]))
    if not cycles or len(cycles) % count:
        raise InputError(f"{path}: {len(cycles) % count} of {count} operators in the last run", remedy=model.origin)
    last = _together(zip(model.entries, cycles[-count:], strict=True))
    return BoardCycles(path.name, len(cycles) // count, tuple(last))


def _together(measured: Iterable[tuple[Operator, int]]) -> Iterator[BoardOperator]:
    """Rows of an operator as one: those that have no number are whole."""
    found: dict[Hashable, list[tuple[Operator, int]]] = {}
    for operator, cycles in measured:
        key = operator.position if operator.row is None else (operator.index, operator.op, operator.name)
        found.setdefault(key, []).append((operator, cycles))
    for rows in found.values():
        first = rows[0][0]
        yield BoardOperator(replace(first, macs=sum(row.macs for row, _ in rows)), sum(cycles for _, cycles in rows))
