"""The dialect of these instructions."""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from . import arithmetic, control, memory
from .registers import FloatRegister, Register

_DEFINED: list[object] = [one for module in (arithmetic, control, memory) for one in vars(module).values()]
_OPERATIONS = [one for one in _DEFINED if isinstance(one, type) and issubclass(one, Operation) and hasattr(one, "name")]

Armv7em = Dialect("armv7em", _OPERATIONS, [Register, FloatRegister])
