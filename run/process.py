"""Programs that stillpool starts: they end with it, and what they started ends with them."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_PATIENCE = 2.0
"""Seconds that a program has to end by itself."""


def call(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    input: bytes | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, with nothing to read but `input`, and collect what it writes.

    It has a process group of its own, of which nothing is left when this returns by an exception: Ctrl-C reaches
    stillpool alone, which ends compilers' and emulators' own children too.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it took longer than `timeout` seconds.
    """
    pipe = subprocess.PIPE
    stdin = subprocess.DEVNULL if input is None else pipe
    with subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe, cwd=cwd, env=env, process_group=0) as child:
        try:
            out, errors = child.communicate(input, timeout)
        except BaseException:
            _end(child)
            raise
    return subprocess.CompletedProcess(command, child.returncode, out, errors)


class TooMuchWritten(Exception):
    """A program wrote more than it may."""


def call_limited(command: Sequence[str], *, cwd: Path, timeout: float, most: int) -> subprocess.CompletedProcess[str]:
    """Run a program that nobody knows, as `call_text` does.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it took longer than `timeout` seconds.
        TooMuchWritten: it wrote more than `most` bytes.
    """
    pipe, end = subprocess.PIPE, time.monotonic() + timeout
    with (
        selectors.DefaultSelector() as waiting,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, cwd=cwd, process_group=0
        ) as child,
    ):
        written = {stream: bytearray() for stream in (child.stdout, child.stderr) if stream is not None}
        try:
            for stream in written:
                waiting.register(stream, selectors.EVENT_READ, stream)
            while waiting.get_map():
                ready = waiting.select(max(0, end - time.monotonic()))
                if not ready:
                    raise subprocess.TimeoutExpired(command, timeout)
                for key, _ in ready:
                    chunk = os.read(key.fd, 1 << 16)
                    written[key.data] += chunk
                    if not chunk:
                        waiting.unregister(key.fileobj)
                    if sum(map(len, written.values())) > most:
                        raise TooMuchWritten
            child.wait(max(0, end - time.monotonic()))
        except BaseException:
            _end(child)
            raise
    out, errors = (bytes(text).decode(errors="replace") for text in written.values())
    return subprocess.CompletedProcess(command, child.returncode, out, errors)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started: compilers that are asked to remove what they have written aside."""
    try:
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, signal.SIGTERM)
            child.wait(_PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def call_text(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program that reads nothing and writes text."""
    done = call(command, cwd=cwd, env=env, timeout=timeout)
    out, errors = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, errors)
