"""Nests whose schedule has `dual`: products of two 16-bit lanes, with constants packed at compile time or without."""

from .dual_loops import DualLoops

__all__ = ["DualLoops"]
