"""`subprocess.Popen` for tests: it asks what is known first, and starts Python's programs warm.

The rest is a usual process: everything that needs a shell, a terminal, a session or a function in the child.
"""

# pyright: reportAttributeAccessIssue=false
# Its stubs leave out what the class here replaces.

from __future__ import annotations

import inspect
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .forked import Request, Server, request_of, status
from .kept import Question, Store, question_of

_Process = subprocess.Popen
_NAMES = tuple(inspect.signature(_Process._execute_child).parameters)[1:]
_NOBODY = 1 << 24
"""The number of a process that was not started: no process has it."""


class Popen(_Process):
    """A process, an answer that is known, or a fork of the server."""

    store: Store | None = None
    """What is known; None to find everything out again."""
    servers: ClassVar[dict[tuple[str, ...], Server]] = {}
    """Of this process, by what they have imported, from the first program on that needs them."""
    _told = -1
    _question: Question | None = None

    def _execute_child(self, *values: Any) -> None:
        how = dict(zip(_NAMES, values, strict=True))
        if _is_plain(how):
            command = [os.fspath(word) for word in how["args"]]
            given = None if how["cwd"] is None else os.fspath(how["cwd"])
            cwd = given or os.getcwd()
            env = os.environ if how["env"] is None else how["env"]
            if self.store is not None and how["p2cwrite"] == -1:
                self._question = question_of(command, given, env)
            if self._question is not None and self._answered(how):
                return
            if self._start_warm(command, cwd, env, how):
                return
        super()._execute_child(*values)

    def _answered(self, how: Mapping[str, Any]) -> bool:
        assert self.store is not None, "who asks has a store"
        assert self._question is not None, "there is a question"
        answer = self.store.get(self._question)
        if answer is None:
            return False
        self._question.repeat(answer)
        self._question = None
        for descriptor, text in ((how["c2pwrite"], answer.out), (how["errwrite"], answer.errors)):
            if descriptor != -1:
                os.write(descriptor, text)
        self.pid, self.returncode = _NOBODY, 0
        self._close(how)
        return True

    def _start_warm(self, command: Sequence[str], cwd: str, env: Mapping[str, str], how: Mapping[str, Any]) -> bool:
        request: Request | None = request_of(command, cwd, env, group=how["process_group"] == 0)
        if request is None or not os.path.isdir(cwd):
            return False
        server = Popen.servers.get(kind := (*request.options, *request.modules))
        if server is None or server.pid != os.getpid():
            server = Popen.servers[kind] = Server(_Process, request)
        ends = zip(("p2cread", "c2pwrite", "errwrite"), (0, 1, 2), strict=True)
        try:
            self.pid, self._told = server.start(request, [own if how[name] == -1 else how[name] for name, own in ends])
        except OSError:
            return False
        self._close(how)
        return True

    def _close(self, how: Mapping[str, Any]) -> None:
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(how[name] for name in ends))

    def _internal_poll(self, *given: Any, **named: Any) -> int | None:
        if self._told == -1:
            return super()._internal_poll(*given, **named)
        if self.returncode is None and self._waitpid_lock.acquire(False):
            try:
                self._take(status(self._told, wait=False))
            finally:
                self._waitpid_lock.release()
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._told == -1:
            return super()._try_wait(wait_flags)
        ended = status(self._told, wait=not wait_flags & os.WNOHANG)
        if ended is None:
            return 0, 0
        self._take(ended)
        return self.pid, ended

    def _take(self, ended: int | None) -> None:
        if ended is not None:
            os.close(self._told)
            self._told = -1
            self._handle_exitstatus(ended)

    def communicate(self, input: Any = None, timeout: float | None = None) -> tuple[Any, Any]:
        """As the class above; what came of a question is kept."""
        out, errors = super().communicate(input, timeout)
        self._keep(out, errors)
        return out, errors

    def wait(self, timeout: float | None = None) -> int:
        """As the class above; what came of a question is kept where nothing was read."""
        code = super().wait(timeout)
        if self.stdout is None and self.stderr is None:
            self._keep(None, None)
        return code

    def _keep(self, out: str | bytes | None, errors: str | bytes | None) -> None:
        question, self._question = self._question, None
        if question is not None and self.returncode == 0:
            assert self.store is not None, "who asks has a store"
            self.store.put(
                question, *(text.encode() if isinstance(text, str) else text or b"" for text in (out, errors))
            )


def _is_plain(how: Mapping[str, Any]) -> bool:
    unusual = ("executable", "preexec_fn", "pass_fds", "shell", "gid", "gids", "uid", "start_new_session")
    if any(how.get(name) not in (None, False, ()) for name in unusual) or how.get("umask", -1) != -1:
        return False
    args = how["args"]
    return isinstance(args, list | tuple) and all(isinstance(word, str | os.PathLike) for word in args)


def install(store: Store | None) -> None:
    """Start all programs of this process so from here on."""
    Popen.store = store
    subprocess.Popen = Popen


def stop() -> None:
    """End the servers."""
    for server in Popen.servers.values():
        if server.pid == os.getpid():
            server.stop()
    Popen.servers.clear()
