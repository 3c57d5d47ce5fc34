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
from typing import Any

import numpy as np
from case import Case
from numpy.typing import NDArray
from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr

from stillpool.driver.artifact import Artifact
from stillpool.driver.compile import compile
from stillpool.driver.host import find_compiler
from stillpool.driver.model import Model
from stillpool.frontends.tflite import import_tflite

FLAGS = ("-std=c99", "-O1", "-fPIC", "-shared", "-ffp-contract=off")
GUARD = 64
FILL = 0xA5


def run_batch(cases: Sequence[Case]) -> list[list[NDArray[Any]]]:
    """Stacked outputs of every case."""
    artifacts = [_artifact(case, f"m{index}") for index, case in enumerate(cases)]
    with tempfile.TemporaryDirectory(prefix="stillpool-") as folder:
        libraries = _libraries(artifacts, Path(folder))
        return [_run(*both, library) for *both, library in zip(cases, artifacts, libraries, strict=True)]


def _artifact(case: Case, name: str) -> Artifact:
    return compile(Model(name, f"{name}.tflite", import_tflite(case.model, name), case.model), workspace_io="all")


def _libraries(artifacts: Sequence[Artifact], folder: Path) -> list[ctypes.CDLL]:
    """The library that holds each artefact; one library per processor is compiled."""
    count = min(len(artifacts), os.cpu_count() or 1)

    def build(number: int) -> ctypes.CDLL:
        root = folder / str(number)
        sources: list[str] = []
        for artifact in artifacts[number::count]:
            for path, data in artifact.code.items():
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                if path.endswith(".c"):
                    sources.append(path)
        command = [*find_compiler(), *FLAGS, "-Iinclude", "-Isrc", *sources, "-o", "batch.so", "-lm"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"the C compiler refused the code:\n{done.stderr[-4000:]}"
        return ctypes.CDLL(str(root / "batch.so"))

    with ThreadPoolExecutor(count) as workers:
        built = list(workers.map(build, range(count)))
    return [built[index % count] for index in range(len(artifacts))]


def _run(case: Case, artifact: Artifact, library: ctypes.CDLL) -> list[NDArray[Any]]:
    description = artifact.description
    (pool,) = description.pools
    memory = np.zeros(pool.bytes + 2 * GUARD + pool.alignment, np.uint8)
    start = GUARD + (-(memory.ctypes.data + GUARD)) % pool.alignment
    workspace = memory[start : start + pool.bytes]
    pools = (ctypes.c_void_p * 1)(workspace.ctypes.data)
    stacks: list[list[NDArray[Any]]] = [[] for _ in description.outputs]
    memory[:] = FILL
    states = _reset(artifact, workspace)
    for sample in range(len(case.inputs[0])):
        kept = [workspace[place].copy() for place in states]
        memory[:] = FILL
        for place, state in zip(states, kept, strict=True):
            workspace[place] = state
        for tensor, stacked in zip(description.inputs, case.inputs, strict=True):
            raw = np.frombuffer(np.ascontiguousarray(stacked[sample]).tobytes(), np.uint8)
            assert tensor.offset is not None, "all inputs lie in the workspace"
            workspace[tensor.offset : tensor.offset + len(raw)] = raw
        code = getattr(library, f"{description.identifier}_run")(pools)
        assert code == 0, f"{description.identifier}_run returned {code}"
        assert (memory[:start] == FILL).all(), "bytes below the pool were written"
        assert (memory[start + pool.bytes :] == FILL).all(), "bytes above the pool were written"
        for stack, tensor in zip(stacks, description.outputs, strict=True):
            size = math.prod(tensor.shape) * np.dtype(tensor.dtype).itemsize
            assert tensor.offset is not None, "all outputs lie in the workspace"
            raw = workspace[tensor.offset : tensor.offset + size].tobytes()
            stack.append(np.frombuffer(raw, tensor.dtype).reshape(tensor.shape))
    return [np.stack(stack) for stack in stacks]


def _reset(artifact: Artifact, workspace: NDArray[np.uint8]) -> list[slice]:
    """Put initial values into the model's state; returns where it lies."""
    places: list[slice] = []
    for op in artifact.level("pools").walk():
        if isinstance(op, memref.AllocOp) and "pool.initial" in op.attributes:
            initial, offset = op.attributes["pool.initial"], op.attributes["pool.offset"]
            assert isinstance(initial, DenseIntOrFPElementsAttr), "initial values are tensors"
            assert isinstance(offset, IntegerAttr), "the plan says where"
            data = np.frombuffer(initial.data.data, np.uint8)
            places.append(slice(offset.value.data, offset.value.data + len(data)))
            workspace[places[-1]] = data
    return places
