"""Armv6-M: instructions of 16 bits beside those of `thumb`, and kernels of them."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..definition import operations_in
from . import instructions
from .instructions import HighRegister

Armv6m = Dialect("armv6m", operations_in("armv6m", instructions), [HighRegister])

__all__ = ["Armv6m", "HighRegister"]
