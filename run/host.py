"""Compile an artefact with the system's C compiler and run it on this machine."""

from __future__ import annotations

import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError, StillpoolError
from ..progress import tell
from ..targets.interfaces.interface import Interface
from ..targets.projects.host_program import host_program
from .process import call_text
from .samples import Array

FLAGS = ("-std=c99", "-O2")
"""How the program is compiled unless the caller says otherwise; no flag that changes floating point results."""

COMPILERS = ("cc", "gcc", "clang")
"""Compilers looked for when the environment variable CC is not set."""


@dataclass(frozen=True)
class Execution:
    """Outputs and time of a run."""

    outputs: dict[str, Array]
    """By model name; the first axis is the sample."""
    microseconds: tuple[float, ...]
    """Every run's time."""

    @property
    def median_microseconds(self) -> float:
        """The typical time of one inference."""
        return statistics.median(self.microseconds)


def find_compiler() -> list[str]:
    """The command of the C compiler: the variable CC if set, else the first of `COMPILERS` on the path.

    Raises:
        InputError: there is none.
    """
    chosen = os.environ.get("CC", "").strip()
    try:
        commands = [shlex.split(chosen)] if chosen else [[name] for name in COMPILERS]
    except ValueError as error:
        raise InputError(f"the variable CC is no command: {error}", remedy="set it to a compiler's command") from error
    for command in commands:
        if command and shutil.which(command[0]):
            return command
    what = f"the C compiler '{chosen}' that CC names was not found" if chosen else "no C compiler was found"
    raise InputError(what, remedy="install gcc or clang (Debian: apt install gcc), or set CC to a compiler's command")


class HostProgram:
    """A model compiled for this machine in a temporary folder, which lives as long as the object.

    Args:
        interface: of the model.
        sources: {relative path: bytes}; headers anywhere, and every `.c` and `.S` file is compiled.
        flags: options of the compiler, after `FLAGS`.

    Raises:
        InputError: there is no C compiler.
        StillpoolError: it does not accept the code.
    """

    def __init__(self, interface: Interface, sources: Mapping[str, bytes], *, flags: Sequence[str] = ()):
        self._interface = interface
        command = find_compiler()
        self._root = Path(tempfile.mkdtemp(prefix="stillpool-"))
        weakref.finalize(self, shutil.rmtree, self._root, ignore_errors=True)
        program = "program/program.c"
        for path, data in {**sources, program: host_program(interface).encode()}.items():
            target = self._root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        self.executable = self._root / ("program.exe" if sys.platform == "win32" else "program.out")
        folders = sorted({str(Path(path).parent) for path in sources if path.endswith(".h")})
        units = sorted(path for path in (*sources, program) if path.endswith((".c", ".S")))
        arguments = [*FLAGS, *flags, *(f"-I{folder}" for folder in folders), *units, "-o", str(self.executable), "-lm"]
        tell(f"compiling {interface.model.name} for this machine")
        done = call_text([*command, *arguments], cwd=self._root)
        if done.returncode:
            raise StillpoolError(f"the C compiler '{command[0]}' refused the emitted code:\n{done.stderr.strip()}")

    def run(self, inputs: Mapping[str, Array], *, repeats: int = 0, timeout: float | None = None) -> Execution:
        """Run on stacked samples: every input has a first axis of equal length, by model name.

        Raises:
            StillpoolError: the program failed or took longer than `timeout` seconds.
        """
        model = self._interface.model
        samples = len(next(iter(inputs.values()))) if inputs else 1
        paths: list[Path] = []
        for index, tensor in enumerate(model.inputs):
            array = np.ascontiguousarray(inputs[tensor.name], dtype=tensor.dtype)
            assert array.shape == (samples, *tensor.shape), f"stacked input {tensor.name} has shape {array.shape}"
            paths.append(self._root / f"input_{index}.bin")
            paths[-1].write_bytes(array.tobytes())
        results = [self._root / f"output_{index}.bin" for index in range(len(model.outputs))]
        command = [str(self.executable), str(samples), str(repeats), *map(str, paths), *map(str, results)]
        try:
            tell(f"running {model.name} on {samples} input{'s' if samples != 1 else ''}")
            done = call_text(command, timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise StillpoolError(f"the compiled model '{model.name}' ran longer than {timeout:g} s") from error
        if done.returncode or done.stderr:
            reason = done.stderr.strip() or f"exit code {done.returncode}"
            raise StillpoolError(f"the compiled model '{model.name}' failed: {reason}")
        outputs = {
            tensor.name: np.frombuffer(path.read_bytes(), tensor.dtype).reshape(samples, *tensor.shape)
            for tensor, path in zip(model.outputs, results, strict=True)
        }
        return Execution(outputs, tuple(float(line) / 1000 for line in done.stdout.split()))
