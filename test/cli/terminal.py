"""The installed command on a pseudo-terminal, and signals to it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

HANGS = 600
"""Seconds after which nobody waits any longer: no measure of anything."""


def default_signals() -> None:
    """In a child: Ctrl-C is heard although the tests run in the background of a shell, where it is ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Session:
    """`stillpool ARGUMENTS` with standard error, and nothing else, on a terminal of its own."""

    def __init__(self, *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, columns: int = 0):
        program = Path(sys.executable).with_name("stillpool")
        self._master, slave = pty.openpty()
        if columns:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "TMPDIR": str(cwd), **(env or {})}
        self.child = subprocess.Popen(
            [str(program), *map(str, arguments)],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=slave,
            start_new_session=True,
            preexec_fn=default_signals,
        )
        os.close(slave)
        self.screen = ""

    def read_until(self, done: Callable[[str], bool], seconds: float = HANGS) -> None:
        """Read the terminal until what it showed is `done`, or the command closes it."""
        end = time.monotonic() + seconds
        while not done(self.screen) and time.monotonic() < end:
            if not select.select([self._master], [], [], 0.2)[0]:
                continue
            try:
                self.screen += os.read(self._master, 65536).decode(errors="replace")
            except OSError:  # how Linux says that nobody has the other end
                return

    def finish(self, seconds: float = HANGS) -> tuple[int, str]:
        """Exit code, and standard output, when the command ends."""
        self.read_until(lambda _: False, seconds)
        if self.child.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(seconds)
            # Nobody waits for what does not end: the assertion on the code fails.
            self.child.kill()
        assert self.child.stdout is not None
        with self.child.stdout as stream:
            out = stream.read().decode()
        with contextlib.suppress(OSError):
            os.close(self._master)
        return self.child.wait(seconds), out

    def signal(self, number: signal.Signals = signal.SIGINT) -> None:
        """To the process alone, as `kill` does."""
        self.child.send_signal(number)


def left_over(word: str) -> list[str]:
    """Command lines of running processes that have `word` in their command line or their environment."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes()
                if word.encode() in line + b"\0" + (entry / "environ").read_bytes():
                    found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found
