"""Instructions on floats, rounded to the nearest, halves to even: Arm v7-M Architecture Reference Manual, A7.7."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.backend.assembly_printer import reg
from xdsl.backend.register_allocatable import RegisterConstraints
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, result_def, var_operand_def

from .instruction import Computing, Instruction
from .machine import Machine, bits, real
from .registers import Register


@irdl_op_definition
class VmovOp(Instruction):
    """Two registers in two others: of general ones in those of floats, which lie side by side, or back."""

    name = "armv7em.vmov"
    inputs = var_operand_def(Register)
    low = result_def(Register)
    high = result_def(Register)
    assembly_format = "$inputs attr-dict `:` functional-type($inputs, results)"

    def __init__(self, *inputs: SSAValue, to: Sequence[Register]):
        super().__init__(inputs, to)

    def arguments(self) -> Sequence[str]:
        return [reg(self.low), reg(self.high), *map(reg, self.inputs)]

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        return values


@irdl_op_definition
class VcvtOp(Computing):
    """An integer as a float."""

    name = "armv7em.vcvt"
    MNEMONIC: ClassVar[str] = "vcvt.f32.s32"

    def compute(self, *values: int) -> int:
        return bits(np.float32(values[0]))


class _Adding(Computing, ABC):
    """One that changes its last operand."""

    def get_register_constraints(self) -> RegisterConstraints:
        return RegisterConstraints(self.inputs[:-1], (), ((self.inputs[-1], self.result),))

    def arguments(self) -> Sequence[str]:
        return [reg(self.result), *map(reg, self.inputs[:-1])]


@irdl_op_definition
class VmlaOp(_Adding):
    """A product of floats, rounded, added to a third one, and rounded again."""

    name = "armv7em.vmla"
    MNEMONIC: ClassVar[str] = "vmla.f32"

    def compute(self, *values: int) -> int:
        one, other, total = map(real, values)
        product = np.float32(one * other)
        return bits(np.float32(total + product))


FLOATS = (VcvtOp, VmlaOp, VmovOp)
