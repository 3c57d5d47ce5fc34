"""A board: a processor and the memories around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from ...errors import InputError
from ..cpus import cpu_names

_KINDS = ("ram", "flash")
MEMORY_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""Names of memories, and of the pools in them, which C and linker scripts spell as they are."""
SECTION_NAME = re.compile(r"[A-Za-z0-9_.$,]+")
"""Names of linker sections."""


@dataclass(frozen=True)
class BoardMemory:
    """One memory of a board."""

    name: str
    kind: Literal["ram", "flash"]
    """`flash` is anything that a program only reads."""
    bytes: int
    section: str | None = None
    """Linker section that places a variable there; None for the toolchain's default."""
    read_bandwidth: float = 4.0
    """Bytes per processor cycle, sustained."""
    write_bandwidth: float = 4.0
    """Bytes per processor cycle, sustained; 0 for flash."""
    read_latency: int = 0
    """Processor cycles before the first byte of a read arrives."""
    write_latency: int = 0
    """Processor cycles before the first byte of a write is taken."""
    burst: int = 4
    """Bytes that one access moves."""
    source: str | None = None
    """Document and section that state the figures."""


@dataclass(frozen=True)
class Board:
    """A processor and its memories, each kind in order of preference: fastest first."""

    name: str
    description: str
    cpu: str
    """Name of the core; `target` says what stillpool compiles for."""
    clock_hz: int
    """Processor cycles per second."""
    memories: tuple[BoardMemory, ...]
    source: str | None = None
    """Document and section that state processor and clock."""

    @property
    def target(self) -> str:
        """The value of `--target` for this board: its core where stillpool has a profile of it, else `host`."""
        return self.cpu if self.cpu in cpu_names() else "host"

    def kind(self, kind: Literal["ram", "flash"]) -> tuple[BoardMemory, ...]:
        """The memories of one kind, in order of preference."""
        return tuple(memory for memory in self.memories if memory.kind == kind)


def parse_board(document: Mapping[str, Any], where: str) -> Board:
    """A board from a TOML document; `where` names the file in errors.

    Raises:
        InputError: a key is missing, unknown, or of the wrong type or range.
    """
    required = {"name": str, "description": str, "cpu": str, "clock_hz": int, "memory": list}
    fields = _checked(document, where, required, {"source": str})
    entries = cast("list[Any]", fields.pop("memory"))
    memories = tuple(_memory(entry, f"{where}, memory {number}") for number, entry in enumerate(entries, 1))
    names = [memory.name for memory in memories]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{where}: memory '{name}' is declared twice")
    for kind in _KINDS:
        if not any(memory.kind == kind for memory in memories):
            raise InputError(f"{where}: there is no memory of kind '{kind}'")
    return Board(memories=memories, **fields)


def _memory(entry: Any, where: str) -> BoardMemory:
    if not isinstance(entry, dict):
        raise InputError(f"{where} is not a table", remedy="write [[memory]]")
    required = {"name": str, "kind": str, "bytes": int}
    costs = {"read_bandwidth": float, "write_bandwidth": float, "read_latency": int, "write_latency": int}
    fields = _checked(
        cast("dict[str, Any]", entry), where, required, {"section": str, **costs, "burst": int, "source": str}
    )
    if fields["kind"] not in _KINDS:
        raise InputError(f"{where}: kind '{fields['kind']}' is neither 'ram' nor 'flash'")
    if not MEMORY_NAME.fullmatch(fields["name"]):
        raise InputError(f"{where}: a memory's name is letters, digits and underscores and starts with a letter")
    if not SECTION_NAME.fullmatch(fields.get("section", ".")):
        raise InputError(f"{where}: {fields['section']!r} is not the name of a linker section")
    for key, value in fields.items():
        if not isinstance(value, str) and (value < 0 or (value == 0 and key in ("bytes", "burst", "read_bandwidth"))):
            raise InputError(f"{where}: {key} = {value} is out of range")
    return BoardMemory(**fields)


def _checked(
    table: Mapping[str, Any],
    where: str,
    required: Mapping[str, type],
    optional: Mapping[str, type] | None = None,
) -> dict[str, Any]:
    """The table's values, each of its key's type; integers are accepted where floats are wanted."""
    known = {**required, **(optional or {})}
    for key in table:
        if key not in known:
            raise InputError(f"{where}: unknown key '{key}'", remedy=f"known are {', '.join(known)}")
    for key in required:
        if key not in table:
            raise InputError(f"{where}: key '{key}' is missing")
    result: dict[str, Any] = {}
    for key, value in table.items():
        wanted = known[key]
        if isinstance(value, bool) or not isinstance(value, (int, float) if wanted is float else wanted):
            raise InputError(f"{where}: key '{key}' must be {_NAMES[wanted]}")
        result[key] = float(value) if wanted is float else value
    return result


_NAMES: dict[type, str] = {str: "a text", int: "a whole number", float: "a number", list: "a list of tables"}
