"""Names of values are checked once each, and printed once each.

xDSL 0.74 matches two patterns each time that a name is given. It numbers values of one name, and gives a value that is
called `x_1` (of `x_1_0`) the name of the second `x`: what it prints so cannot be read.
"""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import SSAValue
from xdsl.ir.core import IRWithName
from xdsl.printer import Printer

_checked = IRWithName.extract_valid_name.__func__  # pyright: ignore[reportFunctionMemberAccess]
_checked_once = lru_cache(maxsize=1 << 14)(_checked)


def _valid(cls: type[IRWithName], name: str | None) -> str | None:
    return None if name is None else _checked_once(cls, name)


IRWithName.extract_valid_name = classmethod(_valid)  # pyright: ignore[reportAttributeAccessIssue]

_print = Printer.print_ssa_value


def _print_ssa_value(self: Printer, value: SSAValue) -> str:
    names, hint = self.ssa_names, value.name_hint
    if hint is None or value in self._ssa_values:  # pyright: ignore[reportPrivateUsage]
        return _print(self, value)
    while (count := names.get(hint, 0)) and f"{hint}_{count}" in names:
        names[hint] += 1
    name = _print(self, value)
    names.setdefault(name, 1)
    return name


Printer.print_ssa_value = _print_ssa_value
