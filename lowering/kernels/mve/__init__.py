"""M-profile vector extension (MVE): functions of Arm's C Language Extensions on vectors, and kernels of them."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..definition import operations_in
from . import instructions

Mve = Dialect("mve", operations_in("mve", instructions))

__all__ = ["Mve"]
