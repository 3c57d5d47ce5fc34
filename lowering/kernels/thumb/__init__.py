"""Thumb: registers, instructions and loops that kernels of Armv6-M and Armv7E-M have in common, and their assembly."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..definition import operations_in
from . import control, memory
from .allocation import allocate
from .check import check_registers
from .control import KernelOp
from .counts import Counts
from .printing import Variable, fits, statement, text
from .registers import FloatRegister, Register

Thumb = Dialect("thumb", operations_in("thumb", control, memory), [Register, FloatRegister])

__all__ = ["Counts", "KernelOp", "Thumb", "Variable", "allocate", "check_registers", "fits", "statement", "text"]
