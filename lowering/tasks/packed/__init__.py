"""Loops of nests whose schedule has `packed` or `quads`."""

from .packed_loops import ExtremeLoops, PackedLoops, QuadLoops

__all__ = ["ExtremeLoops", "PackedLoops", "QuadLoops"]
