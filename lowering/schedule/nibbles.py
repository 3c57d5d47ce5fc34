"""Whether constants may stay in four bits: a proof from their values."""

from __future__ import annotations

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan
from ...dialects.task.schedule import Dual
from ..tasks.dual.constants import Constants
from ..tasks.dual.nibbles import nibbles
from ..tasks.dual.pack import lanes_of_uses


def allows_nibbles(nest: NestOp, plan: DualPlan, constants: Constants) -> bool:
    """Whether the constant of a nest less its zero point fits four bits, and its sums 32 when they are scaled.

    Args:
        nest: the nest.
        plan: what the step means for it.
        constants: of the module.
    """
    values = lanes_of_uses(nest, plan, constants)
    return values is not None and nibbles(plan, np.concatenate(values)) is not None


def functions_with_nibbles(module: ModuleOp) -> frozenset[str]:
    """The functions of which a schedule keeps constants in four bits."""
    return frozenset(
        function.sym_name.data
        for function in module.ops
        if isinstance(function, func.FuncOp)
        for nest in function.walk()
        if isinstance(nest, NestOp) and nest.schedule is not None
        for step in nest.schedule.data
        if isinstance(step, Dual) and step.nibbles
    )
