"""A lit test format that starts Python once: `WarmShTest`.

Tests are those of lit's own `ShTest`, run by lit's own shell. A Python script of the interpreter that lit runs on, such
as `xdsl-opt` or `filecheck`, is a fork of a process that has imported its modules. All other commands are processes.
With `lit --param shell=1` all commands are processes.
"""

from __future__ import annotations

import importlib
import locale
import os
import subprocess
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import lit.formats
import lit.TestRunner

from .forks import Fork, freeze

_warm = set[tuple[str, ...]]()
"""Search paths and modules that this process has imported by them. A worker of lit is a process."""


class WarmShTest(lit.formats.ShTest):
    """`ShTest` whose Python programs do not start an interpreter.

    Args:
        modules: what programs import, imported once in each worker. What is not named works, and is imported each time.
    """

    def __init__(self, modules: list[str]):
        super().__init__(execute_external=False)
        self.modules = tuple(modules)

    def execute(self, test: Any, litConfig: Any) -> Any:
        """Run one test; lit's shell starts its processes here."""
        if litConfig.params.get("shell") or not _can_fork():
            return super().execute(test, litConfig)
        start = partial(self._start, test.config.environment.get("PYTHONPATH", ""))
        before = lit.TestRunner.subprocess
        lit.TestRunner.subprocess = SimpleNamespace(**{**vars(before), "Popen": start})
        try:
            return super().execute(test, litConfig)
        finally:
            lit.TestRunner.subprocess = before

    def _start(self, search: str, args: list[str], **how: Any) -> Any:
        if is_script_of_this_python(how["executable"]) and _is_plain(how["env"], search):
            self._warm_up(search)
            return Fork(args, **how)
        return subprocess.Popen(args, **how)

    def _warm_up(self, search: str) -> None:
        if (search, *self.modules) not in _warm:
            sys.path[:0] = [entry for entry in search.split(os.pathsep) if entry]
            for module in self.modules:
                importlib.import_module(module)
            freeze()
            _warm.add((search, *self.modules))


def is_script_of_this_python(path: str) -> bool:
    """Whether a program is a script, and its first line names the interpreter that is running."""
    with open(path, "rb") as file:
        start = file.readline(512)
    if not start.startswith(b"#!"):
        return False
    interpreter = os.fsdecode(start[2:]).strip()
    # A virtual environment is told by the folder of its interpreter, not by the file behind it.
    same_folder = os.path.dirname(interpreter) == os.path.dirname(sys.executable)
    return same_folder and os.path.realpath(interpreter) == os.path.realpath(sys.executable)


def _can_fork() -> bool:
    """Whether a fork is what a new interpreter would be: one without flags, in an environment of UTF-8."""
    plain = not (sys.flags.optimize or sys.flags.dev_mode or sys.warnoptions)
    return hasattr(os, "fork") and plain and locale.getpreferredencoding(False).lower() in ("utf-8", "utf8")


def _is_plain(env: dict[str, str], search: str) -> bool:
    """Whether an interpreter in this environment would start as this one, with that search path."""
    settings = {name: value for name, value in env.items() if name.startswith("PYTHON")}
    return settings.pop("PYTHONPATH", "") == search and all(os.environ.get(name) == settings[name] for name in settings)
