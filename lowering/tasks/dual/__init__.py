"""Nests whose schedule has `dual`: products of two 16-bit lanes, with constants packed at compile time or without."""

from .both_loops import BothLoops
from .dual_loops import DualLoops

__all__ = ["BothLoops", "DualLoops"]
