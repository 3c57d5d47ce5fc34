"""A process with Python's modules imported, whose forks are programs: `python server.py SOCKET MODULE...`.

Each request is a JSON object with the descriptors of standard input, output and error, and of a pipe. Into that pipe
go the number of the fork's process, and when it has ended the status that `waitpid` gives.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from warm.forks import freeze, run

NUMBER = struct.Struct("i")


def serve(control: socket.socket) -> None:
    """Answer requests until nobody can make them."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    pipes: dict[int, int] = {}
    while True:
        ready = select.select([control, woken], [], [])[0]
        if control in ready:
            text, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 4)
            if not text:
                return
            *streams, pipe = descriptors
            pid = start(json.loads(text), streams)
            for stream in streams:
                os.close(stream)
            pipes[pid] = pipe
            os.write(pipe, NUMBER.pack(pid))
        if woken in ready:
            os.read(woken, 4096)
            while (ended := reap()) is not None:
                pipe = pipes.pop(ended[0])
                try:
                    os.write(pipe, NUMBER.pack(ended[1]))
                except BrokenPipeError:
                    pass
                os.close(pipe)


def start(request: dict[str, object], streams: list[int]) -> int:
    """Fork; the fork has a process group of its own where that is asked for."""
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if request["group"]:
            os.setpgid(0, 0)
        sys.path[:0] = request["search"]  # pyright: ignore
        run(request["script"], request["argv"], request["cwd"], request["env"], streams)  # pyright: ignore
    if request["group"]:
        try:
            os.setpgid(pid, pid)
        except OSError:  # it is gone already
            pass
    return pid


def reap() -> tuple[int, int] | None:
    """A fork that has ended, and how."""
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, status) if pid else None


if __name__ == "__main__":
    connection = socket.socket(fileno=int(sys.argv[1]))
    for module in sys.argv[2:]:
        # What is not installed is missed by the program that wants it.
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    del sys.path[: 1 if sys.flags.safe_path else 2]  # programs do not search where tests are
    freeze()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    serve(connection)
