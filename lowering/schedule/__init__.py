"""Decides in which loops tasks run on a processor; `lower-tasks` obeys."""

from .schedule_pass import OBJECTIVES, SchedulePass

__all__ = ["OBJECTIVES", "SchedulePass"]
