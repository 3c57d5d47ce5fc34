"""Nests whose schedule has `expand`: the points of a dimension in loops of their own inside the fold."""

from .dot_loops import DotLoops
from .expand_loops import ExpandLoops

__all__ = ["DotLoops", "ExpandLoops"]
