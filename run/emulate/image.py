"""A firmware image as figures need it: sections, symbols, code, and what the debug information says of an address.

pyelftools, of the extra `emulate`, reads it; it is imported when an image is read.
"""

# The types hold whether the extra is installed or not.
# pyright: reportMissingImports=false

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE
    from elftools.elf.elffile import ELFFile

_STACK_POINTER_ARM, _STACK_POINTER_RISCV = 13, 2
"""DWARF numbers of the stack pointer."""


@dataclass(frozen=True)
class Symbol:
    """A function or variable."""

    name: str
    address: int
    """Without the Thumb bit."""
    bytes: int
    section: str
    is_function: bool


@dataclass(frozen=True)
class Frame:
    """One level of (inlined) calls around an address."""

    function: str
    line: int
    """Line of the call that was inlined; 0 for the outermost, real function."""


class Image:
    """An ELF file with DWARF debug information, read into memory.

    Args:
        path: the file.
        units: names of the source files whose debug information matters.
    """

    def __init__(self, path: Path, units: frozenset[str] = frozenset()):
        from elftools.elf.constants import SH_FLAGS
        from elftools.elf.elffile import ELFFile

        elf = ELFFile(BytesIO(path.read_bytes()))
        self.sections: dict[str, tuple[int, int, bool]] = {}
        """Name: address, bytes, whether it takes space in flash. Only what is loaded."""
        self.code_address, self.code = 0, b""
        for section in elf.iter_sections():
            flags: int = section["sh_flags"]
            if flags & SH_FLAGS.SHF_ALLOC:
                stored = section["sh_type"] != "SHT_NOBITS"
                self.sections[section.name] = (int(section["sh_addr"]), int(section["sh_size"]), stored)
                if section.name == ".text":
                    self.code_address, self.code = int(section["sh_addr"]), bytes(section.data())
        self.is_riscv = elf["e_machine"] == "EM_RISCV"
        self.symbols, self._marks = _symbols(elf)
        self.call_frames: dict[int, tuple[int, int]] = {}
        """Functions with call frame information: address to (end, most bytes of stack that they take)."""
        self._dwarf: Any = elf.get_dwarf_info() if elf.has_dwarf_info() else None
        self._units = units
        if self._dwarf is not None and self._dwarf.has_CFI():
            pointer = _STACK_POINTER_RISCV if self.is_riscv else _STACK_POINTER_ARM
            self.call_frames = _stack_of_functions(self._dwarf, pointer)

    @cached_property
    def _debug(self) -> _Debug:
        """What the units' debug information says, read when it is asked for: sizes and stacks need none of it."""
        return _Debug(self._dwarf, self._units)

    @cached_property
    def by_name(self) -> dict[str, Symbol]:
        """Symbols by name; of several with one name, the first."""
        result: dict[str, Symbol] = {}
        for symbol in self.symbols:
            result.setdefault(symbol.name, symbol)
        return result

    @cached_property
    def functions(self) -> list[Symbol]:
        """Functions by address."""
        return sorted((s for s in self.symbols if s.is_function), key=lambda s: (s.address, -s.bytes, s.name))

    @cached_property
    def _chains(self) -> list[tuple[Frame, ...]]:
        """Per halfword of code: the frames around it."""
        chains: list[tuple[Frame, ...]] = [()] * (len(self.code) // 2)
        for first, end, frames in self._debug.frames:
            low, high = (max(0, min(len(self.code), a - self.code_address)) // 2 for a in (first, end))
            chains[low:high] = [frames] * (high - low)
        return chains

    def frames(self, address: int) -> tuple[Frame, ...]:
        """The real function at an address and the functions inlined there, outermost first.

        A function without debug information gives its symbol's name; no function at all gives nothing.
        """
        index = (address - self.code_address) // 2
        chain = self._chains[index] if 0 <= index < len(self._chains) else ()
        if chain:
            return chain
        function = self.function_at(address)
        return (Frame(function.name, 0),) if function else ()

    def function_at(self, address: int) -> Symbol | None:
        """The function whose code holds an address."""
        index = bisect_right(self.functions, address, key=lambda s: s.address) - 1
        while index >= 0 and self.functions[index].address <= address:
            function = self.functions[index]
            if address < function.address + function.bytes:
                return function
            if index and self.functions[index - 1].address != function.address:
                return None
            index -= 1
        return None

    def line(self, address: int) -> tuple[str, int] | None:
        """Source file's name and line of an address."""
        lines = self._debug.lines
        index = bisect_right(lines, address, key=lambda entry: entry[0]) - 1
        if index < 0 or not lines[index][2]:
            return None
        return lines[index][1], lines[index][2]

    def is_code(self, address: int) -> bool:
        """Whether an address within `.text` holds instructions: compilers keep literals there too."""
        # No mark at the address itself comes behind this.
        index = bisect_right(self._marks, (address, True)) - 1
        return index < 0 or self._marks[index][1]


class _Debug:
    """Functions and lines of some units."""

    def __init__(self, dwarf: Any, units: frozenset[str]):
        self.frames: list[tuple[int, int, tuple[Frame, ...]]] = []
        """First address, end, the functions there from the outermost on; deeper ones come later."""
        self.lines: list[tuple[int, str, int]] = []
        """Address, file, line; 0 where lines end."""
        for unit in () if dwarf is None else dwarf.iter_CUs():
            top = unit.get_top_DIE()
            if _base(_text(top, "DW_AT_name")) in units:
                base = _number(top, "DW_AT_low_pc")
                for child in top.iter_children():
                    self._visit(dwarf, child, (), base)
                self._read_lines(dwarf, unit)
        # Painted outside in: later, deeper entries win.
        self.frames.sort(key=lambda entry: len(entry[2]))
        self.lines.sort()

    def _visit(self, dwarf: Any, die: DIE, outer: tuple[Frame, ...], base: int) -> None:
        if die.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
            ranges = list(_ranges(dwarf, die, base))
            if not ranges:
                return
            inlined = die.tag == "DW_TAG_inlined_subroutine"
            outer = (*outer, Frame(_name(die), _number(die, "DW_AT_call_line") if inlined else 0))
            self.frames += [(first, end, outer) for first, end in ranges]
        if die.has_children and die.tag != "DW_TAG_structure_type":
            for child in die.iter_children():
                self._visit(dwarf, child, outer, base)

    def _read_lines(self, dwarf: Any, unit: Any) -> None:
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            return
        files = program.header["file_entry"]
        first = 0 if program.header["version"] >= 5 else 1
        for entry in program.get_entries():
            state = entry.state
            if state is not None:
                name = "" if state.end_sequence else _base(files[state.file - first].name.decode())
                self.lines.append((int(state.address), name, 0 if state.end_sequence else int(state.line)))


def _symbols(elf: ELFFile) -> tuple[list[Symbol], list[tuple[int, bool]]]:
    """Functions and variables, and the marks between code and data (`$t`, `$x`, `$d`; Arm and RISC-V ELF ABIs)."""
    names = [section.name for section in elf.iter_sections()]
    table: Any = elf.get_section_by_name(".symtab")
    symbols: list[Symbol] = []
    marks: list[tuple[int, bool]] = []
    for entry in table.iter_symbols():
        name, value, index = str(entry.name), int(entry["st_value"]), entry["st_shndx"]
        section = names[index] if isinstance(index, int) else ""
        if name[:2] in ("$t", "$d", "$x", "$a"):
            if section == ".text":
                marks.append((value, name[1] != "d"))
            continue
        kind = entry["st_info"]["type"]
        if name and kind in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE"):
            function = kind == "STT_FUNC"
            symbols.append(Symbol(name, value & ~1 if function else value, int(entry["st_size"]), section, function))
    return symbols, sorted(marks)


def _text(die: DIE, attribute: str) -> str:
    value = die.attributes.get(attribute)
    return value.value.decode() if value is not None else ""


def _base(path: str) -> str:
    """A file's name without its folders, which some compilers write with it."""
    return path.replace("\\", "/").rpartition("/")[2]


def _number(die: DIE, attribute: str) -> int:
    value = die.attributes.get(attribute)
    return int(value.value) if value is not None else 0


def _name(die: DIE) -> str:
    """The function's name, which inlined and cloned entries hold by reference."""
    seen = die
    while "DW_AT_name" not in seen.attributes:
        if "DW_AT_abstract_origin" in seen.attributes:
            seen = seen.get_DIE_from_attribute("DW_AT_abstract_origin")
        elif "DW_AT_specification" in seen.attributes:
            seen = seen.get_DIE_from_attribute("DW_AT_specification")
        else:
            return "?"
    return _text(seen, "DW_AT_name")


def _ranges(dwarf: Any, die: DIE, base: int) -> list[tuple[int, int]]:
    """Address ranges of a function; `base` is its unit's."""
    if "DW_AT_low_pc" in die.attributes and "DW_AT_high_pc" in die.attributes:
        low, high = _number(die, "DW_AT_low_pc"), die.attributes["DW_AT_high_pc"]
        return [(low, int(high.value) if high.form == "DW_FORM_addr" else low + int(high.value))]
    if "DW_AT_ranges" not in die.attributes:
        return []
    result: list[tuple[int, int]] = []
    for entry in dwarf.range_lists().get_range_list_at_offset(_number(die, "DW_AT_ranges"), die.cu):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        else:
            shift = 0 if getattr(entry, "is_absolute", False) else base
            result.append((entry.begin_offset + shift, entry.end_offset + shift))
    return result


def _stack_of_functions(dwarf: Any, stack_pointer: int) -> dict[int, tuple[int, int]]:
    """From the call frame information: how far the stack pointer moves in every function.

    Functions that address their frame through another register are left out: the information does not say how far
    their stack pointer moves.
    """
    from elftools.dwarf.callframe import FDE

    result: dict[int, tuple[int, int]] = {}
    entries: list[Any] = dwarf.CFI_entries()
    for entry in entries:
        kind: type[Any] = FDE
        if isinstance(entry, kind):
            first = int(entry["initial_location"])
            rules = [row["cfa"] for row in entry.get_decoded().table] or [entry.cie.get_decoded().table[0]["cfa"]]
            if all(rule.reg == stack_pointer for rule in rules):
                result[first] = (first + int(entry["address_range"]), max(int(rule.offset) for rule in rules))
    return result
