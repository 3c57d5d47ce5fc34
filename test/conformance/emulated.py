"""Runs C functions on an emulated Cortex-M, where a processor's own instructions compute: operands lie in one arena.

What lies between operands is looked at after each run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from guarded import FILL, Answers, Program
from numpy.typing import NDArray

from stillpool.machines.cpus import Cpu
from stillpool.run.emulate.build import FLAGS
from stillpool.run.emulate.linker_script import linker_script
from stillpool.run.emulate.qemu_session import call_qemu
from stillpool.run.emulate.toolchain import FIRMWARE, find_toolchain

_APART = 64
"""Bytes between operands."""
_MOST_CONSTANTS = 2 << 20


def run(texts: Sequence[str], programs: Sequence[Program], folder: Path, cpu: Cpu) -> Answers:
    """Run programs of some C files on a processor."""
    sources = [folder / f"m{number}.c" for number in range(len(texts))]
    for path, text in zip(sources, texts, strict=True):
        path.write_text(text)
    arena = max(_places(program)[-1] for program in programs)
    (folder / "main.c").write_text(_main(programs, arena))
    (folder / "firmware.ld").write_text(linker_script(cpu, [], constants=_MOST_CONSTANTS, owned=arena))
    glue = [FIRMWARE / f"{part}_{cpu.isa}.c" for part in ("start", "session", "console")]
    flags, image = ["-O2", *FLAGS, f"-I{FIRMWARE}"], folder / "firmware.elf"
    find_toolchain(cpu).compile([*glue, folder / "main.c", *sources], image, flags, folder / "firmware.ld")
    (folder / "samples.bin").write_bytes(b"")
    said = call_qemu(cpu, image, "schedules", folder)
    found: Answers = []
    end = 0
    for program in programs:
        stacks: list[list[NDArray[Any]]] = [[] for _ in program.outputs]
        is_clean = True
        for _ in program.inputs[0][1]:
            for stack, (_, shape, dtype) in zip(stacks, program.outputs, strict=True):
                begin, end = end, end + _bytes(shape, dtype)
                stack.append(np.frombuffer(said[begin:end], dtype).reshape(shape))
            is_clean, end = is_clean and said[end] == 0, end + 1
        found.append([np.stack(stack) for stack in stacks] if is_clean else "writes beside its operands")
    assert said[end:] == b"\0", "what `main` returns comes last"
    return found


def _bytes(shape: Sequence[int], dtype: str) -> int:
    return math.prod(shape) * np.dtype(dtype).itemsize


def _places(program: Program) -> list[int]:
    """Where each operand begins, at no more than its alignment, and the end of all."""
    places, end = list[int](), 0
    for one in program.operands:
        step = 2 * one.alignment
        places.append(-(-(end + _APART) // step) * step + one.alignment)
        end = places[-1] + one.size
    return [*places, end + _APART]


def _main(programs: Sequence[Program], arena: int) -> str:
    lines = [
        "#include <string.h>",
        '#include "session.h"',
        f"static unsigned char arena[{arena}] __attribute__((aligned(64)));",
        "static void outside(int from, int to, char *touched) {",
        f"  for (int i = from; i < to; i++) *touched |= arena[i] != {FILL};",
        "}",
    ]
    for number, program in enumerate(programs):
        lines += _calls(number, program)
    calls = [f"  run_{number}();" for number in range(len(programs))]
    return "\n".join([*lines, "int main(void);", "int main(void) {", *calls, "  return 0;", "}", ""])


def _calls(number: int, program: Program) -> Iterator[str]:
    """The function that runs a program with all samples."""
    *places, end = _places(program)
    pointers = ", ".join(f"arena + {place}" for place in places)
    yield f"void {program.function}({', '.join(['void *'] * len(places))});"
    for n, (_, values) in enumerate(program.inputs):
        yield _constant(f"input_{number}_{n}", np.ascontiguousarray(values).tobytes())
    lasting = {n: one.initial for n, one in enumerate(program.operands) if one.initial is not None}
    for n, initial in lasting.items():
        yield _constant(f"initial_{number}_{n}", initial)
    yield f"static void run_{number}(void) {{\n  memset(arena, {FILL}, {end});"
    for n, initial in lasting.items():
        yield f"  memcpy(arena + {places[n]}, initial_{number}_{n}, {len(initial)});"
    yield f"  for (int sample = 0; sample < {len(program.inputs[0][1])}; sample++) {{\n    char touched = 0;"
    for n, one in enumerate(program.operands):
        if n not in lasting:
            yield f"    memset(arena + {places[n]}, {FILL}, {one.size});"
    for n, (operand, values) in enumerate(program.inputs):
        size = np.ascontiguousarray(values[0]).nbytes
        yield f"    memcpy(arena + {places[operand]}, input_{number}_{n} + sample * {size}, {size});"
    yield f"    {program.function}({pointers});"
    begins = [0, *(place + one.size for place, one in zip(places, program.operands, strict=True))]
    for begin, stop in zip(begins, [*places, end], strict=True):
        yield f"    outside({begin}, {stop}, &touched);"
    for operand, shape, dtype in program.outputs:
        yield f"    stillpool_write(arena + {places[operand]}, {_bytes(shape, dtype)});"
    yield "    stillpool_write(&touched, 1);\n  }\n}"


def _constant(name: str, data: bytes) -> str:
    return f"static const unsigned char {name}[{len(data)}] = {{{', '.join(map(str, data))}}};"
