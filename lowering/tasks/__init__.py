"""From tasks to loops."""

from . import array_loops as array_loops
from . import dual as dual
from . import lanes as lanes
from . import packed as packed
from . import winograd as winograd
from . import word_loops as word_loops
from .lower_tasks import ApplyStepsPass, LowerTasksPass

__all__ = ["ApplyStepsPass", "LowerTasksPass"]
