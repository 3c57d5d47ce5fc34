"""Ctrl-C: the command ends with 130 (a terminated one with 143), without a traceback."""

from __future__ import annotations

import signal
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
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _: FrameType | None) -> None:
        for other in SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        raise Interrupted(number)

    # Who starts a command with a signal ignored, as nohup does, wants it ignored.
    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is interrupt:
                signal.signal(number, handler)
