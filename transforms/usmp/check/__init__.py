"""The proof that a memory plan is sound; shares nothing with the planner and its liveness analysis."""

from .check_pass import UsmpCheckPass as UsmpCheckPass
