"""Armv7E-M: instructions of the DSP extension on registers, and kernels of them."""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from . import arithmetic, control, memory
from .allocation import allocate
from .check import check_registers
from .control import KernelOp
from .counts import Counts
from .printing import Variable, lines, statement
from .registers import FloatRegister, Register

_DEFINED: list[object] = [one for module in (arithmetic, control, memory) for one in vars(module).values()]
_OPERATIONS = [one for one in _DEFINED if isinstance(one, type) and issubclass(one, Operation) and hasattr(one, "name")]
Armv7em = Dialect("armv7em", _OPERATIONS, [Register, FloatRegister])

__all__ = ["Armv7em", "Counts", "KernelOp", "Variable", "allocate", "check_registers", "lines", "statement"]
