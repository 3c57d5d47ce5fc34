"""Which schedule the files know for a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ....dialects.task import NestOp
from ....dialects.task.step import Step
from ....dialects.task.steps import Winograd
from ....progress import warn
from ...constants import Constants
from ...tasks.legal import why_illegal
from ..subject import allowed
from .database import Database, Record, best_of, read_database
from .names import canonical_text, own_steps, parsed_steps
from .task_key import task_key

SHIPPED = Path(__file__).with_name("common.jsonl")
"""Schedules of common shapes; `bench/common_schedules.py` makes them."""


@dataclass(frozen=True)
class Known:
    """Schedules for one processor."""

    target: str
    given: Database
    """Schedules that the user measured."""
    with_shipped: bool = False
    """Whether what comes with the package counts where the user's file says nothing."""
    winograd: bool = False
    """Whether constants may be transformed, for more flash."""

    def steps(self, nest: NestOp, constants: Constants, heuristic: tuple[Step, ...] | None) -> tuple[Step, ...] | None:
        """The schedule of a nest: the fastest that was measured, else what is known without measuring, `heuristic`.

        The nest is in the form that schedules are chosen for; loops in order are None.
        """
        digest = task_key(nest, constants)
        measured = self.given.of_task(digest, self.target)
        if _transforms(heuristic or ()) and not any(_transforms(parsed_steps(one.schedule)) for one in measured):
            # It was not compared with what other schedules were.
            return heuristic
        found = own = self._best(measured)
        if found is None and self.with_shipped:
            compared = shipped().of_task(digest, self.target)
            # What was not compared with what is chosen today may be slower.
            if canonical_text(heuristic, nest) in [one.schedule for one in compared]:
                found = self._best(compared)
        if found is None:
            return heuristic
        steps, why = allowed(own_steps, found.schedule, nest), "it has fewer dimensions"
        if steps is not None and (why := why_illegal(nest, steps, constants)) is None:
            return steps or None
        if own is not None:
            warn(f"the schedule '{own.schedule}' that was measured is left out, as its task does not allow it: {why}")
        return heuristic

    def _best(self, measured: Sequence[Record]) -> Record | None:
        return best_of([one for one in measured if self.winograd or not _transforms(parsed_steps(one.schedule))])


def _transforms(steps: Sequence[Step]) -> bool:
    return any(isinstance(step, Winograd) for step in steps)


@cache
def shipped() -> Database:
    """Return the schedules that come with the package."""
    return read_database(SHIPPED)
