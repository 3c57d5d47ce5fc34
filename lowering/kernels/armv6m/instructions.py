"""Instructions of Armv6-M that compute: Armv6-M Architecture Reference Manual, A6.7.

All but `mov` and `add` are of the registers r0 to r7, and set the flags.
"""

from __future__ import annotations

from functools import partial

from xdsl.irdl import irdl_attr_definition

from ..thumb.instruction import assembly
from ..thumb.registers import AnyRegister

_short = partial(assembly, short=True)


@irdl_attr_definition
class HighRegister(AnyRegister):
    """A register from r8 on: `!armv6m.high<r8>`, or `!armv6m.high` before one is given."""

    name = "armv6m.high"


HIGH = tuple(map(HighRegister.from_name, ("r9", "sl", "fp", "ip")))
"""Those that kernels may write to: four, of which functions need not keep the last one."""


@_short("mov {d},{a}")
def mov(a: int) -> int:
    """A register in another one: the way to the high registers and back."""
    return a


@_short("add {d},{b}")
def add(a: int, b: int) -> int:
    """A sum, in the high register of its first number."""
    return a + b


@_short("adds {d},{a},{b}")
def adds(a: int, b: int) -> int:
    """A sum."""
    return a + b


@_short("subs {d},{a},{b}")
def subs(a: int, b: int) -> int:
    """A difference."""
    return a - b


@_short("lsls {d},{a},#{by}")
def lsls(a: int, by: int) -> int:
    """A shift to the left."""
    return a << by


@_short("muls {d},{b}")
def muls(a: int, b: int) -> int:
    """The lower half of a product, in the register of its first number."""
    return a * b


@_short("asrs {e},{b},#{by}\nadcs {d},{e}")
def adcs_asrs(a: int, b: int, by: int) -> tuple[int, int]:
    """Two instructions: a number that is shifted to the right, and its sum with another one, which the bit that is
    shifted out last rounds: it is the carry.
    """
    return a + (b >> by) + (b >> (by - 1) & 1), b >> by
