"""The sections and symbols of a linked program, read by pyelftools of the extra `emulate`."""

# The types hold whether the extra is installed or not.
# pyright: reportMissingImports=false

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...documents import read_bytes
from ...errors import InputError, UsageError, install_extra


@dataclass(frozen=True)
class Linked:
    """A function or variable with its place."""

    name: str
    address: int
    """Without the Thumb bit."""
    bytes: int
    section: str
    is_function: bool
    is_writable: bool
    """Whether its section is."""
    unit: str
    """Name of the source file of a static one; empty for others."""

    @property
    def end(self) -> int:
        """The address after it."""
        return self.address + self.bytes


@dataclass(frozen=True)
class Program:
    """An ELF file."""

    sections: dict[str, int]
    """Bytes by name, of what is loaded."""
    symbols: tuple[Linked, ...]


def read_program(path: Path) -> Program:
    """Read an ELF file.

    Raises:
        InputError: it cannot be read, is none, or has no symbols.
        UsageError: the extra is not installed.
    """
    if find_spec("elftools") is None:
        raise UsageError("what reads linked programs is not installed", remedy=install_extra("emulate"))
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        return _program(ELFFile(io.BytesIO(read_bytes(path))), path)
    except InputError:
        raise
    # What is damaged raises anything in pyelftools.
    except (ELFError, Exception) as error:
        raise InputError(f"{path} is no whole ELF file: {error}", remedy="give the linked program") from error


def _program(elf: Any, path: Path) -> Program:
    from elftools.elf.constants import SH_FLAGS

    headers = [(str(section.name), section) for section in elf.iter_sections()]
    loaded = {name: int(s["sh_size"]) for name, s in headers if int(s["sh_flags"]) & SH_FLAGS.SHF_ALLOC}
    table: Any = elf.get_section_by_name(".symtab")
    if table is None:
        raise InputError(f"{path} has no symbols", remedy="give the program as the linker wrote it, before strip")
    writable = [bool(int(section["sh_flags"]) & SH_FLAGS.SHF_WRITE) for _, section in headers]
    return Program(loaded, tuple(_symbols(table, [name for name, _ in headers], writable)))


def _symbols(table: Any, sections: list[str], writable: list[bool]) -> Iterator[Linked]:
    """Functions and variables; the static ones of a source file follow a symbol that names it."""
    unit = ""
    for entry in table.iter_symbols():
        kind, bind = str(entry["st_info"]["type"]), str(entry["st_info"]["bind"])
        if kind == "STT_FILE":
            unit = str(entry.name).replace("\\", "/").rpartition("/")[2]
        index = entry["st_shndx"]
        if kind not in ("STT_FUNC", "STT_OBJECT") or not isinstance(index, int):
            continue
        function = kind == "STT_FUNC"
        address = int(entry["st_value"])
        yield Linked(
            str(entry.name),
            address & ~1 if function else address,
            int(entry["st_size"]),
            sections[index],
            function,
            writable[index],
            unit if bind == "STB_LOCAL" else "",
        )
