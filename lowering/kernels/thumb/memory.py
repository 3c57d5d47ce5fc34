"""Instructions that move numbers to and from memory, and the bases of others that do.

Source: Arm v7-M Architecture Reference Manual, A7.7. Armv6-M moves a pointer on only behind several words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import ClassVar, TypeVar

from xdsl.backend.assembly_printer import reg
from xdsl.dialects.builtin import I64, IntegerAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_prop_def, prop_def, traits_def, var_operand_def, var_result_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..definition import constant, defined
from .instruction import Instruction, assembly
from .machine import Machine
from .registers import AnyRegister, Register, ascend, listed, unallocated

WORD = 4
REACH = 4095
"""Bytes behind a pointer from which LDR loads, and to which STRB stores, if it does not move."""
READS, WRITES = MemoryReadEffect(), MemoryWriteEffect()


class Moving(Instruction, ABC):
    """An instruction that loads or stores numbers that lie side by side, at a pointer or behind it."""

    pointer = operand_def(Register)
    stored = var_operand_def(Register)
    res = var_result_def(AnyRegister)
    next = opt_prop_def(UnitAttr)

    SIZE: ClassVar[int] = WORD
    """Bytes of a number."""
    SIGN: ClassVar[bool] = True
    LOADED: ClassVar[int] = 0
    """Numbers that are loaded, if not told."""
    TO: ClassVar[type[AnyRegister]] = Register
    """Registers that are loaded."""

    def __init__(
        self, pointer: SSAValue, *stored: SSAValue, loaded: int | None = None, by: int | None = None, next: bool = False
    ):
        """So many numbers are loaded; with `next` the pointer moves on afterwards, in its register."""
        properties = ({"next": UnitAttr()} if next else {}) | ({} if by is None else {"by": constant(by)})
        types = [unallocated(self.TO)] * (self.LOADED if loaded is None else loaded)
        super().__init__([pointer, *stored], [*[unallocated(Register)] * next, *types], properties)

    @property
    def changed(self) -> SSAValue | None:
        return None if self.next is None else self.pointer

    @property
    def moved(self) -> SSAValue:
        """Return the pointer that has moved on."""
        return self.results[0]

    @property
    def loaded(self) -> Sequence[SSAValue]:
        """Return the numbers that are loaded."""
        return self.res if self.next is None else self.res[1:]

    @property
    @abstractmethod
    def distance(self) -> int:
        """Return how far the pointer moves, or how far behind it numbers are if it does not."""

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        address, *stored = values
        first = address + self.distance if self.next is None else address
        for n, value in enumerate(stored):
            machine.store(first + n * self.SIZE, self.SIZE, value)
        loaded = [machine.load(first + n * self.SIZE, self.SIZE, sign=self.SIGN) for n in range(len(self.loaded))]
        return loaded if self.next is None else [address + self.distance, *loaded]


class AtPointer(Moving, ABC):
    """One of a number of numbers, which are `by` behind the pointer, or move it so far."""

    by = prop_def(IntegerAttr[I64])
    assembly_format = (
        "$pointer (`next` $next^)? `by` $by (`,` $stored^)? attr-dict `:` functional-type(operands, results)"
    )

    @property
    def distance(self) -> int:
        return self.by.value.data

    @property
    def reaches(self) -> bool:
        """Return whether Armv7-M has an encoding with such a distance."""
        if self.LOADED > 1:
            return abs(self.distance) <= 255 * WORD and self.distance % WORD == 0
        return -256 < self.distance <= (REACH if self.next is None else 255)

    @property
    def is_short(self) -> bool:
        # Of bytes with a sign none has, of two words neither.
        has = self.LOADED < 2 and (self.SIZE == WORD or bool(self.stored) or not self.SIGN)
        return has and self.next is None and self.distance in range(0, 32 * self.SIZE, self.SIZE)

    def verify_(self) -> None:
        if (len(self.loaded), len(self.stored)) != (self.LOADED, 0 if self.LOADED else 1):
            many, one = f"{self.LOADED} numbers are loaded, none is stored", "one number is stored, none is loaded"
            raise VerifyException(many if self.LOADED else one)
        super().verify_()

    def assembly_line(self) -> str:
        pointer, by = reg(self.pointer), f",#{self.distance}" if self.distance else ""
        place = f"[{pointer}{by}]" if self.next is None else f"[{pointer}],#{self.distance}"
        return f"{self.name.rpartition('.')[2]} {','.join([*map(reg, self.loaded), *map(reg, self.stored), place])}"


class Several(Moving, ABC):
    """One of two words or more, which are in registers of ascending numbers."""

    assembly_format = "$pointer (`next` $next^)? (`,` $stored^)? attr-dict `:` functional-type(operands, results)"

    @property
    def is_short(self) -> bool:
        return self.next is not None and self.TO is Register

    @property
    def words(self) -> Sequence[SSAValue]:
        """Return the words that are loaded or stored."""
        return self.stored or self.loaded

    @property
    def distance(self) -> int:
        return 0 if self.next is None else WORD * len(self.words)

    def verify_(self) -> None:
        if not ascend(self.words):
            raise VerifyException("of several words the first is in the register with the least number")
        if len(self.words) < 2:
            raise VerifyException("several words are loaded or stored, not one")
        super().verify_()

    def assembly_line(self) -> str:
        moves = "" if self.next is None else "!"
        return f"{self.name.rpartition('.')[2]} {reg(self.pointer)}{moves},{listed(self.words)}"


ldr = defined(AtPointer, "thumb.ldr", "A word, which Armv6-M wants aligned.", traits=traits_def(READS), LOADED=1)
ldrb = defined(AtPointer, "thumb.ldrb", "A byte, without sign.", traits=traits_def(READS), LOADED=1, SIZE=1, SIGN=False)
str_ = defined(AtPointer, "thumb.str", "A word, which Armv6-M wants aligned.", traits=traits_def(WRITES))
strb = defined(AtPointer, "thumb.strb", "The lowest byte of a register.", traits=traits_def(WRITES), SIZE=1)

ldm = defined(
    Several, "thumb.ldm", "Words side by side; with `next` the pointer moves on behind them.", traits=traits_def(READS)
)
stm = defined(Several, "thumb.stm", "Store several registers, and move the pointer on.", traits=traits_def(WRITES))


@assembly("ldr {d},[{a},{b}]", READS, short=True)
def ldr_at(machine: Machine, a: int, b: int) -> int:
    """A word as far behind a pointer as another register says."""
    return machine.load(a + b, WORD)


@assembly("ldr {d},[sp,#{by}]", READS, short=True)
def reload(machine: Machine, by: int) -> int:
    """A word of the frame around it, so many bytes above the stack's pointer."""
    return machine.stack[by // WORD]


@assembly("str {a},[sp,#{by}]", WRITES, short=True)
def spill(machine: Machine, a: int, by: int) -> tuple[()]:
    """A number in the place of a word of the frame around it, so many bytes above the stack's pointer."""
    machine.stack[by // WORD] = a
    return ()


_Of = TypeVar("_Of")


def several(values: Iterable[_Of], count: int) -> list[list[_Of]]:
    """Values in groups of so many, the last one perhaps of fewer."""
    left = iter(values)
    return list(iter(lambda: list(islice(left, count)), []))


def load_words(pointer: SSAValue, count: int) -> Sequence[SSAValue]:
    """Load words side by side: the pointer, which has moved on behind them, and the words."""
    return (ldm(pointer, loaded=count, next=True) if count > 1 else ldr(pointer, by=WORD, next=True)).results
