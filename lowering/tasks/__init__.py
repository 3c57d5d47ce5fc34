"""From tasks to loops."""

from .lower_tasks import LowerTasksPass

__all__ = ["LowerTasksPass"]
