"""Running firmware in unicorn, which counts every instruction and guards the memory.

unicorn itself runs in `unicorn_runner.py`, a process of its own.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import StillpoolError, UsageError, VerificationError, install_extra
from ...machines.cpus import Cpu
from ...progress import tell
from ...targets.interfaces.caller import Memory
from ...targets.interfaces.description import Side
from ..process import call_text
from ..samples import Array
from .attribution import Attribution, Block
from .build import Firmware
from .linker_script import extents
from .session import Session, raw_inputs, sample_count, stack_outputs
from .toolchain import build_hooks

RUNNER = Path(__file__).parent / "unicorn_runner.py"


def check_unicorn(cpu: Cpu) -> None:
    """Refuse a processor that unicorn does not run.

    Raises:
        UsageError: unicorn is missing or has no such processor.
    """
    if importlib.util.find_spec("unicorn") is None:
        raise UsageError("the emulator unicorn is not installed", remedy=install_extra("emulate"))
    if cpu.unicorn_model is None:
        raise UsageError(f"unicorn cannot emulate {cpu.name}", remedy="use --emulator qemu")


def run_unicorn(firmware: Firmware, source: str, stacked: Mapping[str, Array], root: Path) -> Session:
    """Run all samples; `source` is the model's C text.

    Raises:
        UsageError: unicorn is missing or has no such processor.
        VerificationError: the model accessed memory that it does not own.
    """
    check_unicorn(firmware.cpu)
    model = firmware.interface.model
    attribution = Attribution(firmware.image, firmware.interface, source)
    count = sample_count(stacked)
    for sample in range(count):
        for index, data in enumerate(raw_inputs(model, stacked, sample)):
            (root / f"in_{sample}_{index}").write_bytes(data)
    tell(f"running {model.name} on {firmware.cpu.name} in unicorn")
    answer = _execute(_job(firmware, attribution, count, root), root)
    if answer["violation"] is not None:
        raise VerificationError(_explained(firmware, attribution, answer["violation"]))
    outputs = [[(root / f"out_{n}_{i}").read_bytes() for i in range(len(model.outputs))] for n in range(count)]
    samples = answer["samples"]
    return Session(
        stack_outputs(model, outputs),
        tuple(sample["status"] for sample in samples),
        samples[-1]["instructions"],
        max(sample["stack_bytes"] for sample in samples),
        attribution,
        tuple(Block(*entry) for entry in answer["blocks"]),
    )


def _job(firmware: Firmware, attribution: Attribution, count: int, root: Path) -> dict[str, Any]:
    interface, cpu = firmware.interface, firmware.cpu
    caller = interface.caller
    sides: tuple[Side, ...] = ("input", "output")
    places = {
        side: [(*caller.place(side, tensor), tensor.bytes) for tensor in interface.model.side(side)] for side in sides
    }
    return {
        "elf": str(firmware.path),
        "isa": cpu.isa,
        "model": cpu.unicorn_model,
        "run": interface.run_function,
        "memories": extents(cpu, firmware.image.sections),
        "aligned": not cpu.unaligned,
        "hooks": str(build_hooks(root)),
        "slots": attribution.slots,
        "sites": attribution.sites(),
        "owned": [[array.symbol, array.bytes] for array in caller.memories()],
        "inputs": places["input"],
        "outputs": places["output"],
        "samples": [
            {
                "inputs": [str(root / f"in_{n}_{i}") for i in range(len(places["input"]))],
                "outputs": [str(root / f"out_{n}_{i}") for i in range(len(places["output"]))],
            }
            for n in range(count)
        ],
    }


def _execute(job: dict[str, Any], root: Path) -> dict[str, Any]:
    file = root / "job.json"
    file.write_text(json.dumps(job), encoding="utf-8")
    command = [sys.executable, "-P", "-W", "ignore", str(RUNNER), str(file)]
    result = call_text(command)
    if result.returncode:
        last = result.stderr.strip().splitlines()[-1:] or [f"exit code {result.returncode}"]
        raise StillpoolError(f"the emulator failed: {last[0]}")
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def _explained(firmware: Firmware, attribution: Attribution, violation: dict[str, Any]) -> str:
    """The violation with its operator, its address and its line of C."""
    image, model, counter = firmware.image, firmware.interface.model, violation["pc"] & ~1
    slot = attribution.slot(counter) or violation["slot"]
    sites = model.call_sites
    operator = model.operators[sites[slot - 1][0]] if 0 < slot <= len(sites) else None
    where = f"{operator.label} '{operator.name}'" if operator else "the code between the operators"
    frames, line = image.frames(counter), image.line(counter)
    function = f" in {frames[-1].function}" if frames else ""
    at = f" at {line[0]}:{line[1]}" if line else f" at program counter {counter:#x}"
    if "address" not in violation:
        what = str(violation["message"])
    else:
        what = f"{violation['kind']} of {violation['bytes']} bytes at {violation['address']:#010x}"
        what += _nearest(firmware, firmware.interface.caller.memories(), violation["address"])
    return f"model '{model.name}' on {firmware.cpu.name}: {where} left its memory: {what},{function}{at}"


def _nearest(firmware: Firmware, arrays: list[Memory], address: int) -> str:
    """How far from which owned array an address lies."""
    distances: list[tuple[int, str]] = []
    for array in arrays:
        symbol = firmware.image.by_name.get(array.symbol)
        if symbol is not None:
            behind, before = address - symbol.address - array.bytes, symbol.address - address
            word = f"{behind} bytes behind the end" if behind >= 0 else f"{before} bytes before the start"
            distances.append((max(behind, before), f" ({word} of {array.what})"))
    return min(distances)[1] if distances else ""
