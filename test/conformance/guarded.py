"""Runs compiled models in a process of its own in which no byte outside of their memory can be touched unseen.

Their C is compiled for AddressSanitizer, whose library the process is started with: Python itself knows nothing of it.
"""

from __future__ import annotations

import ctypes
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
_FILL = 0xA5


@dataclass(frozen=True)
class Program:
    """One model in a library, and its inputs: `(pool, offset)` says where a tensor lies."""

    binary: str
    identifier: str
    pools: tuple[tuple[int, int, bool], ...]
    """Bytes, alignment, and whether what is in them lasts from one run to the next."""
    resets: bool
    """Whether that is set before the first run."""
    inputs: tuple[tuple[int, int, NDArray[Any]], ...]
    """Stacked samples."""
    outputs: tuple[tuple[int, int, tuple[int, ...], str], ...]


def run(programs: Sequence[Program], folder: Path) -> list[list[NDArray[Any]] | str]:
    """Stacked outputs of each program, or the report of what it did to memory that is not its own."""
    found: list[list[NDArray[Any]] | str] = []
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = os.environ | {"LD_PRELOAD": asan, "ASAN_OPTIONS": "detect_leaks=0"}
    while len(found) < len(programs):
        job, done = folder / "job", folder / "done"
        job.write_bytes(pickle.dumps(programs[len(found) :]))
        done.write_bytes(b"")
        command = [sys.executable, str(Path(__file__)), str(job), str(done)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        with done.open("rb") as file:
            while file.peek(1):
                found.append(pickle.load(file))
        if ended.returncode:
            assert len(found) < len(programs), ended.stderr[-2000:]
            lines = ended.stderr.strip().splitlines()
            told = [line for line in lines if "ERROR" in line or "error" in line or line.lstrip().startswith("#")]
            found.append("\n".join(told[:6] or lines[-6:]))
    return found


def _run(program: Program) -> list[NDArray[Any]]:
    memory = [_Memory(size, alignment) for size, alignment, _ in program.pools]
    pools = (ctypes.c_void_p * len(memory))(*(one.address for one in memory))
    library = ctypes.CDLL(program.binary)
    if program.resets:
        assert getattr(library, f"{program.identifier}_reset")(pools) == 0, f"{program.identifier}_reset failed"
    entry = getattr(library, f"{program.identifier}_run")
    stacks: list[list[NDArray[Any]]] = [[] for _ in program.outputs]
    for sample in range(len(program.inputs[0][2])):
        for one, (_, _, lasts) in zip(memory, program.pools, strict=True):
            if not lasts:
                one.bytes[:] = _FILL
        for pool, offset, values in program.inputs:
            raw = np.frombuffer(np.ascontiguousarray(values[sample]).tobytes(), np.uint8)
            memory[pool].bytes[offset : offset + len(raw)] = raw
        assert entry(pools) == 0, f"{program.identifier}_run failed"
        for stack, (pool, offset, shape, dtype) in zip(stacks, program.outputs, strict=True):
            size = math.prod(shape) * np.dtype(dtype).itemsize
            stack.append(np.frombuffer(memory[pool].bytes[offset : offset + size].tobytes(), dtype).reshape(shape))
    return [np.stack(stack) for stack in stacks]


class _Memory:
    """A pool of exactly its bytes, as the sanitiser's allocator gives it."""

    def __init__(self, size: int, alignment: int):
        pointer = ctypes.c_void_p()
        alignment = max(alignment, ctypes.sizeof(ctypes.c_void_p))
        # Not what Python took before: the first definition that the process finds is the sanitiser's.
        failed = ctypes.CDLL(None).posix_memalign(ctypes.byref(pointer), ctypes.c_size_t(alignment), max(size, 1))
        assert not failed, "there is memory"
        assert pointer.value is not None, "there is memory"
        self.address = pointer.value
        self.bytes = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(self.address))


def main(job: str, done: str) -> None:
    """Run all programs of a file, and write what came of each at once."""
    with Path(done).open("ab", buffering=0) as file:
        for program in pickle.loads(Path(job).read_bytes()):
            file.write(pickle.dumps(_run(program)))


if __name__ == "__main__":
    # So that programs are unpickled as what they are elsewhere.
    sys.modules["guarded"] = sys.modules["__main__"]
    main(*sys.argv[1:])
