"""Running a compiled model on an emulated processor: the same C, a cross compiler, and unicorn in a process of its own.

The model may touch its pools, its inputs and outputs, the stack and its constants; any other access ends the run.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError, UsageError, VerificationError
from ...targets.cpus import Cpu
from ...targets.interfaces.description import Description, Tensor
from ..artifact import Artifact
from ..samples import Array
from .linker_script import linker_script
from .toolchain import FIRMWARE, build_counter, find_toolchain

FLAGS = ("-O2", "-g", "-std=c99", "-ffunction-sections", "-fdata-sections")
RUNNER = Path(__file__).parent / "unicorn_runner.py"


@dataclass(frozen=True)
class Emulation:
    """What the emulated processor did."""

    outputs: dict[str, Array]
    """Stacked on the first axis, as the inputs."""
    instructions: int
    """Executed by one inference, from the call of `<m>_run` to its return."""
    stack_bytes: int
    """Most stack that `<m>_run` and what it calls took."""
    compiler: str


def emulate(artifact: Artifact, cpu: Cpu, stacked: Mapping[str, Array], *, cc: str | None = None) -> Emulation:
    """Run samples, stacked on the first axis by input name, on an emulated `cpu`.

    Raises:
        UsageError: unicorn or a cross compiler is missing, or unicorn has no such processor.
        VerificationError: the model accessed memory that it does not own; names the access and the program counter.
        InputError: the compiler refuses the code.
    """
    if importlib.util.find_spec("unicorn") is None or importlib.util.find_spec("elftools") is None:
        raise UsageError("the emulator is not installed", remedy="pip install unicorn pyelftools")
    if cpu.unicorn_model is None:
        raise UsageError(f"unicorn cannot emulate {cpu.name}")
    model = artifact.description
    toolchain = find_toolchain(cpu, cc)
    with tempfile.TemporaryDirectory(prefix="stillpool-") as folder:
        root = Path(folder)
        for name, content in {**artifact.code, "main.c": _application(model).encode()}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        script = root / "firmware.ld"
        script.write_text(linker_script(cpu, [f".{symbol}" for symbol, *_ in _owned(model)]), encoding="utf-8")
        sources = [FIRMWARE / f"start_{cpu.isa}.c", root / "main.c", *sorted((root / "src").glob("*.c"))]
        image = root / "firmware.elf"
        toolchain.compile(sources, image, [*FLAGS, f"-I{root / 'include'}"], script)
        answer = _run(_job(model, cpu, image, build_counter(root), _samples(root, model, stacked)), root)
        count = len(next(iter(stacked.values())))
        outputs = {
            tensor.name: np.stack([_load(root / f"out_{n}_{i}", tensor) for n in range(count)])
            for i, tensor in enumerate(model.outputs)
        }
    last = answer["samples"][-1]
    if any(sample["status"] for sample in answer["samples"]):
        raise VerificationError(f"{model.identifier}_run returned {last['status']} on {cpu.name}")
    stack = max(sample["stack_bytes"] for sample in answer["samples"])
    return Emulation(outputs, last["instructions"], stack, toolchain.version)


def _owned(model: Description) -> list[tuple[str, int, int]]:
    """Symbol, bytes and alignment of every array that the model may touch."""
    pools = [(f"stillpool_pool_{p.identifier}", p.bytes, p.alignment) for p in model.pools]
    sides = (("input", model.inputs), ("output", model.outputs))
    caller = [
        (f"stillpool_{side}_{tensor.identifier}", tensor.bytes, 16)
        for side, tensors in sides
        for tensor in tensors
        if tensor.pool is None
    ]
    return pools + caller


def _application(model: Description) -> str:
    """C that owns the arrays and calls the model once."""
    m = model.identifier
    arrays = [
        f'__attribute__((section(".{symbol}"), aligned({alignment}))) uint8_t {symbol}[{max(size, 1)}];'
        for symbol, size, alignment in _owned(model)
    ]
    fields = [f"  pools.{p.identifier} = stillpool_pool_{p.identifier};" for p in model.pools]
    arguments: list[str] = []
    for side, tensors in (("input", model.inputs), ("output", model.outputs)):
        own = [t for t in tensors if t.pool is None]
        if own:
            fields += [
                f"  {side}s.{t.identifier} = ({t.c_type} *)(void *)stillpool_{side}_{t.identifier};" for t in own
            ]
            arguments.append(f"&{side}s")
    declared = [f"  static {m}_{a[1:]} {a[1:]};" for a in arguments]
    lines = [
        f'#include "{m}.h"',
        *arrays,
        "volatile int32_t stillpool_status;",
        "void stillpool_application(void);",
        "void stillpool_application(void) {",
        f"  static {m}_workspace_pools pools;",
        *declared,
        *fields,
        f"  stillpool_status = {m}_run({', '.join([*arguments, '&pools'])});",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _at(side: str, tensor: Tensor, model: Description) -> list[Any]:
    """Symbol, offset and bytes of a tensor's place."""
    if tensor.pool is None:
        return [f"stillpool_{side}_{tensor.identifier}", 0, tensor.bytes]
    pool = next(p for p in model.pools if p.name == tensor.pool)
    return [f"stillpool_pool_{pool.identifier}", tensor.offset, tensor.bytes]


def _job(model: Description, cpu: Cpu, image: Path, counter: Path, samples: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "elf": str(image),
        "isa": cpu.isa,
        "model": cpu.unicorn_model,
        "run": f"{model.identifier}_run",
        "operators": [],
        "memories": [[memory.origin, memory.length] for memory in cpu.memories],
        "counter": str(counter),
        # The application's own structures stand in .bss, which the model reads through the pointers it is given.
        "owned": [
            *([symbol, 0, size, "rw"] for symbol, size, _ in _owned(model)),
            ["stillpool_bss_start", 0, 256, "r"],
        ],
        "inputs": [_at("input", tensor, model) for tensor in model.inputs],
        "outputs": [_at("output", tensor, model) for tensor in model.outputs],
        "samples": samples,
    }


def _samples(root: Path, model: Description, stacked: Mapping[str, Array]) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = []
    for n in range(len(next(iter(stacked.values())))):
        inputs: list[str] = []
        for i, tensor in enumerate(model.inputs):
            path = root / f"in_{n}_{i}"
            path.write_bytes(np.ascontiguousarray(stacked[tensor.name][n], tensor.dtype).tobytes())
            inputs.append(str(path))
        samples.append({"inputs": inputs, "outputs": [str(root / f"out_{n}_{i}") for i in range(len(model.outputs))]})
    return samples


def _load(path: Path, tensor: Tensor) -> Array:
    return np.frombuffer(path.read_bytes(), tensor.dtype).reshape(tensor.shape)


def _run(job: dict[str, Any], root: Path) -> dict[str, Any]:
    file = root / "job.json"
    file.write_text(json.dumps(job), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-W", "ignore", str(RUNNER), str(file)], capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise InputError(f"the emulator failed: {result.stderr.strip().splitlines()[-1:]}")
    answer: dict[str, Any] = json.loads(result.stdout)
    violation = answer["violation"]
    if violation is not None:
        what = (
            violation.get("message")
            or f"{violation['kind']} of {violation['bytes']} bytes at {violation['address']:#x}"
        )
        raise VerificationError(
            f"the model left its memory on {job['model']}: {what}, program counter {violation['pc']:#x}"
        )
    return answer
