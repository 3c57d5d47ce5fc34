"""From tasks to loops."""

from .lower_tasks import ApplyStepsPass, LowerTasksPass

__all__ = ["ApplyStepsPass", "LowerTasksPass"]
