"""Armv7E-M: instructions of the DSP extension on registers, and kernels of them."""

from __future__ import annotations

from .allocation import allocate
from .check import check_registers
from .control import KernelOp
from .counts import Counts
from .dialect import Armv7em
from .printing import Variable, lines, statement

__all__ = ["Armv7em", "Counts", "KernelOp", "Variable", "allocate", "check_registers", "lines", "statement"]
