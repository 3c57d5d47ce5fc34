"""Numbers of index arithmetic, each found once."""

from __future__ import annotations

import abc
from typing import Generic, TypeVar

from xdsl.ir import SSAValue

Known = TypeVar("Known")


class IndexValues(abc.ABC, Generic[Known]):
    """Knowledge of values: at all points, or between which bounds."""

    def __init__(self):
        self._values: dict[SSAValue, Known] = {}

    def value(self, value: SSAValue) -> Known:
        """Return what is known of one value.

        Raises:
            Scattered: it depends on data, or on arithmetic that is not followed.
        """
        if value not in self._values:
            self._values[value] = self._compute(value)
        return self._values[value]

    @abc.abstractmethod
    def _compute(self, value: SSAValue) -> Known: ...
