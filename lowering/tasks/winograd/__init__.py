"""Exact Winograd convolutions of small integers: the loops of nests whose schedule has `winograd`."""

from .winograd_loops import WinogradLoops

__all__ = ["WinogradLoops"]
