"""Numbers that change from call to call, as constants, as multiples of a counter, or as parts of one table."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

_LONGEST_STRIDE = 8
"""Entries of the table from one call's to the next one's: windows that move by more rows are rare."""


@dataclass(frozen=True)
class Affine:
    """`begin + step * n` for call n."""

    begin: int
    step: int


@dataclass(frozen=True)
class Entries:
    """The table's entry `begin + step * n` for call n."""

    begin: int
    step: int


Column = Affine | Entries


@dataclass
class Table:
    """One table for many columns: rows that one operator writes are those that the next one's windows slide over."""

    entries: list[int] = field(default_factory=lambda: [])

    def add_all(self, columns: Sequence[Sequence[int]]) -> list[Column]:
        """Where each column is found; the longest are added first, for they hold others."""
        found: dict[int, Column] = {}
        for n in sorted(range(len(columns)), key=lambda n: (-len(columns[n]), n)):
            found[n] = self._add(columns[n])
        return [found[n] for n in range(len(columns))]

    def _add(self, column: Sequence[int]) -> Column:
        steps = {after - before for before, after in itertools.pairwise(column)}
        if len(steps) <= 1:
            return Affine(column[0], steps.pop() if steps else 0)
        if (found := self._found(np.array(column))) is None:
            found = Entries(len(self.entries), 1)
            self.entries += column
        return found

    def _found(self, column: npt.NDArray[np.int64]) -> Entries | None:
        table = np.array(self.entries, np.int64)
        for step in range(1, _LONGEST_STRIDE + 1):
            length = step * (len(column) - 1) + 1
            if length > len(table):
                break
            windows = np.lib.stride_tricks.sliding_window_view(table, length)[:, ::step]
            (places,) = np.nonzero((windows == column).all(axis=1))
            if len(places):
                return Entries(int(places[0]), step)
        return None
