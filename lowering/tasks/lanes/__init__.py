"""Nests whose schedule has `lanes`: the points of a dimension as lanes of vectors."""

from .lane_loops import LaneLoops, WholeLaneLoops
from .product_loops import ProductLoops

__all__ = ["LaneLoops", "ProductLoops", "WholeLaneLoops"]
