"""Armv6-M: the instructions of 16 bits that its kernels need beside those that Armv7E-M has, too, and its kernels."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..armv7em.instruction import operations_in
from . import instructions
from .instructions import HighRegister

Armv6m = Dialect("armv6m", operations_in(instructions), [HighRegister])

__all__ = ["Armv6m", "HighRegister"]
