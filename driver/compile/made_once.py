"""Modules that are made once for all ways to plan the memory of a model."""

from __future__ import annotations

from typing import TypeAlias
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from ..pipeline import Plan

Key: TypeAlias = tuple[tuple[tuple[str, ...], int | None], str, str, tuple[str, ...], str, tuple[str, ...]]
"""All that decides the module at level `memref`."""
Known: TypeAlias = WeakKeyDictionary[ModuleOp, dict[Key, ModuleOp]]
"""Modules by the imported one and what else decides them."""

UNSCHEDULED: Known = WeakKeyDictionary()
"""Imported modules at level `tasks` before they have schedules, where more than one choice of these is weighed."""

SCHEDULED: Known = WeakKeyDictionary()
"""Imported modules at level `tasks` with schedules, where what they cost is asked before they are lowered."""

LOWERED: Known = WeakKeyDictionary()
"""Imported modules at level `memref`."""


def key_of(plan: Plan) -> Key:
    """All that a plan's module at level `memref` depends on."""
    placed = f"{plan.io} {plan.keep_inputs} {plan.double_buffer_inputs}"
    split = (
        f"{plan.rows} {placed} {' '.join(plan.column_bands)} {' '.join(plan.channel_bands)}" if plan.has_rows else ""
    )
    channels = plan.clean_ups_off, plan.channel_multiple
    return channels, plan.schedule_words, split, plan.row_segments, plan.stream_input, plan.externals
