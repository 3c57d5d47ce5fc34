"""Measures one candidate: a program with a task in a schedule is built and run, in any process on any machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ..driver import pipeline
from ..driver.compile.compiled import Compiled
from ..driver.compile.prepare import prepare
from ..driver.models.model import Model
from ..errors import StillpoolError, UsageError, VerificationError
from ..frontends.mlir.import_mlir import parse
from ..lowering.schedule import put_schedule
from ..lowering.schedule.known.names import own_steps
from ..machines.cpus import get_cpu
from ..run.emulate.emulator import emulate
from ..run.emulate.toolchain import find_toolchain
from ..run.samples import Array, ends, random_inputs
from .job import Job, Result, Way
from .program import ENTRY
from .runner import run_on
from .tasks import nests_of

_SEED = 0
"""Seed of the inputs."""
_SAMPLES = "ends, ends, random"
"""Samples that outputs belong to; those of other samples are not compared."""


def measured(job: Job) -> Result:
    """Build and run a candidate.

    Raises:
        UsageError: there is no compiler or no emulator, or the user's runner cannot be started.
    """
    try:
        artifact = built(job)
        outputs = _run(artifact, job.way)
        value = outputs.value if job.way.runner is None else run_on(artifact, get_cpu(job.way.target), job.way)
    except UsageError:
        raise
    except VerificationError as error:
        return Result(None, wrong=" ".join(str(error).split()))
    except (StillpoolError, VerifyException) as error:
        return Result(None, failed=" ".join(str(error).split()))
    return Result(value, outputs.flash, f"{program_digest(job.program)}:{outputs.digest}")


def built(job: Job) -> Compiled:
    """The program with the task in its schedule, as C.

    Raises:
        StillpoolError: a pass refuses it.
    """
    return prepare(Model(ENTRY, ENTRY, candidate(job), None)).result()


def candidate(job: Job) -> ModuleOp:
    """The program with the task in its schedule, as a module of tasks."""
    module = parse(pipeline.context(), job.program.encode(), ENTRY)
    nest = list(nests_of(module, job.function))[job.number]
    steps = own_steps(job.schedule, nest)
    if steps:
        put_schedule(nest, steps)
    else:
        nest.schedule = None
    module.verify()
    return module


@dataclass(frozen=True)
class _Run:
    value: float
    flash: int
    digest: str


def _run(artifact: Compiled, way: Way) -> _Run:
    # The last sample is the one that is counted.
    stacked = ends(artifact.description, _SEED)
    for name, random in random_inputs(artifact.description, 1, _SEED).items():
        stacked[name] = np.concatenate([stacked[name], random])
    done = emulate(artifact, get_cpu(way.target), stacked, cc=way.cc, emulator=way.emulator, opt=way.opt)
    value = done.figures.cycles if way.cost == "cycles" else done.instructions
    if value is None:
        raise UsageError(
            f"there is no model of the cycles of {way.target} in {done.figures.emulator}",
            remedy="leave out --cost cycles, or take unicorn and a processor for which run shows cycles",
        )
    return _Run(value, done.figures.sizes.flash, _outputs(done.outputs))


def program_digest(program: str) -> str:
    """Prefix of the digests of a program's outputs."""
    return _digest(f"{_SAMPLES}\n{program}".encode())


def _outputs(outputs: Mapping[str, Array]) -> str:
    return _digest(b"".join(outputs[name].tobytes() for name in sorted(outputs)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def compiler_of(way: Way) -> str:
    """The compiler's version and its level: values of different ones cannot be compared.

    Raises:
        UsageError: there is none for the processor.
    """
    return f"{find_toolchain(get_cpu(way.target), way.cc).version} -O{way.opt}"
