"""Finding a cross compiler for a processor, and calling it.

GNU compilers are preferred where installed; otherwise the `ziglang` wheel brings clang, a linker and the compiler's
run-time library for every processor.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError, UsageError, install_extra
from ...machines.cpus import Cpu
from ..process import call_text

FIRMWARE = Path(__file__).parent / "firmware"
_ZIG = (sys.executable, "-m", "ziglang", "cc")
_ZIG_FLAGS = (
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
    "-mllvm",
    "-enable-global-merge=false",
)
"""Option that GNU compilers set for bare-metal processors anyway; merged arrays would not lie apart from each other."""


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
            UsageError: the code calls a function of the C library that comes with GNU compilers alone.
            InputError: the compiler refuses; carries its first error lines.
        """
        command = [*self.command, *flags, *map(str, sources), *self.link_flags, f"-Wl,-T,{script}", "-o", str(output)]
        _call(command, output.parent, own_library=self.name != "zig")

    @property
    def version(self) -> str:
        """First line of what the compiler says of itself."""
        if self.name == "zig":
            command = [*self.command[: len(_ZIG) - 1], "version"]
        else:
            command = [self.command[0], "--version"]
        answer = call_text(command)
        line = answer.stdout.splitlines()[0] if answer.stdout else ""
        return f"{self.name} {line}".rstrip() if self.name == "zig" else line or self.name


def _call(command: Sequence[str], scratch: Path, *, own_library: bool = True) -> None:
    """Run a compiler; what it leaves behind where it is ended lies in `scratch`, which goes with the build."""
    result = call_text(command, env={**os.environ, "TMPDIR": str(scratch)})
    if result.returncode:
        lacking = re.findall(r"undefined symbol: (\w+)", result.stderr)
        declared = set(re.findall(r"(\w+)\(", (FIRMWARE / "libc" / "math.h").read_text(encoding="utf-8")))
        if not own_library and (functions := declared.intersection(lacking)):
            raise UsageError(
                f"zig brings no {', '.join(sorted(functions))}, which the code calls",
                remedy="use a GNU compiler with newlib (--cc gcc; Debian: gcc-arm-none-eabi libnewlib-arm-none-eabi)",
            )
        raise InputError(f"the cross compiler '{command[0]}' failed: {reason(result.stderr)}")


_DRIVER = re.compile(r"(collect2|clang(-\d+)?|zig): (fatal )?error: (ld|ld\.lld|linker|linker command)\b.*")
"""The compiler's words on its linker."""
_LINKER = re.compile(r"(\S*/)?\S*(ld|ld\.lld)(\.exe)?: (?!warning)")
"""Begins what a linker says."""


def reason(text: str) -> str:
    """The first lines of errors that a compiler printed; of a link the linker's own."""
    lines = [line for line in text.splitlines() if not _DRIVER.fullmatch(line.strip())]
    # GNU's linker says in which function an error is, and then the error, often without calling it one.
    said = [line for line in lines if "in function `" not in line]
    is_error = ("error", "undefined reference")
    errors = [line for line in said if any(word in line for word in is_error) or _LINKER.match(line)]
    errors = errors or lines or text.splitlines()
    return " | ".join(_LINKER.sub("", line) for line in errors[:3])


def _zig() -> tuple[str, ...] | None:
    return _ZIG if importlib.util.find_spec("ziglang") else None


def find_toolchain(cpu: Cpu, cc: str | None = None) -> Toolchain:
    """The compiler to use for `cpu`: `cc` (`gcc`, `zig` or a program's name), or the best one installed.

    Raises:
        UsageError: no compiler for the processor is installed.
    """
    gnu = f"{cpu.gcc_prefix}gcc" if cc is None or cc in ("gcc", "zig") else cc
    # Debian's RISC-V compiler is bare of headers; the firmware folder has the few that emitted code includes.
    headers = ("-isystem", str(FIRMWARE / "libc")) if cpu.isa == "riscv32" else ()
    installed = cc != "zig" and shutil.which(gnu) is not None
    if installed and _has_library(command := (gnu, *cpu.gcc_flags)):
        link = ("-nostartfiles", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-lm")
        return Toolchain("gcc", (*command, *headers), link)
    zig = _zig()
    if cc in (None, "zig") and zig is not None:
        flags = (*zig, *cpu.zig_flags, *_ZIG_FLAGS, "-isystem", str(FIRMWARE / "libc"))
        return Toolchain("zig", flags, ("-Wl,--gc-sections", "-Wl,-e,stillpool_start"))
    if installed:
        raise UsageError(
            f"{gnu} has no C library for {cpu.name}",
            remedy=f"install newlib (Debian: libnewlib-arm-none-eabi), or {install_extra('emulate')}",
        )
    if cc not in (None, "zig"):
        remedy = "leave out --cc, or use --cc zig"
        raise UsageError(f"no C compiler for {cpu.name}: {gnu} is not installed", remedy=remedy)
    missing = "the ziglang package is not" if cc == "zig" else f"neither {gnu} nor the ziglang package is"
    raise UsageError(f"no C compiler for {cpu.name}: {missing} installed", remedy=install_extra("emulate"))


def _has_library(command: Sequence[str]) -> bool:
    """Whether a GNU compiler finds the C library for its flags: distributions have that in a package of its own."""
    library = "libm.a"
    return call_text([*command, f"-print-file-name={library}"]).stdout.strip() not in ("", library)


def build_hooks(directory: Path) -> Path:
    """Compile the emulator's native callbacks for this machine.

    Raises:
        UsageError: there is neither a system C compiler nor ziglang.
    """
    library = directory / "hooks.so"
    source = str(Path(__file__).parent / "hooks.c")
    system = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    command = (system,) if system else _zig()
    if command is None:
        raise UsageError("no C compiler on this machine", remedy=install_extra("emulate"))
    _call([*command, "-O2", "-shared", "-fPIC", source, "-o", str(library)], library.parent)
    return library
