"""Registers of Armv7E-M."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.backend.register_type import RegisterType
from xdsl.irdl import irdl_attr_definition

_GENERAL = {f"r{n}": n for n in range(10)} | {"sl": 10, "fp": 11, "ip": 12, "lr": 14}
"""Without the stack's pointer and the program counter. r10 to r12 have the names that are shorter."""
_NUMBERS = _GENERAL | {f"s{n}": 16 + n for n in range(16)}
"""With the floats that functions need not keep."""


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

    @classmethod
    def allocatable_registers(cls) -> Sequence[Self]:
        return tuple(map(cls.from_name, _GENERAL))

    @property
    def number(self) -> int:
        """Return the number in the register's encoding.

        Raises:
            ValueError: no register is given yet.
        """
        if self.register_name.data not in _NUMBERS:
            raise ValueError("no register is given")
        return _NUMBERS[self.register_name.data]
