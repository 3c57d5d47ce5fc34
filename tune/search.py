"""The search for the schedule of one task: from the best that is known to what differs from it in one thing.

What is estimated to be fastest comes first, and some by chance, for estimates err. The order in which candidates are
tried depends on the seed and on what was measured, never on time or on how many are measured at once: a search that is
taken up again goes the same way.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.task.step import Step
from ..driver import pipeline
from ..frontends.mlir.import_mlir import parse
from ..lowering.constants import Constants
from ..lowering.schedule import put_schedule
from ..lowering.schedule.known.names import canonical_text, own_steps
from ..machines.cpus import Cpu
from ..transforms.tasks.choose.costs import costs_of
from .choice import Choice, loops_of
from .moves import Moves
from .program import ENTRY
from .tasks import Task, nests_of

BATCH = 8
"""Candidates between two decisions, whatever the number of workers."""
_ESTIMATED = 32
"""Candidates that are estimated of those that differ in one thing: those that chance names first."""
_BY_CHANCE = 4
"""One of so many candidates is named by chance."""


@dataclass(frozen=True)
class Estimate:
    """Estimate of a candidate before it is measured."""

    instructions: float
    """Estimate of the program with its schedule, by the table of the processor; infinite without a table."""
    loops: str
    """A digest of the program: those of other schedules with the same one are not measured again."""


class Search:
    """The candidates for one task, in the order in which they are tried."""

    def __init__(self, task: Task, cpu: Cpu, *, trials: int, seed: int):
        """Begin a search.

        Args:
            task: the task.
            cpu: the processor.
            trials: candidates in all.
            seed: of the order in which they are tried.
        """
        self.task = task
        self._module: ModuleOp = parse(pipeline.context(), task.program.encode(), ENTRY)
        self._nest = list(nests_of(self._module, task.place.function))[task.place.number]
        self._moves = Moves(self._nest, Constants(self._module), cpu)
        self._cpu = cpu
        self._trials, self._seed = trials, seed
        self.values: dict[str, float | None] = {}
        """By schedule; None where one cannot be built."""
        self._estimates: dict[str, Estimate] = {}
        self._planned: set[str] = set()
        self._loops: set[str] = set()
        self._neighbours: dict[str, Iterator[str]] = {}
        self._has_begun = False

    def plain(self) -> str:
        """Loops in order, which all else is compared with."""
        self._new([self.task.needed], 1, same=True)
        return self.task.needed

    def heuristics(self) -> list[str]:
        """Return the schedules that are chosen without measuring."""
        return self._new(self.task.heuristics, BATCH, same=True)

    def batch(self) -> list[str]:
        """The candidates to measure next; none at the end."""
        left = min(BATCH, self._trials - len(self.values))
        if left <= 0:
            return []
        if not self._has_begun:
            self._has_begun = True
            starts = self._in_order([self._text(choice) for choice in self._moves.starts()], "starts")
            if found := self._new(starts, left):
                return found
        found: list[str] = []
        ranked = sorted((value, text) for text, value in self.values.items() if value is not None)
        for _, text in ranked:
            found += self._new(self._around(text), left - len(found))
            if len(found) == left:
                break
        return found

    def take(self, schedule: str, value: float | None) -> None:
        """Remember what a candidate costs."""
        self.values[schedule] = value

    def _around(self, text: str) -> Iterator[str]:
        """Candidates that differ in one thing, in the order in which they are tried; goes on where it was left."""
        if text not in self._neighbours:
            choice = Choice.of(self._nest, own_steps(text, self._nest))
            self._neighbours[text] = iter(self._in_order([self._text(one) for one in self._moves.around(choice)], text))
        return self._neighbours[text]

    def _in_order(self, texts: Sequence[str], what: str) -> list[str]:
        """Candidates with the fastest by estimate first, but one of a few by chance."""
        mixed = list(texts)
        random.Random(f"{self._seed} {self.task.digest} {what}").shuffle(mixed)
        fastest = sorted(mixed[:_ESTIMATED], key=lambda text: self._estimate(text).instructions)
        by_chance = iter(mixed)
        found: list[str] = []
        for text in fastest:
            found.append(text)
            if len(found) % _BY_CHANCE == _BY_CHANCE - 1:
                found.append(next(by_chance))
        return list(dict.fromkeys([*found, *by_chance]))

    def _estimate(self, text: str) -> Estimate:
        if text not in self._estimates:
            self._estimates[text] = self._estimated(own_steps(text, self._nest))
        return self._estimates[text]

    def _estimated(self, steps: tuple[Step, ...]) -> Estimate:
        module = self._module.clone()
        nest = list(nests_of(module, self.task.place.function))[self.task.place.number]
        nest.schedule = None
        if steps:
            put_schedule(nest, steps)
        try:
            instructions = sum(one.instructions for one in costs_of(module, self._cpu).values())
        except (DiagnosticException, ValueError):
            return Estimate(math.inf, f"{steps}")
        return Estimate(instructions, hashlib.sha256(str(module).encode()).hexdigest())

    def _text(self, choice: Choice) -> str:
        return canonical_text(choice.steps(self._nest), self._nest)

    def _new(self, texts: Sequence[str] | Iterator[str], most: int, *, same: bool = False) -> list[str]:
        """Some candidates that have not been tried, those of loops that have been only where `same` says so."""
        found: list[str] = []
        if most <= 0:
            return found
        for text in texts:
            steps = own_steps(text, self._nest)
            choice = Choice.of(self._nest, steps)
            planned = f"{loops_of(self._nest, steps)} {choice.form} {choice.lanes} {choice.words}"
            if planned in self._planned:
                continue
            self._planned.add(planned)
            loops = self._estimate(text).loops
            if same or loops not in self._loops:
                found.append(text)
            self._loops.add(loops)
            if len(found) == most:
                break
        return found
