"""Decides in which loops tasks run on a processor; `lower-tasks` obeys."""

from .heuristics import heuristic_steps, is_open, put_schedule
from .schedule_pass import SchedulePass

__all__ = ["SchedulePass", "heuristic_steps", "is_open", "put_schedule"]
