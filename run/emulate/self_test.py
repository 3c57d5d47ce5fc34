"""The self-test of a project, or another program around it, in QEMU: the same as on a board, with what it prints."""

from __future__ import annotations

from collections.abc import Mapping
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
class ProgramRun:
    """Result of a program."""

    passed: bool
    """Whether its `main` returned 0."""
    text: str
    """Text that it printed."""


def run_self_test(artifact: Artifact, cpu: Cpu, *, cc: str | None = None, opt: str = "2") -> ProgramRun:
    """Compile the self-test of `artifact` for `cpu` and run it in QEMU; see `run_program`.

    An artifact with hooks has a self-test that names the first wrong operator.
    """
    return run_program(artifact, artifact.tests, cpu, cc=cc, opt=opt)


def run_program(
    artifact: Artifact, program: Mapping[str, str], cpu: Cpu, *, cc: str | None = None, opt: str = "2"
) -> ProgramRun:
    """Compile a program that calls `artifact` for `cpu` and run it in QEMU.

    Args:
        artifact: the compiled model.
        program: its C files and headers by name; one of them has `main`.
        cpu: a Cortex-M that QEMU has a machine with.
        cc: `gcc` or a compiler's path, which brings newlib; None for the one installed.
        opt: level of the compiler's `-O`.

    Raises:
        UsageError: there is no such compiler, no QEMU, or no machine in it with the processor.
        InputError: the compiler refuses the code.
        StillpoolError: the program ended without a verdict.
    """
    name, toolchain = artifact.description.name, find_toolchain(cpu, cc)
    if cpu.isa != "thumb" or toolchain.name != "gcc":
        raise UsageError(
            f"a program for {cpu.name} that prints takes a C library that is not here",
            remedy="use a Cortex-M and install arm-none-eabi-gcc with newlib (Debian: libnewlib-arm-none-eabi)",
        )
    with temporary_folder() as folder:
        root = folder
        files = {f"test/{name}": text.encode() for name, text in program.items()}
        written({**artifact.program_code, **files}, root)
        script = root / "firmware.ld"
        constants = sum(map(len, files.values()))
        script.write_text(script_for(artifact.interface, cpu, [], further=constants), encoding="utf-8")
        glue = [FIRMWARE / f"{part}_{cpu.isa}.c" for part in ("start", "session", "console")]
        folders = [f"-I{root / 'include'}", f"-I{root / 'test'}", f"-I{FIRMWARE}"]
        image = root / "firmware.elf"
        tell(f"compiling a program with {name} for {cpu.name}")
        toolchain.compile([*glue, *units_below(root)], image, [f"-O{opt}", *FLAGS, *folders], script)
        (root / "samples.bin").write_bytes(b"")
        said = call_qemu(cpu, image, name, root)
    if not said:
        raise StillpoolError(f"the program with {name} said nothing on {cpu.name}")
    return ProgramRun(said[-1] == 0, said[:-1].decode(errors="replace"))
