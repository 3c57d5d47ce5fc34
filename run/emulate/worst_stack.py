"""The most stack that a function can take, from the machine code: every function's frame and the graph of calls.

A compiler's `-fstack-usage` says the same of what it compiled itself; the linked image also holds the run-time
library's functions, and is the same for every compiler. Emitted code has no recursion and calls through no pointers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from ...machines.instruction import Instruction
from .image import Image, Symbol

_STORES_BEFORE = re.compile(r"\[sp, #-(0x[0-9a-f]+|\d+)\]!")


class StackBound:
    """Bounds for the functions of one image."""

    def __init__(self, image: Image, instructions: dict[int, Instruction]):
        self._image = image
        self._instructions = instructions

    def worst_case(self, function: str) -> int | None:
        """Bytes of stack that a call of `function` takes at most, what it calls included.

        None when that cannot be known: recursion, a call through a pointer, or a frame of variable size.
        """
        symbol = self._image.by_name.get(function)
        return None if symbol is None else self._depth(symbol.address, ())

    @cached_property
    def _bodies(self) -> dict[int, list[Instruction]]:
        """Function address to its instructions."""
        return {
            function.address: [
                self._instructions[address]
                for address in range(function.address, function.address + function.bytes, 2)
                if address in self._instructions
            ]
            for function in self._image.functions
        }

    @cached_property
    def _known(self) -> dict[int, int | None]:
        return {}

    def _depth(self, address: int, callers: tuple[int, ...]) -> int | None:
        if address in callers:
            return None
        if address not in self._known:
            self._known[address] = self._computed(address, (*callers, address))
        return self._known[address]

    def _computed(self, address: int, callers: tuple[int, ...]) -> int | None:
        function = self._image.function_at(address)
        if function is None:
            return None
        if function.address != address:
            # A branch into the middle of a shared routine: the whole routine bounds it.
            return self._depth(function.address, callers)
        body = self._bodies[address]
        frame = self.frame(function)
        if frame is None or any(instruction.indirect for instruction in body):
            return None
        deepest = 0
        for callee in self._callees(function, body):
            below = self._depth(callee, callers)
            if below is None:
                return None
            deepest = max(deepest, below)
        return frame + deepest

    def _callees(self, function: Symbol, body: Iterable[Instruction]) -> list[int]:
        """Targets of calls and of jumps to other functions."""
        inside = range(function.address, function.address + function.bytes)
        targets = {i.target for i in body if i.target is not None and (i.calls or i.target not in inside)}
        return sorted(target for target in targets if target not in inside or target == function.address)

    def frame(self, function: Symbol) -> int | None:
        """Most bytes by which the function itself lowers the stack pointer; None when that varies."""
        known = self._image.call_frames.get(function.address)
        if known is not None and known[0] >= function.address + function.bytes:
            body = self._bodies[function.address]
            least = 0 if self._image.is_riscv else _pushed_first(body)
            return max(known[1], least) + _pushed_between(body)
        lower = _riscv_lowering if self._image.is_riscv else _thumb_lowering
        total = 0
        for instruction in self._bodies[function.address]:
            step = lower(instruction)
            if step is None:
                return None
            # Code paths are not told apart: every lowering counts, which is never too little.
            total += step
        return total


def _pushed_between(body: Iterable[Instruction]) -> int:
    """Most bytes that Thumb code pushes and pops again on its way: of inline assembly compilers do not say that.

    What functions push where they begin is popped with another list, the return address into the program counter.
    """
    pushed: set[tuple[str, ...]] = set()
    most = 0
    for instruction in body:
        if instruction.mnemonic.removesuffix(".w") == "push":
            pushed.add(tuple(_registers(instruction.operands)))
        elif (registers := _popped(instruction)) in pushed:
            most = max(most, 4 * len(registers))
    return most


def _pushed_first(body: Sequence[Instruction]) -> int:
    """Bytes by which Thumb code lowers the stack pointer before it branches, but for what it pops again as it was.

    Of Armv6-M's higher registers, which take a push of their own, clang's call frame information does not tell.
    """
    popped = {_popped(instruction) for instruction in body}
    total = 0
    for instruction in body:
        if instruction.leaves:
            break
        if instruction.mnemonic == "push" and tuple(_registers(instruction.operands)) in popped:
            continue
        total += _thumb_lowering(instruction) or 0
    return total


def _popped(instruction: Instruction) -> tuple[str, ...]:
    """The registers that an instruction pops; none if it does something else."""
    name, operands = instruction.mnemonic.removesuffix(".w"), instruction.operands
    is_pop = name == "pop" or (name in ("ldm", "ldmia") and operands.startswith("sp!"))
    return tuple(_registers(operands)) if is_pop else ()


def _thumb_lowering(instruction: Instruction) -> int | None:
    """Bytes by which a Thumb instruction lowers the stack pointer; None when a register says how many."""
    name, operands = instruction.mnemonic, instruction.operands
    if name == "push" or (name in ("stmdb", "stmfd") and operands.startswith("sp!")):
        return 4 * len(_registers(operands))
    if name == "vpush" or (name.startswith("vstmdb") and operands.startswith("sp!")):
        return sum(8 if register[0] == "d" else 4 for register in _registers(operands))
    found = _STORES_BEFORE.search(operands)
    if found and name.startswith(("str", "vstr")):
        return int(found[1], 0)
    if name in ("sub", "subw", "subs") and operands.startswith("sp,"):
        return _immediate(operands)
    if name in ("add", "addw") and operands.startswith("sp,"):
        step = _immediate(operands)
        return None if step is None and "fp" not in operands else 0
    if name == "mov" and operands.startswith("sp,"):
        # Restoring from the frame pointer only raises it.
        return 0 if operands.endswith(("r7", "fp", "r11")) else None
    return 0


def _registers(operands: str) -> list[str]:
    """The registers in braces; capstone lists each of a range."""
    return [register.strip() for register in operands[operands.index("{") + 1 : operands.index("}")].split(",")]


def _immediate(operands: str) -> int | None:
    last = operands.rpartition("#")
    return int(last[2], 0) if last[1] else None


def _riscv_lowering(instruction: Instruction) -> int | None:
    """Bytes by which a RISC-V instruction lowers the stack pointer; None when a register says how many."""
    name = instruction.mnemonic.removeprefix("c.")
    operands = [part.strip() for part in instruction.operands.split(",")]
    if not operands or operands[0] != "sp":
        return 0
    if name in ("addi", "addi16sp"):
        return max(0, -int(operands[-1], 0))
    if name in ("lw", "sw", "lwsp", "swsp", "flw", "fsw", "sb", "sh"):
        return 0
    return 0 if operands[-1] in ("s0", "fp") else None
