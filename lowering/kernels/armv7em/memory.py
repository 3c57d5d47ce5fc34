"""Instructions that load from memory, beside those of all Thumb: Arm v7-M Architecture Reference Manual, A7.7."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.irdl import traits_def

from ..definition import defined
from ..thumb.memory import READS, WORD, AtPointer, Several
from ..thumb.registers import FloatRegister

ldrd = defined(AtPointer, "armv7em.ldrd", "Two words.", traits=traits_def(READS), LOADED=2)
ldrsb = defined(AtPointer, "armv7em.ldrsb", "A byte with a sign.", traits=traits_def(READS), LOADED=1, SIZE=1)
vldm = defined(
    Several,
    "armv7em.vldm",
    "Words side by side in the registers of floats.",
    traits=traits_def(READS),
    TO=FloatRegister,
)


def load_pairs(pointer: SSAValue, count: int) -> list[SSAValue]:
    """Load an even number of words side by side behind a pointer, two at a time."""
    return [one for n in range(0, count, 2) for one in ldrd(pointer, by=WORD * n).loaded]
