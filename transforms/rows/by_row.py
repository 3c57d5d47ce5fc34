"""Interface of a function that makes its results row by row, for the graph of rows."""

from __future__ import annotations

import abc
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects import func

from .layout import RowLayout

Layouts: TypeAlias = Sequence[RowLayout | None]
"""How the buffers passed for a function's arguments are divided; None for constants and what has no rows."""


MOST_ROWS = 16
"""Rows of one operand that a row of the result may need: the code that reads them is written out for each."""

MOST_KINDS = 16
"""Ways in which rows of one operator may be made: each is a function."""


class NotByRows(ValueError):
    """The operator cannot run row by row."""


class ByRow(abc.ABC):
    """A function that can run row by row."""

    function: func.FuncOp
    results: frozenset[int]
    """Arguments that are written by rows."""
    rows: int
    """Rows of the result."""
    filled: Mapping[int, int]
    """Arguments that have rows before their first, numbered from below 0, and after their last one: these consist of
    this element alone."""

    @property
    @abc.abstractmethod
    def taken(self) -> frozenset[int]:
        """Arguments that are taken by rows; of some of them some rows of the result may need nothing."""

    @property
    def single(self) -> frozenset[int]:
        """Arguments whose rows are passed one by one, even where they are neighbours in one buffer."""
        return frozenset(self.filled)

    @property
    def dropped(self) -> frozenset[int]:
        """Arguments that making a row does not need."""
        return frozenset()

    @abc.abstractmethod
    def parts(self, row: int) -> Mapping[int, tuple[int, ...]]:
        """For each argument that is taken by rows the rows that one row of the result needs."""

    @abc.abstractmethod
    def kind_of(self, row: int, apart: frozenset[int]) -> Hashable:
        """Key that is the same for rows that are made alike."""

    @abc.abstractmethod
    def row_function(self, row: int, layouts: Mapping[int, RowLayout], apart: frozenset[int]) -> func.FuncOp:
        """The function that makes a row, detached; rows that are made alike have equal functions.

        An operand whose rows lie `apart` is as many arguments as the row needs, one behind the other; of another the
        argument is the part from the first row that is needed to the last.
        """

    def numbers(self, row: int) -> Sequence[int]:
        """Indices that the function is passed behind all else."""
        return ()
