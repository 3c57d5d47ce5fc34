"""Registers of Armv7E-M."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.backend.assembly_printer import reg
from xdsl.backend.register_type import RegisterType
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

_NUMBERS = (
    {f"r{n}": n for n in range(10)} | {"sl": 10, "fp": 11, "ip": 12, "lr": 14} | {f"s{n}": 16 + n for n in range(16)}
)
"""Without the stack's pointer and the program counter. r10 to r12 have the names that are shorter.

Of the registers of floats there are those that functions need not keep.
"""


@irdl_attr_definition
class Register(RegisterType):
    """A register of 32 bits: `!armv7em.reg<r4>`, a float's `!armv7em.reg<s4>`, or `!armv7em.reg` before."""

    name = "armv7em.reg"

    @classmethod
    def index_by_name(cls) -> dict[str, int]:
        return _NUMBERS

    @classmethod
    def infinite_register_prefix(cls) -> str:
        """Return the prefix of the registers that a compiler chooses."""
        return "v"


def number_of(value: SSAValue) -> int:
    """The number of a value's register in encodings; those that a compiler chooses have negative ones.

    Raises:
        VerifyException: no register is given yet.
    """
    assert isinstance(value.type, Register), "all values are in registers"
    if not isinstance(value.type.index, IntAttr):
        raise VerifyException("a value has no register")
    return value.type.index.data


def listed(values: Sequence[SSAValue]) -> str:
    """Registers as assemblers read a list of them."""
    return f"{{{','.join(map(reg, values))}}}"
