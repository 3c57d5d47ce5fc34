"""Compares a linked program with a plan: is every pool there, large enough, aligned, and of its own?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...errors import InputError
from .elf import Linked, Program
from .plan import Plan, PlannedPool

_PREFIXES = ("", "tvmgen_", "ai_")
"""Before a model's name in the names of its interfaces."""
_FILES = ("", "_data", "_model", "_packed")
"""After it in the names of its source files."""


@dataclass(frozen=True)
class FoundPool:
    """A planned pool and the array that is linked for it, if it is known."""

    planned: PlannedPool
    array: Linked | None

    def faults(self) -> list[str]:
        """Fault of the array, in words."""
        planned, array = self.planned, self.array
        if array is None:
            return []
        about = f"pool '{planned.name}' ({array.name})"
        faults: list[str] = []
        if array.bytes < planned.bytes:
            faults.append(f"{about} has {array.bytes:,} bytes, {planned.bytes:,} are planned")
        if array.address % planned.alignment:
            faults.append(f"{about} lies at {array.address:#x}, which is no multiple of {planned.alignment}")
        if planned.kind == "workspace" and not array.is_writable:
            faults.append(f"{about} is in section {array.section}, which is not writable")
        return faults

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        planned, array = self.planned, self.array
        return {
            "name": planned.name,
            "kind": planned.kind,
            "planned_bytes": planned.bytes,
            "planned_alignment": planned.alignment,
            "symbol": None if array is None else array.name,
            "linked_bytes": None if array is None else array.bytes,
            "address": None if array is None else array.address,
            "section": None if array is None else array.section,
        }


@dataclass(frozen=True)
class Audit:
    """Arrays of a plan in a linked program."""

    pools: tuple[FoundPool, ...]
    planned_constants: int
    constants: tuple[Linked, ...]
    """The models' const arrays."""
    code: tuple[Linked, ...]
    """The models' functions."""
    faults: tuple[str, ...]
    """Differences from the plan, in words."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "as_planned": not self.faults,
            "faults": list(self.faults),
            "pools": [pool.document() for pool in self.pools],
            "constants": {"planned_bytes": self.planned_constants, **_sizes(self.constants)},
            "code": _sizes(self.code),
        }


def audit(program: Program, plan: Plan, arrays: Mapping[str, str]) -> Audit:
    """Compare; `arrays` are symbols by pool where the user names them.

    Raises:
        InputError: the program has nothing of a model, or not the array that the user names.
    """
    own = [symbol for symbol in program.symbols if _belongs(symbol, plan.identifiers)]
    for identifier in plan.identifiers:
        if not any(symbol.is_function and _belongs(symbol, (identifier,)) for symbol in own):
            raise InputError(
                f"the program has no function of '{identifier}'",
                remedy="give the program that was linked with it, and the manifest of what was linked",
            )
    pools = tuple(FoundPool(pool, _array(pool, program, plan, arrays)) for pool in plan.pools)
    arrays_of_pools = [pool.array for pool in pools]
    return Audit(
        pools,
        plan.constants,
        tuple(s for s in own if not s.is_function and not s.is_writable and s not in arrays_of_pools),
        tuple(symbol for symbol in own if symbol.is_function),
        (*(fault for pool in pools for fault in pool.faults()), *_overlaps(pools)),
    )


def _belongs(symbol: Linked, identifiers: Iterable[str]) -> bool:
    """Whether a symbol is of a model: static in one of its files, or with its name in front."""
    for identifier in identifiers:
        if symbol.unit:
            if symbol.unit in [f"{identifier}{part}.c" for part in _FILES]:
                return True
        elif symbol.name.startswith(tuple(f"{prefix}{identifier}_" for prefix in _PREFIXES)):
            return True
    return False


def _array(pool: PlannedPool, program: Program, plan: Plan, arrays: Mapping[str, str]) -> Linked | None:
    wanted = (arrays[pool.name],) if pool.name in arrays else plan.symbols(pool)
    for name in wanted:
        for symbol in program.symbols:
            if symbol.name == name and not symbol.is_function:
                return symbol
    if pool.name in arrays:
        raise InputError(f"the program has no variable '{arrays[pool.name]}' for pool '{pool.name}'")
    return None


def _overlaps(pools: Iterable[FoundPool]) -> Iterable[str]:
    """Arrays that share bytes, which pools never do."""
    placed = sorted(
        ((pool.array, pool.planned.name) for pool in pools if pool.array is not None), key=lambda at: at[0].address
    )
    for (first, name), (second, other) in pairwise(placed):
        if second.address < first.end:
            yield f"pools '{name}' ({first.name}) and '{other}' ({second.name}) share bytes at {second.address:#x}"


def _sizes(symbols: Iterable[Linked]) -> dict[str, Any]:
    sections: dict[str, int] = {}
    for symbol in symbols:
        sections[symbol.section] = sections.get(symbol.section, 0) + symbol.bytes
    return {"linked_bytes": sum(sections.values()), "sections": dict(sorted(sections.items()))}
