"""Finding a cross compiler for a processor, and calling it.

GNU compilers are preferred where installed; otherwise the `ziglang` wheel brings clang, a linker and the compiler's
run-time library for every processor.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError, UsageError
from ...targets.cpus import Cpu

FIRMWARE = Path(__file__).parent / "firmware"


@dataclass(frozen=True)
class Toolchain:
    """A compiler for one processor."""

    name: str
    """`gcc` or `zig`."""
    command: tuple[str, ...]
    """Compiler with the flags that select the processor."""
    link_flags: tuple[str, ...]
    """Further flags of the link."""

    def compile(self, sources: Sequence[Path], output: Path, flags: Sequence[str], script: Path) -> None:
        """Compile and link a firmware image.

        Raises:
            InputError: the compiler refuses; carries its first error lines.
        """
        _call([*self.command, *flags, *map(str, sources), *self.link_flags, f"-Wl,-T,{script}", "-o", str(output)])

    @property
    def version(self) -> str:
        """First line of what the compiler says of itself."""
        first = [part for part in self.command if not part.startswith("-")][: 1 if self.name == "gcc" else 4]
        answer = subprocess.run([*first, "--version"], capture_output=True, text=True, check=False)
        return answer.stdout.splitlines()[0] if answer.stdout else self.name


def _call(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if "error" in line] or result.stderr.splitlines()
        raise InputError(f"the cross compiler '{command[0]}' failed: " + " | ".join(lines[:3]))


def _zig() -> tuple[str, ...] | None:
    return (sys.executable, "-m", "ziglang", "cc") if importlib.util.find_spec("ziglang") else None


def find_toolchain(cpu: Cpu, cc: str | None = None) -> Toolchain:
    """The compiler to use for `cpu`: `cc` (`gcc`, `zig` or a program's name), or the best one installed.

    Raises:
        UsageError: no compiler for the processor is installed.
    """
    gnu = f"{cpu.gcc_prefix}gcc" if cc is None or cc in ("gcc", "zig") else cc
    # Debian's RISC-V compiler is bare of headers; the firmware folder has the few that emitted code includes.
    headers = ("-isystem", str(FIRMWARE)) if cpu.isa == "riscv32" else ()
    if cc != "zig" and shutil.which(gnu):
        link = ("-nostartfiles", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-lm")
        return Toolchain("gcc", (gnu, *cpu.gcc_flags, *headers), link)
    zig = _zig()
    if cc in (None, "zig") and zig is not None:
        flags = (*zig, *cpu.zig_flags, "-fno-sanitize=all", "-isystem", str(FIRMWARE))
        return Toolchain("zig", flags, ("-nostartfiles", "-Wl,--gc-sections", "-Wl,-e,stillpool_start"))
    raise UsageError(
        f"no C compiler for {cpu.name}: neither {gnu} nor the ziglang package is installed",
        remedy="pip install 'stillpool[emulate]'",
    )


def build_counter(directory: Path) -> Path:
    """Compile the native block counter for this machine.

    Raises:
        UsageError: there is neither a system C compiler nor ziglang.
    """
    library = directory / "block_counter.so"
    source = str(Path(__file__).parent / "block_counter.c")
    system = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    command = (system,) if system else _zig()
    if command is None:
        raise UsageError("no C compiler on this machine", remedy="pip install 'stillpool[emulate]'")
    _call([*command, "-O2", "-shared", "-fPIC", source, "-o", str(library)])
    return library
