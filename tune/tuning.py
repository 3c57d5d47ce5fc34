"""Tunes one model: what `stillpool tune` does, for Python callers too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..driver.compile.prepare import prepare
from ..driver.pipeline import Rows
from ..errors import InputError, UsageError, VerificationError
from ..lowering.schedule.known.database import Record
from ..machines.cpus import get_cpu
from ..version import __version__
from .cluster import Cluster
from .job import Way
from .measure import candidate
from .runner import checked_runner
from .session import Session, Tuned
from .store import Store
from .tasks import tasks_of
from .workers import InProcess, Processes, Workers

TRIALS = 48
"""Candidates of each task, unless said otherwise."""


@dataclass(frozen=True)
class Wishes:
    """How to search."""

    way: Way
    trials: int = TRIALS
    seed: int = 0
    rows: Rows = "off"
    """Whether the network runs row by row: its tasks are others."""
    input_shapes: Mapping[str, Sequence[int]] | None = None
    signature: str | None = None


class Tuning:
    """The search for the schedules of one model."""

    def __init__(self, model: Path, store: Store, wishes: Wishes, tell: Callable[[Tuned], None] = lambda tuned: None):
        """Prepare; nothing is measured yet.

        Raises:
            StillpoolError: the model cannot be compiled, or candidates not be measured.
        """
        if wishes.way.runner is not None:
            checked_runner(wishes.way.runner)
        # Without a processor, tasks have no schedules.
        compilation = prepare(
            model,
            rows=wishes.rows,
            input_shapes=wishes.input_shapes or {},
            signature=wishes.signature,
        )
        tasks = tasks_of(compilation.module("tasks"), get_cpu(wishes.way.target))
        self.model = compilation.model.name
        self.left_out = tasks.left_out
        self.session = Session(tasks, store, wishes.way, trials=wishes.trials, seed=wishes.seed, tell=tell)
        self._wishes = wishes

    def run(self, workers: Workers) -> None:
        """Search.

        Raises:
            StillpoolError: nothing can be measured.
        """
        self.session.run(workers)

    def wrong(self, folder: Path) -> VerificationError | None:
        """The error where a schedule changed results or left its memory: it is never taken.

        Each such task is written into `folder`, with the schedule, for the report of the bug.

        Raises:
            InputError: a file cannot be written.
        """
        found = [(one, *next(iter(one.wrong.items()))) for one in self.session.tuned if one.wrong]
        files: list[str] = []
        for one, schedule, why in found:
            module = candidate(self.session.job(one, schedule))
            told = f"// stillpool {__version__}, {', '.join(self.session.group[:3])}\n// {schedule}: {why}\n"
            file = folder / f"stillpool-bug-{one.task.digest[:12]}.mlir"
            try:
                file.write_text(told + str(module) + "\n")
            except OSError as error:
                raise InputError(f"cannot write {file}: {error.strerror or error}") from error
            files.append(str(file))
        if not found:
            return None
        (one, schedule, why), count = found[0], sum(len(one.wrong) for one, *_ in found)
        more = f"; {count - 1} more in {len(found)} tasks" if count > 1 else ""
        return VerificationError(
            f"{one.task.functions[0]} ({one.task.what}) with '{schedule}': {why}{more}",
            remedy=f"report this bug in stillpool with {' and '.join(files)}; such a schedule is never taken",
        )

    def document(self) -> dict[str, Any]:
        """The results in JSON."""
        target, cost, by, _ = self.session.group
        return {
            "model": self.model,
            "target": target,
            "cost": cost,
            "by": by,
            "trials": self._wishes.trials,
            "seed": self._wishes.seed,
            "tasks": [one.document() for one in self.session.tuned],
            "left_out": list(self.left_out),
            "total": self.total(),
        }

    def total(self) -> dict[str, float]:
        """Cost of all tasks in one run of the network: in loops in order, as `speed` has it, and at best."""
        sums = {"plain": 0.0, "speed": 0.0, "best": 0.0}
        for one in self.session.tuned:
            for name in sums:
                record: Record | None = getattr(one, name)
                if record is not None and record.value is not None:
                    sums[name] += record.value * one.task.calls
        return sums


def workers_of(way: Way, jobs: int, scheduler: str | None) -> Workers:
    """Who measures.

    Args:
        way: how candidates are measured.
        jobs: processes on this machine.
        scheduler: the address of a Dask cluster; None for this machine.

    Raises:
        UsageError: there is no such cluster.
    """
    if scheduler is not None:
        if way.runner is not None:
            raise UsageError(
                "a runner is a program of this machine, which a cluster has not", remedy="leave out --scheduler"
            )
        return Cluster(scheduler)
    return InProcess() if jobs == 1 else Processes(jobs)
