"""Placement of buffers in memory pools: plain data in, offsets out."""

from .bounds import lower_bound
from .plan import algorithms, plan
from .problem import Buffer, Placement, Plan, Pool, PoolPlan, Problem

__all__ = ["Buffer", "Placement", "Plan", "Pool", "PoolPlan", "Problem", "algorithms", "lower_bound", "plan"]
