"""Whether a model fits a board: what it takes of each memory, and what is short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..driver.compile.compiled import Compiled
from ..machines.boards.board import Board, BoardMemory
from ..machines.cpus import get_cpu
from .undisturbed import temporary_folder

if TYPE_CHECKING:
    from .emulate.sizes import Sizes


@dataclass(frozen=True)
class Use:
    """Use of one memory by a model."""

    memory: BoardMemory
    parts: Mapping[str, int]
    """Bytes by what they are for."""

    @property
    def bytes(self) -> int:
        """All of it."""
        return sum(self.parts.values())

    @property
    def short(self) -> int:
        """Bytes that the memory lacks."""
        return max(0, self.bytes - self.memory.bytes)

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        sizes = {"bytes": self.memory.bytes, "used": self.bytes, "short": self.short}
        return {"name": self.memory.name, "kind": self.memory.kind, **sizes, "parts": dict(self.parts)}


def uses(artifact: Compiled, board: Board, target: str, *, cc: str | None = None, opt: str = "2") -> list[Use]:
    """Use of each memory of the board by `artifact`, planned with these as pools.

    Code is linked for the processor `target`; for `host` its size and stack are unknown and left out. It lies in the
    flash that needs no section of its own, variables, the caller's arrays and the stack in the RAM with the most space
    left, where an application would put them.

    Raises:
        UsageError: there is no compiler for the processor, or what reads its code is not installed.
        InputError: the compiler refuses the code.
    """
    model = artifact.description
    parts: dict[str, dict[str, int]] = {memory.name: {} for memory in board.memories}
    for pool in model.pools:
        if pool.name in parts and pool.bytes:
            parts[pool.name]["pool"] = pool.bytes
    # A pool that the board does not name, as the default one for state, is a variable like any other.
    others = {"other pools": sum(pool.bytes for pool in model.workspace_pools if pool.name not in parts)}
    pooled = sum(pool.bytes for pool in model.constant_pools)
    # So are those of constant pools that it does not name: they are in the flash that programs run from.
    unnamed = sum(pool.bytes for pool in model.constant_pools if pool.name not in parts)
    ram = max(board.kind("ram"), key=lambda memory: memory.bytes - sum(parts[memory.name].values()))
    program = next((memory for memory in board.kind("flash") if memory.section is None), board.kind("flash")[0])
    if target == "host":
        callers = (*model.caller_owned("input"), *model.caller_owned("output"))
        extra = {**others, "arrays": sum(tensor.bytes for tensor in callers)}
        stored = {"weights": model.constants.weights, "tables": model.constants.tables}
    else:
        sizes, stack = _linked(artifact, target, cc, opt)
        extra = {**others, "arrays": sizes.arrays, "variables": sizes.data + sizes.bss, "stack": stack or 0}
        # Those in pools are counted there, with the gaps between them.
        outside = sizes.constants - pooled
        weights = min(model.constants.weights, outside)
        tables = min(model.constants.tables, outside - weights)
        stored = {"code": sizes.code, "weights": weights, "tables": tables, "padding": outside - weights - tables}
        stored["variables"] = sizes.data
    stored |= {"other pools": unnamed}
    parts[ram.name] |= {name: count for name, count in extra.items() if count}
    parts[program.name] |= {name: count for name, count in stored.items() if count}
    return [Use(memory, parts[memory.name]) for memory in board.memories]


def _linked(artifact: Compiled, target: str, cc: str | None, opt: str) -> tuple[Sizes, int | None]:
    """Sizes and the worst case of the stack, of the firmware for a processor."""
    from .emulate.build import build
    from .emulate.figures import measured_sizes, worst_case_stack

    with temporary_folder() as folder:
        firmware = build(artifact.unfilled, get_cpu(target), folder, cc=cc, opt=opt, has_lines=False)
        return measured_sizes(firmware), worst_case_stack(firmware)
