"""Instructions of Armv6-M that compute: Armv6-M Architecture Reference Manual, A6.7.

All but `mov` and `add` are of the registers r0 to r7, and set the flags.
"""

from __future__ import annotations

from functools import partial

from xdsl.irdl import irdl_attr_definition

from ..thumb.instruction import row
from ..thumb.registers import AnyRegister

_short = partial(row, "armv6m", short=True)


@irdl_attr_definition
class HighRegister(AnyRegister):
    """A register from r8 on: `!armv6m.high<r8>`, or `!armv6m.high` before one is given."""

    name = "armv6m.high"


HIGH = tuple(map(HighRegister.from_name, ("r9", "sl", "fp", "ip")))
"""Those that kernels may write to: four, of which functions need not keep the last one."""


mov = _short("mov {d},{a}", "A register in another one: the way to the high registers and back.", lambda a: a)
add = _short("add {d},{b}", "A sum, in the high register of its first number.", lambda a, b: a + b)
adds = _short("adds {d},{a},{b}", "A sum.", lambda a, b: a + b)
subs = _short("subs {d},{a},{b}", "A difference.", lambda a, b: a - b)
lsls = _short("lsls {d},{a},#{by}", "A shift to the left.", lambda a, by: a << by)
muls = _short("muls {d},{b}", "The lower half of a product, in the register of its first number.", lambda a, b: a * b)
adcs_asrs = _short(
    "asrs {e},{b},#{by}\nadcs {d},{e}",
    "Two instructions: a number that is shifted to the right, and its sum with another one, which the bit that is\n"
    "shifted out last rounds: it is the carry.",
    lambda a, b, by: (a + (b >> by) + (b >> (by - 1) & 1), b >> by),
    name="adcs_asrs",
)
