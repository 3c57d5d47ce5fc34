"""Placement of buffers in memory pools: plain data in, offsets out."""

from .plan import algorithms, plan
from .problem import Buffer, Placement, Plan, Pool, PoolPlan, Problem

__all__ = ["Buffer", "Placement", "Plan", "Pool", "PoolPlan", "Problem", "algorithms", "plan"]
