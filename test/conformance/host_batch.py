"""Runs many small models compiled by stillpool on this machine: all their C in a few shared libraries.

Inputs and outputs lie in the workspace, so the cases exercise the memory plan and in-place execution too. The
libraries are loaded into this process; the pool is framed by guard bytes that no model may touch.
"""

from __future__ import annotations

import ctypes
import math
import os
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from case import Case
from numpy.typing import NDArray

from stillpool import compile
from stillpool.driver.models.model import Model
from stillpool.driver.options.options import Options
from stillpool.frontends.tflite import import_tflite
from stillpool.run.artifact import Artifact
from stillpool.run.host import find_compiler
from stillpool.targets.interfaces.description import Pool

FLAGS = ("-std=c99", "-O1", "-fPIC", "-shared", "-ffp-contract=off")
GUARD = 64
FILL = 0xA5


def run_batch(cases: Sequence[Case], **options: Unpack[Options]) -> list[list[NDArray[Any]]]:
    """Stacked outputs of every case; `options` of the compilation besides where inputs and outputs lie."""
    artifacts = [artifact_of(case, f"m{index}", options) for index, case in enumerate(cases)]
    with tempfile.TemporaryDirectory(prefix="stillpool-") as folder:
        libraries = [ctypes.CDLL(str(path)) for path in libraries_of(artifacts, Path(folder))]
        return [_run(*both, library) for *both, library in zip(cases, artifacts, libraries, strict=True)]


def artifact_of(case: Case, name: str, options: Options) -> Artifact:
    """A case compiled, with its inputs and outputs in the workspace."""
    model = Model(name, f"{name}.tflite", import_tflite(case.model, name), case.model)
    return compile(model, **{**options, "workspace_io": "all"})


def libraries_of(artifacts: Sequence[Artifact], folder: Path, flags: Sequence[str] = ()) -> list[Path]:
    """The library that holds each artefact, compiled with further `flags`; one library per processor is compiled."""
    count = min(len(artifacts), os.cpu_count() or 1)

    def build(number: int) -> Path:
        root = folder / str(number)
        sources: list[str] = []
        for artifact in artifacts[number::count]:
            for path, data in artifact.code.items():
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                if path.endswith(".c"):
                    sources.append(path)
        command = [*find_compiler(), *FLAGS, *flags, "-Iinclude", "-Isrc", *sources, "-o", "batch.so", "-lm"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"the C compiler refused the code:\n{done.stderr[-4000:]}"
        return root / "batch.so"

    with ThreadPoolExecutor(count) as workers:
        built = list(workers.map(build, range(count)))
    return [built[index % count] for index in range(len(artifacts))]


def _run(case: Case, artifact: Artifact, library: ctypes.CDLL) -> list[NDArray[Any]]:
    """The samples in sequence: what the model keeps from one run to the next is reset before the first one only."""
    description = artifact.description
    memories = {pool.name: Memory(pool) for pool in description.workspace_pools}
    pools = (ctypes.c_void_p * len(memories))(*(memory.bytes.ctypes.data for memory in memories.values()))
    if description.states:
        assert getattr(library, f"{description.identifier}_reset")(pools) == 0
    stacks: list[list[NDArray[Any]]] = [[] for _ in description.outputs]
    for sample in range(len(case.inputs[0])):
        for tensor, stacked in zip(description.inputs, case.inputs, strict=True):
            raw = np.frombuffer(np.ascontiguousarray(stacked[sample]).tobytes(), np.uint8)
            assert tensor.pool is not None, "all inputs lie in the workspace"
            assert tensor.offset is not None, "all inputs lie in the workspace"
            memories[tensor.pool].bytes[tensor.offset : tensor.offset + len(raw)] = raw
        code = getattr(library, f"{description.identifier}_run")(pools)
        assert code == 0, f"{description.identifier}_run returned {code}"
        for stack, tensor in zip(stacks, description.outputs, strict=True):
            size = math.prod(tensor.shape) * np.dtype(tensor.dtype).itemsize
            assert tensor.pool is not None, "all outputs lie in the workspace"
            assert tensor.offset is not None, "all outputs lie in the workspace"
            raw = memories[tensor.pool].bytes[tensor.offset : tensor.offset + size].tobytes()
            stack.append(np.frombuffer(raw, tensor.dtype).reshape(tensor.shape))
        for memory in memories.values():
            memory.refill()
    return [np.stack(stack) for stack in stacks]


class Memory:
    """A pool, framed by guard bytes."""

    def __init__(self, pool: Pool):
        self._pool = pool
        self._all = np.full(pool.bytes + 2 * GUARD + pool.alignment, FILL, np.uint8)
        self._start = GUARD + (-(self._all.ctypes.data + GUARD)) % pool.alignment

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """The pool's own."""
        return self._all[self._start : self._start + self._pool.bytes]

    def refill(self) -> None:
        """Check the guard bytes, and overwrite what need not last to the next run."""
        assert (self._all[: self._start] == FILL).all(), f"bytes below pool {self._pool.name} were written"
        assert (self._all[self._start + self._pool.bytes :] == FILL).all(), (
            f"bytes above {self._pool.name} were written"
        )
        if not self._pool.persistent:
            self._all[:] = FILL
