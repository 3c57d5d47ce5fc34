"""From tasks to loops."""

from . import array_loops as array_loops
from . import dual as dual
from . import winograd as winograd
from . import word_loops as word_loops
from .lanes import product_loops as product_loops
from .lower_tasks import ApplyStepsPass, LowerTasksPass
from .packed import packed_loops as packed_loops

__all__ = ["ApplyStepsPass", "LowerTasksPass"]
