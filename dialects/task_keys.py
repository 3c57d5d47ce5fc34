"""The attributes `task.*` of `task.nest` that stand between the choice of a form and the schedule.

`choose-forms` writes them; what rewrites tasks obeys them, and `schedule` takes them away.
"""

from __future__ import annotations

from .key import FLAG, TEXT, Key

FORM = Key("task.form", TEXT)
"""The form in which the nest is to run: a variant of schedules; `short` for that of `small` in loops in order; `plain`
for the nest as it is."""
MEASURED = Key("task.measured", FLAG)
"""Schedules that were measured count for the nest."""
