"""Nests whose schedule has `dual`: products of two 16-bit lanes, from constants packed at compile time."""

from .dual_loops import DualLoops
from .swar_loops import SwarLoops

__all__ = ["DualLoops", "SwarLoops"]
