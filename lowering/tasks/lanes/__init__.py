"""Nests that run in vectors: the points of a dimension as lanes, or sums of several bytes' products."""

from .lane_loops import LaneLoops
from .product_loops import DotLoops, ProductLoops

__all__ = ["DotLoops", "LaneLoops", "ProductLoops"]
