"""Placement of buffers in memory pools: plain data in, offsets out."""

from .bounds import lower_bound
from .layout import DEFAULT_SECONDS, Algorithm, Effort, Layout
from .plan import DEFAULT, algorithms, plan, searches
from .problem import Block, Buffer, Placement, Plan, Pool, PoolPlan, Problem
from .short import PoolShort

__all__ = [
    "DEFAULT",
    "DEFAULT_SECONDS",
    "Algorithm",
    "Block",
    "Buffer",
    "Effort",
    "Layout",
    "Placement",
    "Plan",
    "Pool",
    "PoolPlan",
    "PoolShort",
    "Problem",
    "algorithms",
    "lower_bound",
    "plan",
    "searches",
]
