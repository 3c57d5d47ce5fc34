"""Tasks in the form that schedules are chosen for: which form each is to have, and the rewrites that bring it there.

Each rewrite is exact, stands alone in its file, and is a pass of its own; `prepare-tasks` is all of them.
"""

from .prepare_tasks import PrepareTasksPass as PrepareTasksPass
