"""Tunes all tasks of a network side by side, and keeps every result at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..lowering.schedule.known.database import Record, best_of
from ..machines.cpus import get_cpu
from ..version import __version__
from .job import Job, Result, Way
from .measure import compiler_of, program_digest
from .search import Search
from .store import Store
from .tasks import Task, Tasks
from .workers import Workers

LEAST_SHARE = 0.005
"""Share of the network's cost that a task must have to be searched."""

WRONG = "its outputs are not those of loops in order"


@dataclass
class Tuned:
    """One task, and what it came to."""

    task: Task
    search: Search
    reference: str | None = None
    """Digest of what loops in order compute in its program, once it is known."""
    records: dict[str, Record] = field(default_factory=lambda: {})
    """Measurements by schedule."""
    measured: int = 0
    """Candidates of this run; others were known from before."""
    wrong: dict[str, str] = field(default_factory=lambda: {})
    """Schedules that are no time lost but bugs, and why: outputs differ, or memory is touched that is not theirs."""

    @property
    def plain(self) -> Record | None:
        """Loops in order."""
        return self.records.get(self.task.needed)

    @property
    def speed(self) -> Record | None:
        """The record that `--optimize speed` chooses without measuring."""
        return self.records.get(self.task.heuristics[-1])

    @property
    def best(self) -> Record | None:
        """The fastest schedule."""
        return best_of(list(self.records.values()))

    @property
    def cost(self) -> float:
        """Cost of all tasks of this kind in one run of the network, in the fastest schedule."""
        best = self.best
        return 0.0 if best is None or best.value is None else best.value * self.task.calls

    def take(self, record: Record) -> None:
        """Remember a candidate."""
        self.records[record.schedule] = record
        self.search.take(record.schedule, record.value)

    def document(self) -> dict[str, Any]:
        """The task in JSON."""
        return {
            "task": self.task.digest,
            "what": self.task.what,
            "functions": self.task.functions,
            "calls": self.task.calls,
            "plain": _figures(self.plain),
            "speed": _figures(self.speed),
            "best": _figures(self.best),
            "tried": len(self.records),
            "measured": self.measured,
        }


def _figures(record: Record | None) -> dict[str, Any] | None:
    if record is None or record.value is None:
        return None
    return {"schedule": record.schedule, "value": record.value, "flash": record.flash}


class Session:
    """The search for the schedules of a network."""

    def __init__(
        self,
        tasks: Tasks,
        store: Store,
        way: Way,
        *,
        trials: int,
        seed: int,
        tell: Callable[[Tuned], None] = lambda tuned: None,
    ):
        """Prepare; nothing is measured yet.

        Args:
            tasks: the network's.
            store: where results go, and what was measured before.
            way: how candidates are measured.
            trials: candidates of each task.
            seed: of the order in which they are tried.
            tell: is called after each result.

        Raises:
            UsageError: there is no compiler for the processor.
        """
        cpu = get_cpu(way.target)
        self.tuned = [Tuned(task, Search(task, cpu, trials=trials, seed=seed)) for task in tasks.tasks]
        self._store, self._way, self._tell = store, way, tell
        cost = way.cost if way.runner is None else "runner"
        by = compiler_of(way) if way.runner is None else f"{compiler_of(way)}; {way.runner}"
        self.group = way.target, cost, by, __version__
        """The unit, the processor and the measuring program: values of others are not compared."""
        self.expected = sum(min(trials, 1 + len(task.heuristics)) for task in tasks.tasks)
        """Candidates there will be, as far as it is known."""
        self._trials = trials

    def run(self, workers: Workers) -> None:
        """Measure until all candidates of all tasks are done.

        Raises:
            StillpoolError: nothing can be measured.
        """
        # What all else is compared with comes first.
        self._measure([(one, one.search.plain()) for one in self.tuned], workers)
        self._measure([(one, text) for one in self._known() for text in one.search.heuristics()], workers)
        total = sum(one.cost for one in self.tuned)
        searched = [one for one in self._known() if one.cost >= LEAST_SHARE * total]
        done = sum(len(one.records) for one in self.tuned)
        self.expected = done + sum(max(0, self._trials - len(one.records)) for one in searched)
        while searched:
            batches = [(one, one.search.batch()) for one in searched]
            searched = [one for one, batch in batches if batch]
            self._measure([(one, text) for one, batch in batches for text in batch], workers)

    def job(self, one: Tuned, schedule: str) -> Job:
        """The job that measures a task in a schedule."""
        return Job(one.task.program, one.task.place.function, one.task.place.number, schedule, self._way)

    def _known(self) -> list[Tuned]:
        return [one for one in self.tuned if one.plain is not None and one.plain.value is not None]

    def _measure(self, candidates: Sequence[tuple[Tuned, str]], workers: Workers) -> None:
        """Measure what is not known yet; what was measured before counts as it did then."""
        left: list[tuple[Tuned, str]] = []
        for one, text in candidates:
            record = self._store.database.records.get((one.task.digest, self.group, text))
            if record is None:
                left.append((one, text))
                continue
            if text == one.task.needed and record.outputs.startswith(program_digest(one.task.program)):
                one.reference = record.outputs
            one.take(record)
            self._tell(one)
        # The same task of another network has other constants, and other outputs.
        unknown = {id(one): one for one, text in left if one.reference is None and text != one.task.needed}
        for one, result in self._results([(one, one.task.needed) for one in unknown.values()], workers):
            one[0].reference = result.outputs
        for (one, text), result in self._results(left, workers):
            self._keep(one, text, result)

    def _results(
        self, candidates: Sequence[tuple[Tuned, str]], workers: Workers
    ) -> Iterator[tuple[tuple[Tuned, str], Result]]:
        jobs = [self.job(one, text) for one, text in candidates]
        for number, result in workers.run(jobs):
            yield candidates[number], result

    def _keep(self, one: Tuned, text: str, result: Result) -> None:
        if text == one.task.needed:
            one.reference = result.outputs
        value, failed = result.value, result.failed
        wrong = result.wrong or (WRONG if value is not None and result.outputs != one.reference else "")
        if wrong:
            value, failed = None, wrong
            one.wrong[text] = wrong
        roles = {one.task.needed: "plain"} | dict.fromkeys(one.task.heuristics, "heuristic")
        target, cost, by, version = self.group
        record = Record(
            one.task.digest,
            one.task.what,
            target,
            cost,
            by,
            text,
            value,
            version,
            result.flash,
            roles.get(text, ""),
            result.outputs,
            failed,
        )
        self._store.add([record])
        one.measured += 1
        one.take(record)
        self._tell(one)
