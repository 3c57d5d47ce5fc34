"""Processes of Python that begin as forks of this one, without starting an interpreter.

A fork has its own memory, working folder, environment, arguments and standard streams. Nothing that a program does to
xDSL's classes, to `sys` or to its folder is seen by the next one. A fork imports only what is not there already.
"""

# pyright: reportPrivateUsage=false, reportAttributeAccessIssue=false
# A fork ends as an interpreter does.

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from typing import IO, Any, NoReturn


class Fork:
    """A Python script in a fork of this process, with as much of `subprocess.Popen` as lit's shell uses."""

    def __init__(
        self,
        args: list[str],
        cwd: str,
        executable: str,
        stdin: Any,
        stdout: Any,
        stderr: Any,
        env: dict[str, str],
        errors: str = "replace",
        **_: Any,
    ):
        if not os.path.isdir(cwd):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), cwd)
        self.args = args
        self.returncode: int | None = None
        pipes = {number: os.pipe() for number, way in enumerate((stdin, stdout, stderr)) if way == subprocess.PIPE}
        files = [
            pipes[number][number != 0] if number in pipes else way for number, way in enumerate((stdin, stdout, stderr))
        ]
        self.pid = os.fork()
        if self.pid == 0:
            run(executable, [executable, *args[1:]], cwd, env, files)
        for number, ends in pipes.items():
            os.close(ends[number != 0])
        self.stdin = self._open(pipes, 0, "w", errors)
        self.stdout = self._open(pipes, 1, "r", errors)
        self.stderr = self._open(pipes, 2, "r", errors)

    @staticmethod
    def _open(pipes: dict[int, tuple[int, int]], number: int, mode: str, errors: str) -> IO[str] | None:
        return open(pipes[number][number == 0], mode, encoding="utf-8", errors=errors) if number in pipes else None

    def communicate(self) -> tuple[str | None, str | None]:
        """Read both streams to their ends, then wait."""
        texts: dict[str, str] = {}

        def read(name: str, stream: IO[str] | None) -> None:
            if stream is not None:
                with stream:
                    texts[name] = stream.read()

        # Either could fill its pipe while the other is waited for.
        reader = threading.Thread(target=read, args=("stderr", self.stderr))
        if self.stderr is not None:
            reader.start()
        read("stdout", self.stdout)
        if self.stderr is not None:
            reader.join()
        self.wait()
        return texts.get("stdout"), texts.get("stderr")

    def wait(self) -> int:
        """Wait for the end; a signal's number comes back negated, as `subprocess` has it."""
        if self.returncode is None:
            _, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


YOUNG = 100_000
"""Objects that a fork makes before Python looks for dead ones among them."""


def freeze() -> None:
    """Keep the collector of forks away from what is here now, which it would copy, and let it come seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20)


def run(script: str, argv: list[str], cwd: str, env: dict[str, str], streams: list[Any]) -> NoReturn:
    """Be the process of a script, to the end. Called in a fork."""
    code = 70
    try:
        _put_streams(streams)
        atexit._clear()
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        sys.argv[:] = argv
        if not sys.flags.safe_path:
            sys.path.insert(0, os.path.dirname(os.path.realpath(script)))
        code = _exit_code(script)
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(_flushed(code))


def _put_streams(streams: list[Any]) -> None:
    numbers = [stream if isinstance(stream, int) else stream.fileno() for stream in streams]
    # `2>&1`, before 1 is another file.
    targets = [numbers[1] if number == subprocess.STDOUT else number for number in numbers]
    copies = [os.dup(number) for number in targets]
    for number, copy in enumerate(copies):
        os.dup2(copy, number)
    # The other ends of pipes: whoever keeps one open is waited for.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        errors = "backslashreplace" if name == "stderr" else "surrogateescape"
        # Python's own standard streams are left alone, or its collector would close these.
        raw = open(number, "rb" if number == 0 else "wb", closefd=False)
        setattr(sys, name, io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=number == 2))
        setattr(sys, f"__{name}__", getattr(sys, name))


def _exit_code(script: str) -> int:
    """Run the script; what it ends with is what the interpreter would give."""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or 120
    return code
