"""Who measures candidates: this process, others on this machine, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from types import FrameType
from typing import Protocol

from ..errors import StillpoolError
from .job import Job, Result
from .measure import measured

_MOST_RESTARTS = 3
"""Restarts of the processes after one of them was killed."""
_SECONDS_TO_LEAVE = 0.3
"""For compilers and emulators that a process started to be put away."""


class Workers(Protocol):
    """Measures candidates."""

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """The number of each candidate and what it costs, in the order in which they are done."""
        ...

    def close(self) -> None:
        """End whatever is still being measured."""
        ...


class InProcess:
    """One candidate after the other, here."""

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`."""
        for number, job in enumerate(jobs):
            yield number, measured(job)

    def close(self) -> None:
        """Nothing is left."""


class Processes:
    """Several at once on this machine. A process that is killed is started again, and what it measured with it."""

    def __init__(self, count: int):
        self._count = count
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, mp_context=context, initializer=_end_by_the_parent)

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`.

        Raises:
            StillpoolError: processes end again and again.
        """
        left = set(range(len(jobs)))
        for _ in range(_MOST_RESTARTS + 1):
            running = {self._pool.submit(measured, jobs[number]): number for number in sorted(left)}
            try:
                for done in as_completed(running):
                    result = done.result()
                    left.discard(running[done])
                    yield running[done], result
                return
            except BrokenProcessPool:
                self._pool.shutdown(wait=False)
                self._pool = self._started()
        raise StillpoolError(
            "the processes that measure candidates are killed again and again",
            remedy="take fewer with --jobs: memory may be short",
        )

    def close(self) -> None:
        """See `Workers`."""
        processes = list((self._pool._processes or {}).values())  # pyright: ignore[reportPrivateUsage]
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def _end_by_the_parent() -> None:
    """Ctrl-C is for the parent, which ends its processes; they put away what they started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    """A parent that is killed ends nothing."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "pools start processes"
    parent.join()
    os._exit(1)


def _leave(number: int, _: FrameType | None) -> None:
    # The pool takes the exception for what its candidate came to, and may have another one.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS_TO_LEAVE)
    raise SystemExit(128 + number)
