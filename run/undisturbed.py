"""Work that must not be left half done: Ctrl-C may come between any two steps of it."""

from __future__ import annotations

import signal
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


@contextmanager
def undisturbed() -> Generator[None]:
    """Within it signals that a handler of Python's answers wait; the first one is answered at the end.

    In other threads than the main one no signals are answered, and nothing is to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)

    before = {number: handler for number in signal.valid_signals() if callable(handler := signal.getsignal(number))}
    try:
        for number in before:
            signal.signal(number, note)
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is note:
                signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A new folder that is there within it, whenever a signal comes."""
    with undisturbed():
        folder = tempfile.TemporaryDirectory(prefix="stillpool-", ignore_cleanup_errors=True)
    try:
        yield Path(folder.name)
    finally:
        with undisturbed():
            folder.cleanup()
