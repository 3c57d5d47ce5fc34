"""Which operator every executed instruction belongs to.

Compilers inline operators that are called once; the debug information says which instructions those are and which call
they came from. Operators that stay functions count for the call that ran them, and so does everything they call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...targets.interfaces.interface import Interface
from .image import Frame, Image


@dataclass(frozen=True)
class Block:
    """A basic block as the emulator counted it."""

    slot: int
    address: int
    bytes: int
    executions: int
    entered_by_running_on: int


@dataclass
class Share:
    """Instructions of one call of an operator, or of the code between the operators (slot 0)."""

    instructions: int = 0
    cycles: float = 0.0
    stacks: dict[tuple[str, ...], int] = field(default_factory=lambda: {})
    """Instructions by functions, outermost first."""

    def add(self, other: Share) -> None:
        """Count what another call executed, too."""
        self.instructions += other.instructions
        self.cycles += other.cycles
        for names, count in other.stacks.items():
            self.stacks[names] = self.stacks.get(names, 0) + count


class Attribution:
    """The map from addresses to operators of one image: slot 0 is the entry function, slot n its n-th call of an
    operator, which runs several where it stands in a loop over rows.

    Args:
        image: the firmware.
        interface: of the model.
        source: the model's C text.
    """

    def __init__(self, image: Image, interface: Interface, source: str):
        self._image = image
        self._glue = entry_functions(interface)
        model = interface.model
        functions = [model.operators[positions[0]].function for positions in model.call_sites]
        self._slots = {line: slot for slot, line in enumerate(call_lines(source, self._glue[1], functions), 1)}
        self.slots = len(functions) + 1

    def sites(self) -> list[tuple[int, int, int]]:
        """The entry function's code: (first address, end, slot of the operator whose call or body stands there)."""
        result: list[tuple[int, int, int]] = []
        code = self._image
        for address in range(code.code_address, code.code_address + len(code.code), 2):
            frames = code.frames(address)
            if not frames or frames[0].function not in self._glue:
                continue
            slot = self.slot(address, frames)
            if not slot:
                place = code.line(address)
                slot = self._slots.get(place[1], 0) if place else 0
            if not slot and self.slots == 2 and any(frame.function == self._glue[1] for frame in frames):
                # Of the only call in a function that GCC makes a copy of, it does not say the line.
                slot = 1
            if result and result[-1][1] == address and result[-1][2] == slot:
                result[-1] = (result[-1][0], address + 2, slot)
            else:
                result.append((address, address + 2, slot))
        return result

    def slot(self, address: int, frames: Sequence[Frame] | None = None) -> int:
        """The operator that code within the entry function was inlined from; 0 for none."""
        inner = self._inner(self._image.frames(address) if frames is None else frames)
        return self._slots.get(inner[0].line, 0) if inner else 0

    def _inner(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """The frames below the entry function."""
        outside = 0
        while outside < len(frames) and frames[outside].function in self._glue:
            outside += 1
        return frames[outside:]

    def shares(
        self,
        blocks: Iterable[Block],
        split: Callable[[int, int], Sequence[tuple[int, float]]],
        taken: Mapping[tuple[int, int], float],
    ) -> list[Share]:
        """Sum up blocks by slot.

        Args:
            blocks: what ran.
            split: the instructions of a block as (address, cycles).
            taken: further cycles by (slot, address of a block), for branches that were taken.
        """
        shares = [Share() for _ in range(self.slots)]
        for block in blocks:
            parts = split(block.address, block.bytes)
            extra = taken.get((block.slot, block.address), 0.0)
            for position, (address, cycles) in enumerate(parts):
                frames = self._image.frames(address)
                slot = block.slot or self.slot(address, frames)
                share = shares[slot]
                share.instructions += block.executions
                share.cycles += block.executions * cycles + (extra if position == len(parts) - 1 else 0.0)
                names = tuple(frame.function for frame in frames)
                share.stacks[names] = share.stacks.get(names, 0) + block.executions
        return shares


def entry_functions(interface: Interface) -> tuple[str, str]:
    """The model's function that applications call, and the one within it that calls the operators."""
    return interface.run_function, interface.network


def call_lines(source: str, network: str, functions: Sequence[str]) -> list[int]:
    """Lines of the calls of `functions`, in their order, within the C function `network`; 0 for one not found."""
    lines = source.splitlines()
    heads = [n for n, line in enumerate(lines) if re.search(rf"\b{re.escape(network)}\(.*\{{\s*$", line)]
    position = heads[0] + 1 if heads else len(lines)
    result: list[int] = []
    for function in functions:
        call = re.compile(rf"\b{re.escape(function)}\(")
        at = position
        while at < len(lines) and lines[at] != "}" and not call.search(lines[at]):
            at += 1
        if at < len(lines) and lines[at] != "}":
            result.append(at + 1)
            position = at + 1
        else:
            result.append(0)
    return result
