"""A user's own program that runs firmware and prints what it costs: for a board on a probe, or another simulator."""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from subprocess import TimeoutExpired

from ..driver.compile.compiled import Compiled
from ..errors import UsageError
from ..machines.cpus import Cpu
from ..run.emulate.build import build
from ..run.emulate.session import raw_inputs
from ..run.process import TooMuchWritten, call_limited
from ..run.samples import random_inputs
from ..run.undisturbed import temporary_folder
from .job import Way

ELF = "{elf}"
"""Stands for the firmware's path in a runner."""
MOST_BYTES = 8 << 20
"""Bytes that a runner may write for one candidate."""
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def checked_runner(runner: str) -> Sequence[str]:
    """The words of a runner.

    Raises:
        UsageError: it does not say where the firmware goes.
    """
    try:
        words = shlex.split(runner)
    except ValueError as error:
        raise UsageError(f"the runner '{runner}' is no command: {error}") from error
    if not any(ELF in word for word in words):
        raise UsageError(
            f"the runner '{runner}' does not say where the firmware goes", remedy=f"write {ELF} in its place"
        )
    return words


def run_on(artifact: Compiled, cpu: Cpu, way: Way) -> float:
    """The line that the runner prints last.

    The folder of the firmware holds its sources, and `samples.bin`, which the firmware reads over semihosting.

    Raises:
        UsageError: the runner cannot be started, takes too long, writes too much, fails, or prints no cost.
    """
    assert way.runner is not None, "asked of ways with a runner"
    with temporary_folder() as folder:
        root = folder
        firmware = build(artifact, cpu, root, cc=way.cc, opt=way.opt)
        model = artifact.description
        inputs = raw_inputs(model, random_inputs(model, 1, 0), 0)
        (root / "samples.bin").write_bytes(b"\1" + b"".join(inputs))
        program, *rest = checked_runner(way.runner)
        # A program that is named without a folder is one of PATH.
        words = [_from_here(program, root) if "/" in program else program, *(_from_here(word, root) for word in rest)]
        command = [word.replace(ELF, str(firmware.path)) for word in words]
        try:
            done = call_limited(command, cwd=root, timeout=way.runner_seconds, most=MOST_BYTES)
        except OSError as error:
            raise UsageError(f"the runner {command[0]} cannot be started: {error.strerror or error}") from error
        except TimeoutExpired as error:
            raise UsageError(
                f"the runner did not end within {way.runner_seconds:g} s", remedy="give it more with --runner-seconds"
            ) from error
        except TooMuchWritten as error:
            raise UsageError(
                f"the runner wrote more than {MOST_BYTES >> 20} MiB", remedy="let it print the cost alone"
            ) from error
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise UsageError(f"the runner ended with {done.returncode}: {said[0]}")
    return last_number(done.stdout)


def _from_here(word: str, folder: Path) -> str:
    """A word of a runner that runs in a folder; files that the folder has not got are those of the user's folder."""
    return os.path.abspath(word) if os.path.isfile(word) and not os.path.exists(folder / word) else word


def last_number(text: str) -> float:
    """The last number in a text; digits may stand in groups with underscores.

    Raises:
        UsageError: there is none, or it is no cost: negative, or too large for a float.
    """
    found = _NUMBER.findall(text)
    if not found:
        raise UsageError("the runner printed no number", remedy="the last number that it prints is the cost")
    number = float(found[-1].replace("_", ""))
    if not 0 <= number < math.inf:
        raise UsageError(
            f"the runner printed {found[-1][:40]}, which is no cost",
            remedy="the last number that it prints is the cost: finite, and not negative",
        )
    return number
