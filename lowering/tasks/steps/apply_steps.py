"""The pass `apply-steps`: carries out the steps of schedules that make other nests.

What is left of schedules says which loops there are. `lower-tasks` does the same before it makes loops.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....dialects.task.rewrites import Rewrite
from ...constants import Constants
from . import block as block
from . import fold_zero_point as fold_zero_point
from . import order as order
from . import peel as peel
from .rewriting import apply_steps


class ApplyStepsPass(ModulePass):
    """Carry out `block`, `peel`, `pack`, `stage` and `fold_zero_point`, and what packages add to them."""

    name: ClassVar[str] = "apply-steps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest in [one for one in all_of(op, NestOp) if one.step_of(Rewrite) is not None]:
            try:
                apply_steps(nest, constants)
            except ValueError as error:
                raise PassFailedException(f"'{NestOp.name}' op {error}") from error
