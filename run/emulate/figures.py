"""Cost of a run on an emulated processor: instructions, cycles, stack, flash and RAM, in all and by operator."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...driver.compile.compiled import Compiled
from ...machines.cycles import MODELS
from ...machines.instruction import Instruction
from ...targets.interfaces.description import Description, Operator
from .attribution import Block, Share, entry_functions
from .build import Firmware
from .session import Session
from .sizes import Sizes, sizes
from .worst_stack import StackBound

CYCLE_MODEL = "estimated, ideal memory"
"""Definition of cycles, wherever they are shown."""


@dataclass(frozen=True)
class OperatorFigures:
    """Cost of one operator in one inference."""

    operator: Operator
    instructions: int
    cycles: int | None
    """Estimated; None where there is no model of the processor."""
    stacks: Mapping[tuple[str, ...], int]
    """Instructions by C functions, outermost first."""

    @property
    def per_mac(self) -> float | None:
        """Instructions per multiply-accumulate; None for operators without any."""
        return self.instructions / self.operator.macs if self.operator.macs else None


@dataclass(frozen=True)
class Figures:
    """Cost of one inference; with several samples, the last one's."""

    target: str
    emulator: str
    compiler: str
    instructions: int
    cycles: int | None
    """Estimated, with ideal memory (see `cycles`); None where there is no model of the processor."""
    stack_bytes: int
    """Most stack observed in all samples."""
    worst_case_stack: int | None
    """No run takes more stack than this; None where the code does not tell."""
    sizes: Sizes
    operators: tuple[OperatorFigures, ...] | None
    """In execution order; None where the emulator does not say."""
    between: int
    """Instructions outside of all operators."""
    entry_functions: tuple[str, ...]
    """The C functions that call the operators."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "target": self.target,
            "emulator": self.emulator,
            "compiler": self.compiler,
            "instructions": self.instructions,
            "estimated_cycles": self.cycles,
            "cycle_model": None if self.cycles is None else CYCLE_MODEL,
            "stack_bytes": self.stack_bytes,
            "worst_case_stack_bytes": self.worst_case_stack,
            **self.sizes.document(),
            "operators": None if self.operators is None else [_entry(entry) for entry in self.operators],
            "between_operators": None if self.operators is None else {"instructions": self.between},
        }


def _entry(figures: OperatorFigures) -> dict[str, Any]:
    operator, per_mac = figures.operator, figures.per_mac
    return {
        "position": operator.position,
        "index": operator.index,
        "op": operator.op,
        "name": operator.name,
        "macs": operator.macs,
        "instructions": figures.instructions,
        "instructions_per_mac": None if per_mac is None else round(per_mac, 3),
        "estimated_cycles": figures.cycles,
    }


def measure(firmware: Firmware, artifact: Compiled, run: Session, emulator: str) -> Figures:
    """Turn what an emulator counted into figures."""
    model = firmware.interface.model
    shares = _shares(firmware, run)
    estimated = firmware.cpu.name in MODELS and shares is not None
    operators = None
    if shares is not None:
        operators = tuple(
            OperatorFigures(operator, share.instructions, round(share.cycles) if estimated else None, share.stacks)
            for operator, share in _by_operator(model, shares[1:])
        )
    return Figures(
        firmware.cpu.name,
        emulator,
        firmware.compiler,
        run.instructions,
        round(sum(share.cycles for share in shares)) if estimated and shares is not None else None,
        run.stack_bytes,
        worst_case_stack(firmware),
        measured_sizes(firmware),
        operators,
        shares[0].instructions if shares is not None else 0,
        entry_functions(firmware.interface),
    )


def _by_operator(model: Description, shares: Sequence[Share]) -> Iterator[tuple[Operator, Share]]:
    """Cost of each operator of the model; if calls stand in loops over rows, all of an operator's rows together."""
    loops = any(len(positions) > 1 for positions in model.call_sites)
    found: dict[Hashable, tuple[list[Operator], Share]] = {}
    for positions, share in zip(model.call_sites, shares, strict=True):
        rows = [model.operators[position] for position in positions]
        key = (rows[0].index, rows[0].op, rows[0].name) if loops else rows[0]
        together, total = found.setdefault(key, ([], Share()))
        together.extend(rows)
        total.add(share)
    for together, total in found.values():
        yield replace(together[0], macs=sum(row.macs for row in together)), total


def worst_case_stack(firmware: Firmware) -> int | None:
    """Most bytes of stack that one call of `<m>_run` can take; None where the code does not tell."""
    return StackBound(firmware.image, firmware.instructions).worst_case(firmware.interface.run_function)


def measured_sizes(firmware: Firmware) -> Sizes:
    """Flash and RAM of the model in a firmware."""
    return sizes(firmware.image, firmware.interface)


def _shares(firmware: Firmware, run: Session) -> list[Share] | None:
    if run.attribution is None:
        return None
    code = firmware.instructions
    costs, refill = MODELS.get(firmware.cpu.name, (None, 0.0))
    known: dict[tuple[int, int], list[tuple[int, float]]] = {}

    def split(address: int, length: int) -> list[tuple[int, float]]:
        key = (address, length)
        if key not in known:
            block = list(_block(code, address, length))
            cycles = costs(block) if costs is not None else [0.0] * len(block)
            known[key] = [(i.address, cost) for i, cost in zip(block, cycles, strict=True)]
        return known[key]

    return run.attribution.shares(run.blocks, split, _taken(run.blocks, code, refill))


def _block(code: Mapping[int, Instruction], address: int, length: int) -> Iterable[Instruction]:
    """The instructions of a block; one that the decoder does not know counts as one of four bytes."""
    end = address + length
    while address < end:
        instruction = code.get(address)
        if instruction is None:
            instruction = Instruction(
                address, 4, "unknown", "", frozenset(), frozenset(), None, leaves=False, calls=False, indirect=False
            )
        yield instruction
        address += instruction.bytes


def _taken(blocks: Iterable[Block], code: Mapping[int, Instruction], refill: float) -> dict[tuple[int, int], float]:
    """Further cycles of blocks whose last branch was taken, by (slot, address of the block).

    A block that ends at an address was left by running on as often as the block behind it was entered that way.
    """
    if not refill:
        return {}
    blocks = list(blocks)
    ran_on: dict[int, int] = {}
    ending: dict[int, list[Block]] = {}
    for block in blocks:
        ran_on[block.address] = ran_on.get(block.address, 0) + block.entered_by_running_on
        ending.setdefault(block.address + block.bytes, []).append(block)
    result: dict[tuple[int, int], float] = {}
    for end, group in ending.items():
        executions = sum(block.executions for block in group)
        share = 1 - ran_on.get(end, 0) / executions
        for block in group:
            result[block.slot, block.address] = block.executions * share * refill
    return result
