"""The pass `prepare-tasks`: brings tasks into the forms that schedules are chosen for.

It is `choose-forms` and, as the processor profits from them, `narrow-sums`, `shorten-rounding`, `shorten-byte-sums`,
`shorten-rescaling`, `double-early`, `split-phases` and `round-in-floats`. `schedule` comes after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...machines.cpus import get_cpu
from .choose import ChooseFormsPass
from .prepare import prepare


@dataclass(frozen=True)
class PrepareTasksPass(ChooseFormsPass):
    """Choose the forms of tasks, and bring them there."""

    name: ClassVar[str] = "prepare-tasks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        super().apply(ctx, op)
        prepare(op, get_cpu(self.cpu))
