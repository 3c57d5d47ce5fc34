"""Armv7E-M: instructions of the DSP extension on registers, and kernels of them."""

from __future__ import annotations

from xdsl.ir import Dialect

from . import arithmetic, control, memory
from .allocation import allocate
from .check import check_registers
from .control import KernelOp
from .counts import Counts
from .instruction import operations_in
from .printing import Variable, lines, statement
from .registers import FloatRegister, Register

Armv7em = Dialect("armv7em", operations_in(arithmetic, control, memory), [Register, FloatRegister])

__all__ = ["Armv7em", "Counts", "KernelOp", "Variable", "allocate", "check_registers", "lines", "statement"]
