"""Running firmware in QEMU: for processors that unicorn does not know, and to check its counts.

With `-icount shift=0` every instruction takes one nanosecond of the emulated time, so that SysTick counts
instructions, at the resolution of one tick.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ...errors import StillpoolError, UsageError
from ...machines.cpus import Cpu
from ...progress import tell
from ..process import call_text
from ..samples import Array
from .build import Firmware
from .linker_script import extents
from .session import Session, raw_inputs, sample_count, stack_outputs

QEMU = "qemu-system-arm"
CLOCK_HZ = {"mps3-an547": 32_000_000}
"""Processor clocks of the machines; the others run at `DEFAULT_CLOCK_HZ`."""
DEFAULT_CLOCK_HZ = 25_000_000
TIMEOUT_SECONDS = 600.0
_HEAD = struct.Struct("<iQI")
"""Status, ticks, bytes of stack."""


def qemu_available() -> bool:
    """Whether QEMU for Arm is installed."""
    return shutil.which(QEMU) is not None


def instructions_per_tick(machine: str) -> float:
    """Instructions between two ticks of SysTick."""
    return 1e9 / CLOCK_HZ.get(machine, DEFAULT_CLOCK_HZ)


def run_qemu(firmware: Firmware, source: str, stacked: Mapping[str, Array], root: Path) -> Session:
    """Run all samples; instructions are exact to one tick, and are not attributed to operators.

    Raises:
        UsageError: QEMU is missing or has no machine with the processor.
        StillpoolError: the firmware failed.
    """
    del source
    model, machine = firmware.interface.model, check_qemu(firmware.cpu)
    _check_room(firmware, machine)
    count = sample_count(stacked)
    samples = (b"\1" + b"".join(raw_inputs(model, stacked, sample)) for sample in range(count))
    (root / "samples.bin").write_bytes(b"".join(samples))
    data = call_qemu(firmware.cpu, firmware.path, model.name, root)
    return _results(data, firmware, count, instructions_per_tick(machine))


def _check_room(firmware: Firmware, machine: str) -> None:
    """Refuse firmware for which the memories of the machine would have to be extended."""
    needed = extents(firmware.cpu, firmware.image.sections)
    for memory, (_, bytes_) in zip(firmware.cpu.memories, needed, strict=True):
        if bytes_ > memory.length:
            raise UsageError(
                f"QEMU's machine {machine} has {memory.length:,} bytes of {memory.name}, the firmware takes {bytes_:,}",
                remedy="use --emulator unicorn, whose memories grow",
            )


def check_qemu(cpu: Cpu) -> str:
    """The machine of QEMU with a processor.

    Raises:
        UsageError: there is none, or no QEMU.
    """
    if cpu.qemu_machine is None:
        raise UsageError(f"QEMU has no machine with {cpu.name}")
    if not qemu_available():
        remedy = f"install {QEMU} (Debian: apt install qemu-system-arm)"
        raise UsageError(f"{cpu.name} needs QEMU, which is not installed", remedy=remedy)
    return cpu.qemu_machine


def call_qemu(cpu: Cpu, image: Path, model: str, root: Path) -> bytes:
    """Results that firmware for a session writes; its samples are in `root`.

    Raises:
        UsageError: QEMU is missing or has no machine with the processor.
        StillpoolError: the firmware failed; `model` says whose it is.
    """
    machine = check_qemu(cpu)
    command = [QEMU, "-M", machine, "-display", "none", "-monitor", "none", "-serial", "none"]
    command += ["-icount", "shift=0,sleep=off,align=off", "-semihosting-config", "enable=on,target=native"]
    command += ["-kernel", str(image)]
    try:
        tell(f"running {model} on {cpu.name} in QEMU")
        done = call_text(command, cwd=root, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise StillpoolError(f"QEMU did not end within {TIMEOUT_SECONDS:g} s") from error
    if done.returncode:
        reason = {99: "the processor faulted"}.get(done.returncode, done.stderr.strip() or "no reason given")
        raise StillpoolError(f"model '{model}' failed in QEMU (exit code {done.returncode}): {reason}")
    return (root / "results.bin").read_bytes()


def _results(data: bytes, firmware: Firmware, count: int, per_tick: float) -> Session:
    model = firmware.interface.model
    statuses: list[int] = []
    stacks: list[int] = []
    outputs: list[list[bytes]] = []
    ticks = position = 0
    for _ in range(count):
        status, ticks, stack = _HEAD.unpack_from(data, position)
        position += _HEAD.size
        statuses.append(status)
        stacks.append(stack)
        outputs.append([])
        for tensor in model.outputs:
            outputs[-1].append(data[position : position + tensor.bytes])
            position += tensor.bytes
    return Session(stack_outputs(model, outputs), tuple(statuses), round(ticks * per_tick), max(stacks))
