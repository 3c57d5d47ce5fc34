"""Progress of long work and its seconds: a line on a terminal; elsewhere one every ten seconds."""

from __future__ import annotations

import os
import sys
import time
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress


EVERY_SECONDS = 10.0
"""Between two lines where there is no terminal."""


class Notes:
    """Lines on standard error where that is no terminal: none for what is done sooner than the first is due.

    Whoever wants none sets `STILLPOOL_PROGRESS` to `off`.
    """

    def __init__(self, *, wanted: bool):
        self._wanted = wanted and not sys.stderr.isatty() and os.environ.get("STILLPOOL_PROGRESS") != "off"
        self._what = ""
        self._ended = Event()
        self._thread: Thread | None = None

    def show(self, what: str) -> None:
        """Say what begins now; it is written when the next line is due."""
        self._what = what
        if self._wanted and self._thread is None:
            self._thread = Thread(target=self._write, args=(sys.stderr, time.monotonic()), daemon=True)
            self._thread.start()

    def _write(self, stream: TextIO, start: float) -> None:
        while not self._ended.wait(EVERY_SECONDS):
            stream.write(f"{self._what}, {time.monotonic() - start:.0f} s\n")
            stream.flush()

    def end(self) -> None:
        """Write no more."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()


class Line:
    """The line: appears when something is said, goes when anything else is printed, leaves no trace."""

    def __init__(self, *, wanted: bool):
        self._wanted = wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._progress: Progress | None = None
        self._task: Any = None

    def show(self, what: str) -> None:
        """Say what begins now."""
        if not self._wanted:
            return
        if self._progress is None:
            self._progress = _progress()
            self._task = self._progress.add_task(what, total=None)
        self._progress.start()
        self._progress.update(self._task, description=what, refresh=True)

    def hide(self) -> None:
        """Make room for what is printed now."""
        if self._progress is not None:
            self._progress.stop()


class Bar:
    """A bar for work whose length is known: a line on a terminal, which leaves no trace."""

    def __init__(self, *, wanted: bool):
        self._wanted = wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._progress: Progress | None = None
        self._task: Any = None

    def show(self, what: str, done: int, total: int) -> None:
        """Say what was done last, and how much of all."""
        if not self._wanted:
            return
        if self._progress is None:
            self._progress = _progress(is_bar=True)
            self._task = self._progress.add_task(what, total=total)
            self._progress.start()
        self._progress.update(self._task, description=what, completed=done, total=total, refresh=True)

    def hide(self) -> None:
        """Make room for what is printed now."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def _progress(*, is_bar: bool = False) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    bar = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) if is_bar else ()
    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")), highlight=False)
    rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    return Progress(
        SpinnerColumn(),
        TimeElapsedColumn(),
        *bar,
        TextColumn("{task.description}", markup=False, table_column=rest),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=True,
    )
