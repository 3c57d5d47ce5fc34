"""The self-test of a project in QEMU: the same program as on a board, with what it prints."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import StillpoolError, UsageError
from ...machines.cpus import Cpu
from ...progress import tell
from ..artifact import Artifact
from ..undisturbed import temporary_folder
from .build import FLAGS, script_for, units_below, written
from .qemu_session import call_qemu
from .toolchain import FIRMWARE, find_toolchain


@dataclass(frozen=True)
class SelfTestRun:
    """What a self-test said."""

    passed: bool
    text: str
    """What it printed."""


def run_self_test(artifact: Artifact, cpu: Cpu, *, cc: str | None = None, opt: str = "2") -> SelfTestRun:
    """Compile the self-test of `artifact` for `cpu` and run it in QEMU.

    Args:
        artifact: the compiled model; one with hooks has a self-test that names the first wrong operator.
        cpu: a Cortex-M that QEMU has a machine with.
        cc: `gcc` or a compiler's path, which brings newlib; None for the one installed.
        opt: level of the compiler's `-O`.

    Raises:
        UsageError: there is no such compiler, no QEMU, or no machine in it with the processor.
        InputError: the compiler refuses the code.
        StillpoolError: the program ended without a verdict.
    """
    toolchain = find_toolchain(cpu, cc)
    if cpu.isa != "thumb" or toolchain.name != "gcc":
        raise UsageError(
            f"a self-test for {cpu.name} prints, which takes a C library that is not here",
            remedy="use a Cortex-M and install arm-none-eabi-gcc with newlib (Debian: libnewlib-arm-none-eabi)",
        )
    with temporary_folder() as folder:
        root = folder
        tests = {f"test/{name}": text.encode() for name, text in artifact.tests.items()}
        written({**artifact.program_code, **tests}, root)
        script = root / "firmware.ld"
        samples = sum(map(len, tests.values()))
        script.write_text(script_for(artifact.interface, cpu, [], further=samples), encoding="utf-8")
        glue = [FIRMWARE / f"{part}_{cpu.isa}.c" for part in ("start", "session", "console")]
        folders = [f"-I{root / 'include'}", f"-I{FIRMWARE}"]
        image = root / "firmware.elf"
        tell(f"compiling the self-test of {artifact.description.name} for {cpu.name}")
        toolchain.compile([*glue, *units_below(root)], image, [f"-O{opt}", *FLAGS, *folders], script)
        (root / "samples.bin").write_bytes(b"")
        said = call_qemu(cpu, image, artifact.description.name, root)
    if not said:
        raise StillpoolError(f"the self-test of {artifact.description.name} said nothing on {cpu.name}")
    return SelfTestRun(said[-1] == 0, said[:-1].decode(errors="replace"))
