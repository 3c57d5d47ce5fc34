"""Scalar arithmetic at a moving insertion point."""

from __future__ import annotations

from .floats import Floats
from .folding import Value
from .integers import Integers

__all__ = ["Scalars", "Value"]


class Scalars(Integers, Floats):
    """Emits scalar operations; constants stand once, at the start of the function's block."""
