"""Ctrl-C: the command ends with 130 (a terminated one with 143), without a traceback."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal asks to end; whoever holds files or processes puts them away as the exception passes."""

    def __init__(self, number: int):
        self.exit_code = 128 + number
        super().__init__()


@contextmanager
def interruptible() -> Generator[None]:
    """Within it a signal of `SIGNALS` raises `Interrupted`; further ones wait until everything is put away."""
    if not _in_main_thread():
        yield
        return
    # It tries folders with a file in each, which a signal would leave behind.
    tempfile.gettempdir()
    # Who starts a command with a signal ignored, as nohup does, wants it ignored.
    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _interrupt) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) in (_interrupt, _too_late):
                signal.signal(number, handler)


def done() -> None:
    """Note that the verb is done or has failed: signals come too late to change that."""
    if _in_main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is _interrupt:
                signal.signal(number, _too_late)


def _interrupt(number: int, _: FrameType | None) -> None:
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Interrupted(number)


def _too_late(_: int, __: FrameType | None) -> None:
    pass


def _in_main_thread() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()
