"""Instructions that load and store: Arm v7-M Architecture Reference Manual, A7.7."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.backend.assembly_printer import reg
from xdsl.dialects.builtin import I64, IntegerAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from .instruction import Instruction, constant
from .machine import Machine
from .registers import Register

WORD = 4


class _Pointing(Instruction, ABC):
    """One that loads or stores at a pointer; with `next` it moves the pointer on afterwards."""

    pointer = operand_def(Register)
    stored = var_operand_def(Register)
    res = var_result_def(Register)
    next = opt_prop_def(UnitAttr)

    def __init__(
        self,
        pointer: SSAValue,
        stored: Sequence[SSAValue] = (),
        to: Sequence[Register] = (),
        *,
        next: Register | None = None,
        by: IntegerAttr | None = None,
    ):
        properties = ({} if next is None else {"next": UnitAttr()}) | ({} if by is None else {"by": by})
        moved = [] if next is None else [next]
        super().__init__([pointer, *stored], [*moved, *to], properties)

    @property
    def moved(self) -> bool:
        return self.next is not None

    @property
    def _loaded(self) -> Sequence[SSAValue]:
        return self.res[1:] if self.moved else self.res


class _AtPointer(_Pointing, ABC):
    """One that is `by` behind the pointer, or moves it so far."""

    by = prop_def(IntegerAttr[I64])
    assembly_format = (
        "$pointer (`next` $next^)? `by` $by (`,` $stored^)? attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        by: int,
        stored: Sequence[SSAValue] = (),
        to: Sequence[Register] = (),
        *,
        next: Register | None = None,
    ):
        super().__init__(pointer, stored, to, next=next, by=constant(by))

    @property
    def constant(self) -> int:
        """Return how far the pointer moves, or the offset of what is read behind it."""
        return self.by.value.data

    def _place(self) -> str:
        pointer = reg(self.pointer)
        if self.moved:
            return f"[{pointer}],#{self.constant}"
        return f"[{pointer},#{self.constant}]" if self.constant else f"[{pointer}]"

    def arguments(self) -> Sequence[str]:
        return [*map(reg, self._loaded), *map(reg, self.stored), self._place()]

    def _at(self, address: int) -> int:
        return address if self.moved else address + self.constant

    def _results(self, address: int, loaded: Sequence[int]) -> Sequence[int]:
        return [*([address + self.constant] if self.moved else []), *loaded]


class Loading(_AtPointer, ABC):
    SIZE: ClassVar[int]
    SIGN: ClassVar[bool] = True
    COUNT: ClassVar[int] = 1
    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        if len(self._loaded) != self.COUNT or self.stored:
            raise VerifyException(f"{self.COUNT} numbers are loaded, none is stored")

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        first = self._at(values[0])
        loaded = [machine.load(first + n * self.SIZE, self.SIZE, sign=self.SIGN) for n in range(self.COUNT)]
        return self._results(values[0], loaded)


@irdl_op_definition
class LdrOp(Loading):
    """A word, which need not be aligned."""

    name = "armv7em.ldr"
    SIZE: ClassVar[int] = WORD


@irdl_op_definition
class LdrAtOp(Instruction):
    """A word as far behind a pointer as another register says."""

    name = "armv7em.ldr_at"
    pointer = operand_def(Register)
    distance = operand_def(Register)
    result = result_def(Register)
    MNEMONIC: ClassVar[str] = "ldr"
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$pointer `,` $distance attr-dict `:` functional-type(operands, $result)"

    def __init__(self, pointer: SSAValue, distance: SSAValue, to: Register):
        super().__init__([pointer, distance], [to])

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), f"[{reg(self.pointer)},{reg(self.distance)}]"]

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        return [machine.load(values[0] + values[1], WORD)]


@irdl_op_definition
class LdrdOp(Loading):
    """Two words."""

    name = "armv7em.ldrd"
    SIZE: ClassVar[int] = WORD
    COUNT: ClassVar[int] = 2


@irdl_op_definition
class LdrsbOp(Loading):
    """A byte with a sign."""

    name = "armv7em.ldrsb"
    SIZE: ClassVar[int] = 1


@irdl_op_definition
class LdrbOp(Loading):
    """A byte without a sign."""

    name = "armv7em.ldrb"
    SIZE: ClassVar[int] = 1
    SIGN: ClassVar[bool] = False


class _Storing(_AtPointer, ABC):
    SIZE: ClassVar[int]
    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        if len(self.stored) != 1 or self._loaded:
            raise VerifyException("one number is stored, none is loaded")

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        machine.store(self._at(values[0]), self.SIZE, values[1])
        return self._results(values[0], ())


@irdl_op_definition
class StrbOp(_Storing):
    """The lowest byte of a register."""

    name = "armv7em.strb"
    SIZE: ClassVar[int] = 1


@irdl_op_definition
class StrOp(_Storing):
    """A word, which need not be aligned."""

    name = "armv7em.str"
    SIZE: ClassVar[int] = WORD


def _verify_rising(values: Sequence[SSAValue]) -> None:
    """Check that registers are given in the order in which a list of them goes to memory.

    Raises:
        VerifyException: they are not.
    """
    numbers = [value.type.number for value in values if isinstance(value.type, Register) and value.type.is_allocated]
    if numbers != sorted(set(numbers)):
        raise VerifyException("of several words the first is in the register with the least number")


def listed(values: Sequence[SSAValue]) -> str:
    """Registers as assemblers read a list of them."""
    return f"{{{','.join(map(reg, values))}}}"


class _Several(_Pointing, ABC):
    """One that loads or stores words side by side."""

    assembly_format = "$pointer (`next` $next^)? (`,` $stored^)? attr-dict `:` functional-type(operands, results)"

    @property
    def words(self) -> Sequence[SSAValue]:
        """Return the words that are loaded or stored."""
        return self.stored or self._loaded

    def arguments(self) -> Sequence[str]:
        return [reg(self.pointer) + ("!" if self.moved else ""), listed(self.words)]

    def verify_(self) -> None:
        _verify_rising(self.words)
        if len(self.words) < 2:
            raise VerifyException("several words are loaded or stored, not one")

    def _results(self, address: int, loaded: Sequence[int]) -> Sequence[int]:
        return [*([address + WORD * len(self.words)] if self.moved else []), *loaded]


class _LoadingSeveral(_Several, ABC):
    traits = traits_def(MemoryReadEffect())

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        loaded = [machine.load(values[0] + WORD * n, WORD) for n in range(len(self.words))]
        return self._results(values[0], loaded)


@irdl_op_definition
class LdmOp(_LoadingSeveral):
    """Words side by side; with `next` the pointer moves on behind them."""

    name = "armv7em.ldm"


@irdl_op_definition
class VldmOp(_LoadingSeveral):
    """Words side by side in the registers of floats."""

    name = "armv7em.vldm"


@irdl_op_definition
class StmOp(_Several):
    """Store several registers, and move the pointer on."""

    name = "armv7em.stm"
    traits = traits_def(MemoryWriteEffect())

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        for n, value in enumerate(values[1:]):
            machine.store(values[0] + WORD * n, WORD, value)
        return self._results(values[0], ())


class _OnStack(Instruction, ABC):
    """One that loads or stores a word of the frame around it."""

    stored = var_operand_def(Register)
    res = var_result_def(Register)
    slot = prop_def(IntegerAttr[I64])
    assembly_format = "$slot (`,` $stored^)? attr-dict `:` functional-type(operands, results)"

    def __init__(self, slot: int, stored: Sequence[SSAValue] = (), to: Sequence[Register] = ()):
        super().__init__(stored, to, {"slot": constant(slot)})

    def arguments(self) -> Sequence[str]:
        at = WORD * self.slot.value.data
        (value,) = (*self.stored, *self.res)
        return [reg(value), f"[sp,#{at}]" if at else "[sp]"]


@irdl_op_definition
class ReloadOp(_OnStack):
    """A word of the frame."""

    name = "armv7em.reload"
    MNEMONIC: ClassVar[str] = "ldr"
    traits = traits_def(MemoryReadEffect())

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        return [machine.stack[self.slot.value.data]]


@irdl_op_definition
class SpillOp(_OnStack):
    """A number in the place of a word of the frame."""

    name = "armv7em.spill"
    MNEMONIC: ClassVar[str] = "str"
    traits = traits_def(MemoryWriteEffect())

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        machine.stack[self.slot.value.data] = values[0]
        return []


MEMORY = (LdmOp, LdrAtOp, LdrOp, LdrbOp, LdrdOp, LdrsbOp, ReloadOp, SpillOp, StmOp, StrbOp, StrOp, VldmOp)
