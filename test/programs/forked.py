"""Programs that are Python scripts of this environment, as forks of a process that has imported their modules.

So are the scripts that stillpool starts by path: interpreters that may abort, and emulators.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warm.shtest import is_script_of_this_python

from .kept import ROOT
from .server import NUMBER

PROGRAMS = ("stillpool", "stillpool-opt", "xdsl-opt", "filecheck")
MODULES = ("filecheck.main", "xdsl.tools.xdsl_opt", "warm.everything")
SCRIPTS = {
    str(ROOT / "run/oracles/worker.py"): ("numpy", "tflite_micro.python.tflite_micro.runtime"),
    str(ROOT / "run/emulate/unicorn_runner.py"): ("numpy", "elftools.elf.elffile", "unicorn.unicorn_py3.unicorn"),
}
"""Scripts, with what they import where it is installed."""
OPTIONS = ("-P", "-W", "ignore")
"""Words between the interpreter and a script."""


@dataclass(frozen=True)
class Request:
    """A script to be run."""

    script: str
    argv: list[str]
    cwd: str
    env: dict[str, str]
    search: list[str]
    """Folders of `PYTHONPATH`."""
    group: bool
    """Whether it leads a process group."""
    options: tuple[str, ...] = ()
    """Of the interpreter."""
    modules: tuple[str, ...] = MODULES
    """What has been imported."""


def request_of(command: Sequence[str], cwd: str, env: Mapping[str, str], *, group: bool) -> Request | None:
    """The request for a command; None where it is none of the programs, or the environment asks for another Python."""
    if sys.platform == "win32":
        return None
    settings = {name: value for name, value in env.items() if name.startswith("PYTHON") and value}
    search = [entry for entry in settings.pop("PYTHONPATH", "").split(os.pathsep) if entry]
    if any(os.environ.get(name) != value for name, value in settings.items()):
        return None
    if command[0] == sys.executable:
        place = next((n for n, word in enumerate(command) if n and word not in OPTIONS), 0)
        modules = SCRIPTS.get(command[place])
        if modules is None or "-P" not in command[:place]:
            return None
        argv, options = list(command[place:]), tuple(command[1:place])
        return Request(argv[0], argv, cwd, dict(env), search, group, options, modules)
    if Path(command[0]).name not in PROGRAMS:
        return None
    found = command[0] if os.sep in command[0] else shutil.which(command[0], path=env.get("PATH"))
    if found is None or not os.access(found, os.X_OK) or not is_script_of_this_python(found):
        return None
    return Request(found, [found, *command[1:]], cwd, dict(env), search, group)


class Server:
    """The process whose forks are programs: one for each kind of request."""

    def __init__(self, popen: type[subprocess.Popen[bytes]], first: Request):
        self.pid = os.getpid()
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        script = str(Path(__file__).with_name("server.py"))
        with there:
            self._process = popen(
                [sys.executable, *first.options, script, str(there.fileno()), *first.modules],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._control = here
        self.process = self._process.pid

    def start(self, request: Request, streams: Sequence[int]) -> tuple[int, int]:
        """Start a program; the number of its process, and the pipe that tells its end.

        Raises:
            OSError: the request is too long, or the server is gone.
        """
        told, tell = os.pipe()
        try:
            text = json.dumps(vars(request)).encode(errors="surrogateescape")
            socket.send_fds(self._control, [text], [*streams, tell])
            os.close(tell)
            tell = -1
            return _read(told), told
        except OSError:
            os.close(told)
            raise
        finally:
            if tell >= 0:
                os.close(tell)

    def stop(self) -> None:
        """End the server; its forks go on."""
        self._control.close()
        self._process.wait()


def status(told: int, *, wait: bool) -> int | None:
    """How a program ended, as `waitpid` says it; None while it runs."""
    if not wait and not select.select([told], [], [], 0)[0]:
        return None
    return _read(told)


def _read(pipe: int) -> int:
    data = os.read(pipe, NUMBER.size)
    if len(data) < NUMBER.size:
        raise ProcessLookupError("the server of warm programs is gone")
    return NUMBER.unpack(data)[0]
