"""Building the firmware that runs a compiled model on an emulated processor."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...driver.compile.compiled import Compiled
from ...errors import UsageError, install_extra
from ...machines.cpus import Cpu
from ...machines.instruction import Instruction
from ...progress import tell
from ...targets.interfaces.caller import Memory
from ...targets.interfaces.interface import Interface
from .application import application
from .disassembly import disassemble
from .image import Image
from .linker_script import linker_script
from .toolchain import FIRMWARE, Toolchain, find_toolchain

OPTIMISATIONS = ("0", "1", "2", "3", "s")
"""Levels of `-O` that firmware can be compiled with."""
FLAGS = (
    "-g",
    "-gdwarf-4",
    "-std=c99",
    "-ffunction-sections",
    "-fdata-sections",
    "-ffp-contract=off",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
)
"""How firmware is compiled, beside `-O`; debug information changes neither code nor data. No processor may round once
where another rounds twice."""


@dataclass(frozen=True)
class Firmware:
    """A model linked for one processor."""

    interface: Interface
    cpu: Cpu
    path: Path
    """The ELF image."""
    compiler: str
    """The compiler's version, and the `-O` level."""

    @cached_property
    def image(self) -> Image:
        """The image, read."""
        return Image(self.path, frozenset({f"{self.interface.stem}.c"}))

    @cached_property
    def instructions(self) -> dict[int, Instruction]:
        """The image's code, decoded."""
        return disassemble(self.image)


def check_build(cpu: Cpu, *, cc: str | None = None, opt: str = "2") -> Toolchain:
    """The compiler that `build` takes for a processor.

    Raises:
        UsageError: there is none, no such level, or what reads firmware is not installed.
    """
    if opt not in OPTIMISATIONS:
        raise UsageError(f"unknown optimisation '{opt}'", remedy=f"choose one of {', '.join(OPTIMISATIONS)}")
    toolchain = find_toolchain(cpu, cc)
    for package in ("elftools", "capstone"):
        if importlib.util.find_spec(package) is None:
            raise UsageError("what reads the code of processors is not installed", remedy=install_extra("emulate"))
    return toolchain


_FRAMES = ("-g1", "-fno-var-tracking")
"""Flags after these with which debug information says only how much stack functions take: a fifth less of a
compiler's time."""


def build(
    artifact: Compiled, cpu: Cpu, root: Path, *, cc: str | None = None, opt: str = "2", has_lines: bool = True
) -> Firmware:
    """Compile and link `artifact` into the folder `root`, at `-O` level `opt` with the compiler `cc` (see `emulate`).

    `has_lines` says whether it is asked of which lines and calls instructions are.

    Raises:
        UsageError: there is no compiler for the processor, no such level, or what reads firmware is not installed.
        InputError: the compiler or the linker refuses, for instance because the model does not fit the memories.
    """
    toolchain = check_build(cpu, cc=cc, opt=opt)
    interface = artifact.interface
    tell(f"compiling {interface.model.name} for {cpu.name} at -O{opt}")
    written({**artifact.program_code, "main.c": application(interface).encode()}, root)
    script = root / "firmware.ld"
    script.write_text(script_for(interface, cpu, interface.caller.memories()), encoding="utf-8")
    glue = [FIRMWARE / f"{part}_{cpu.isa}.c" for part in ("start", "session")]
    path = root / "firmware.elf"
    folders = [f"-I{root / 'include'}", f"-I{FIRMWARE}"]
    fewer = () if has_lines else _FRAMES if toolchain.name == "gcc" else _FRAMES[:1]
    flags = [f"-O{opt}", *FLAGS, *fewer, *folders]
    toolchain.compile([*glue, root / "main.c", *units_below(root)], path, flags, script)
    return Firmware(interface, cpu, path, f"{toolchain.version} -O{opt}")


def script_for(interface: Interface, cpu: Cpu, apart: Sequence[Memory], further: int = 0) -> str:
    """The linker script of a firmware.

    Args:
        interface: the model's.
        cpu: the processor.
        apart: buffers that are to lie apart from each other.
        further: bytes of constants beside those of the model.
    """
    constants = interface.model.constants.payload + interface.model.pooled.payload + further
    owned = sum(array.bytes for array in interface.caller.memories())
    return linker_script(cpu, [array.section for array in apart], constants=constants, owned=owned)


def written(files: Mapping[str, bytes], root: Path) -> None:
    """Write files by relative path."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def units_below(root: Path) -> list[Path]:
    """Files of a project that are compiled: its sources, those of the user among them, and those of its test folder."""
    return [path for folder in ("src", "test") for path in sorted((root / folder).rglob("*.[cS]"))]
