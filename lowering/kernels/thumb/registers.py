"""Registers of Thumb code."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from functools import cache

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


class AnyRegister(RegisterType, ABC):
    """A register of 32 bits."""

    @classmethod
    def index_by_name(cls) -> dict[str, int]:
        return _NUMBERS

    @classmethod
    def infinite_register_prefix(cls) -> str:
        """Return the prefix of the registers that a compiler chooses."""
        return "v"


@irdl_attr_definition
class Register(AnyRegister):
    """A general register: `!thumb.reg<r4>`, or `!thumb.reg` before one is given."""

    name = "thumb.reg"


@irdl_attr_definition
class FloatRegister(AnyRegister):
    """A register of a float: `!thumb.float<s4>`, or `!thumb.float` before one is given."""

    name = "thumb.float"


FLOATS = tuple(FloatRegister.from_name(name) for name, number in _NUMBERS.items() if number >= 16)
GENERAL = tuple(Register.from_name(name) for name, number in _NUMBERS.items() if number < 16 and name != "r7")
"""Registers that kernels may write to. r7 may address the frame; no compiler lets a program say that it changes."""
RESULTS = GENERAL[5:]
"""Registers that kernels leave results in: not the first ones, which compilers take for what they need beside."""


@cache
def unallocated(kind: type[AnyRegister]) -> AnyRegister:
    """A register of a kind that is not given yet: making one takes longer than choosing it."""
    return kind.unallocated()


def chosen(count: int) -> list[str]:
    """Names of registers that a compiler chooses."""
    return [f"v{n}" for n in range(count)]


def register_of(value: SSAValue) -> AnyRegister:
    """The register that a value is in, or its kind before one is given."""
    assert isinstance(value.type, AnyRegister), "all values are in registers"
    return value.type


def number_of(value: SSAValue) -> int:
    """The number of a value's register in encodings; those that a compiler chooses have negative ones.

    Raises:
        VerifyException: no register is given yet.
    """
    index = register_of(value).index
    if not isinstance(index, IntAttr):
        raise VerifyException("a value has no register")
    return index.data


def ascend(values: Sequence[SSAValue]) -> bool:
    """Whether registers have ascending numbers, in which lists of them are loaded and stored, as far as they are given.

    A register is in a list once.
    """
    numbers = [number_of(value) for value in values if register_of(value).is_allocated]
    return numbers == sorted(set(numbers))


def listed(values: Sequence[SSAValue]) -> str:
    """Registers as assemblers read a list of them."""
    return f"{{{','.join(map(reg, values))}}}"
