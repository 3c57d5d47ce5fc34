"""Runs C functions in a process of its own in which no byte outside of their operands can be touched unseen.

They are compiled for AddressSanitizer, whose library the process is started with: Python itself knows nothing of it.
Every operand has memory of its own, of exactly its bytes.
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
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FLAGS = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""Of the compiler: before it optimises, all that C leaves undefined is still there to be found, in a quarter of the
time."""
FILL = 0xA5
"""What is in memory before a run."""


@dataclass(frozen=True)
class Memory:
    """An operand."""

    size: int
    """Bytes."""
    alignment: int
    """Its address is a multiple of this, and of nothing more."""
    initial: bytes | None = None
    """What is in it before the first run, if that lasts from one run to the next."""


@dataclass(frozen=True)
class Program:
    """One function in C, its operands, and which of them are inputs and outputs."""

    function: str
    operands: tuple[Memory, ...]
    inputs: tuple[tuple[int, NDArray[Any]], ...]
    """Numbers of operands, and stacked samples."""
    outputs: tuple[tuple[int, tuple[int, ...], str], ...]
    """Numbers of operands, shapes, and element types."""


Answers: TypeAlias = list[list[NDArray[Any]] | str]
"""Stacked outputs of each program, or the report of what it did to memory that is not its own."""


def run(texts: Sequence[str], programs: Sequence[Program], folder: Path) -> Answers:
    """Run programs of some C files."""
    library = _library(texts, folder)
    found: Answers = []
    environment = os.environ | {"LD_PRELOAD": _sanitizer(), "ASAN_OPTIONS": "detect_leaks=0"}
    while len(found) < len(programs):
        job, done = folder / "job", folder / "done"
        job.write_bytes(pickle.dumps((str(library), programs[len(found) :])))
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


def _library(texts: Sequence[str], folder: Path) -> Path:
    from host_batch import FLAGS as LIBRARY

    from stillpool.run.host import find_compiler

    sources = [folder / f"m{number}.c" for number in range(len(texts))]
    for path, text in zip(sources, texts, strict=True):
        path.write_text(text)
    command = [*find_compiler(), *LIBRARY, *FLAGS, *map(str, sources), "-o", str(folder / "batch.so"), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the C compiler refused the code:\n{done.stderr[-4000:]}"
    return folder / "batch.so"


@cache
def _sanitizer() -> str:
    asked = ["gcc", "-print-file-name=libasan.so"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def _run(library: str, program: Program) -> list[NDArray[Any]]:
    memory = [_Place(one) for one in program.operands]
    function = getattr(ctypes.CDLL(library), program.function)
    function.restype = None
    operands = [ctypes.c_void_p(one.address) for one in memory]
    stacks: list[list[NDArray[Any]]] = [[] for _ in program.outputs]
    for sample in range(len(program.inputs[0][1])):
        for place, one in zip(memory, program.operands, strict=True):
            if one.initial is None:
                place.bytes[:] = FILL
            elif sample == 0:
                place.bytes[:] = np.frombuffer(one.initial, np.uint8)
        for number, values in program.inputs:
            memory[number].bytes[:] = np.frombuffer(np.ascontiguousarray(values[sample]).tobytes(), np.uint8)
        function(*operands)
        for stack, (number, shape, dtype) in zip(stacks, program.outputs, strict=True):
            size = math.prod(shape) * np.dtype(dtype).itemsize
            stack.append(np.frombuffer(memory[number].bytes[:size].tobytes(), dtype).reshape(shape))
    return [np.stack(stack) for stack in stacks]


class _Place:
    """Memory that ends where a block of the sanitiser's allocator ends, and begins at most an alignment inside it."""

    def __init__(self, one: Memory):
        pointer = ctypes.c_void_p()
        block = max(2 * one.alignment, ctypes.sizeof(ctypes.c_void_p))
        # Not what Python took before: the first definition that the process finds is the sanitiser's.
        process = ctypes.CDLL(None)
        size = one.alignment + max(one.size, 1)
        failed = process.posix_memalign(ctypes.byref(pointer), ctypes.c_size_t(block), ctypes.c_size_t(size))
        assert not failed, "there is memory"
        assert pointer.value is not None, "there is memory"
        self.address = pointer.value + one.alignment
        self.bytes = np.ctypeslib.as_array((ctypes.c_uint8 * one.size).from_address(self.address))


def main(job: str, done: str) -> None:
    """Run all programs of a file, and write what came of each at once."""
    library, programs = pickle.loads(Path(job).read_bytes())
    with Path(done).open("ab", buffering=0) as file:
        for program in programs:
            file.write(pickle.dumps(_run(library, program)))


if __name__ == "__main__":
    # So that programs are unpickled as what they are elsewhere.
    sys.modules["guarded"] = sys.modules["__main__"]
    main(*sys.argv[1:])
