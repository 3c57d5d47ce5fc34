"""Schedules that were measured: what `stillpool tune` found for a task on a processor, kept in a file."""

from .database import Database, Key, Record, best_of, is_begun, parsed_record, read_database
from .known import Known, shipped
from .names import canonical_steps, own_steps, parsed_steps, text_of
from .task_key import TaskKey, task_key

__all__ = [
    "Database",
    "Key",
    "Known",
    "Record",
    "TaskKey",
    "best_of",
    "canonical_steps",
    "is_begun",
    "own_steps",
    "parsed_record",
    "parsed_steps",
    "read_database",
    "shipped",
    "task_key",
    "text_of",
]
