"""Decides in which loops tasks run on a processor; `lower-tasks` obeys."""

from .schedule_pass import SchedulePass

__all__ = ["SchedulePass"]
