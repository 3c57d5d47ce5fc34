"""Base of all instructions: operations on registers that print as one line of assembly and say what they compute."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from xdsl.backend.assembly_printer import OneLineAssemblyPrintable, reg
from xdsl.backend.register_allocatable import HasRegisterConstraints, RegisterConstraints
from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, prop_def, result_def, var_operand_def

from .machine import Machine, signed
from .registers import Register


@cache
def constant(value: int) -> IntegerAttr[I64]:
    """A number that stands in an instruction."""
    return IntegerAttr(value, i64)


class Instruction(IRDLOperation, HasRegisterConstraints, OneLineAssemblyPrintable, ABC):
    """An instruction. The registers of operands and results are its own but where `moved` says otherwise."""

    def __init__(
        self,
        operands: Sequence[SSAValue],
        result_types: Sequence[Register],
        properties: Mapping[str, Attribute] | None = None,
    ):
        # Nothing is left to be found out about segments: what IRDL does for them takes four times as long.
        Operation.__init__(self, operands=operands, result_types=result_types, properties=properties or {})

    @property
    def moved(self) -> bool:
        """Whether the first operand is a pointer that the first result has moved on, in the same register."""
        return False

    def get_register_constraints(self) -> RegisterConstraints:
        if not self.moved:
            return RegisterConstraints(self.operands, self.results, ())
        return RegisterConstraints(self.operands[1:], self.results[1:], ((self.operands[0], self.results[0]),))

    MNEMONIC: ClassVar[str] = ""
    """Name that assemblers have for it, where that is not the operation's own name."""

    @abstractmethod
    def arguments(self) -> Sequence[str]:
        """Return the arguments behind the mnemonic, as assemblers read them."""

    def assembly_line(self) -> str:
        return f"{self.MNEMONIC or self.name.rpartition('.')[2]} {','.join(self.arguments())}"

    @abstractmethod
    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        """Results for operands, all of 32 bits with a sign."""


class Computing(Instruction, ABC):
    """An instruction that computes one number of registers and constants, and touches no memory."""

    result = result_def(Register)
    inputs = var_operand_def(Register)
    assembly_format = "$inputs attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, *inputs: SSAValue, to: Register):
        super().__init__(inputs, [to])

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), *map(reg, self.inputs)]

    @abstractmethod
    def compute(self, *values: int) -> int:
        """The number; bits beyond 32 are cut off."""

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        return [signed(self.compute(*values))]


class ComputingBy(Computing, ABC):
    """One that has a constant, too."""

    by = prop_def(IntegerAttr[I64])
    assembly_format = "$inputs `by` $by attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, *inputs: SSAValue, by: int, to: Register):
        Instruction.__init__(self, inputs, [to], {"by": constant(by)})

    @property
    def constant(self) -> int:
        """Its value."""
        return self.by.value.data
