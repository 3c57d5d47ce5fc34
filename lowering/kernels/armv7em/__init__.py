"""Armv7E-M: instructions beside those of `thumb`, of the DSP extension and for floats, and kernels of them."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..definition import operations_in
from . import instructions

Armv7em = Dialect("armv7em", operations_in("armv7em", instructions))

__all__ = ["Armv7em"]
