"""Decides in which loops tasks run on a processor; `lower-tasks` obeys."""

from .schedule_pass import (
    OBJECTIVES,
    SchedulePass,
    flash_steps,
    heuristic_steps,
    is_open,
    prepared,
    put_schedule,
)

__all__ = [
    "OBJECTIVES",
    "SchedulePass",
    "flash_steps",
    "heuristic_steps",
    "is_open",
    "prepared",
    "put_schedule",
]
