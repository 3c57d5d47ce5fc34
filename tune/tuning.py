"""Tunes one model: what `stillpool tune` does, for Python callers too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..driver.compile import prepare
from ..driver.options import Rows
from ..errors import UsageError, VerificationError
from ..lowering.schedule.known import Record
from ..machines.cpus import get_cpu
from .cluster import Cluster
from .job import Way
from .runner import checked_runner
from .session import WRONG, Session, Tuned
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

    def wrong(self) -> VerificationError | None:
        """What to say where a schedule changed results: these are no longer tried, and never taken."""
        for one in self.session.tuned:
            if one.wrong:
                return VerificationError(
                    f"{one.task.functions[0]} ({one.task.what}) with '{one.wrong[0]}': {WRONG}",
                    remedy="please report this bug in stillpool; the schedule is never taken",
                )
        return None

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
        """What all tasks cost in one run of the network: in loops in order, as `speed` has it, and at best."""
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
