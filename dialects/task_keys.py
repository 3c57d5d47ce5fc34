"""The attributes `task.*`: of `task.nest` between the choice of a form and the schedule, of functions, and of packed
constants.

`choose-forms` writes those of nests; what rewrites tasks obeys them, and `schedule` takes them away.
"""

from __future__ import annotations

from .key import FLAG, TEXT, Key

FORM = Key("task.form", TEXT)
"""The form in which the nest is to run: a variant of schedules; `short` for that of `small` in loops in order; `plain`
for the nest as it is."""
MEASURED = Key("task.measured", FLAG)
"""Schedules that were measured count for the nest."""
SCHEDULED = Key("task.scheduled", FLAG)
"""Loops of the function are those of a schedule: what keeps registers for these is worth its text there."""
LAYOUT = Key("task.layout", TEXT)
"""On a constant that was laid in the order of its use: that order, for readers."""
