"""The composite pass `lower-to-loops`: tasks, affine operations, parallel loops and vectors, in this order.

It stands before memory planning, whose passes read index arithmetic from `scf.for`, `memref.load` and `memref.store`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.operations import operations
from ..scaling import ScaleSumsPass
from ..tasks import LowerTasksPass
from .affine import LowerAffineToScfPass
from .parallel import LowerParallelToForPass
from .vector import LowerVectorToScalarPass


@dataclass(frozen=True)
class LowerToLoopsPass(ModulePass):
    """Lower `task`, `affine`, `scf.parallel` and `vector` to `scf.for`, `memref`, `arith` and `math` on scalars."""

    name: ClassVar[str] = "lower-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        of_tasks = (ScaleSumsPass(), LowerTasksPass())
        steps = (*of_tasks, LowerAffineToScfPass(), LowerParallelToForPass(), LowerVectorToScalarPass())
        # Modules of loops come through here more than once; verifying takes longer than finding nothing to do.
        worth_verifying = any(_is_lowered(inner) for inner in operations(op))
        for step in steps:
            step.apply(ctx, op)
            if worth_verifying:
                op.verify()


def _is_lowered(op: Operation) -> bool:
    return op.name in ("scf.parallel", "memref.atomic_rmw") or op.name.partition(".")[0] in ("task", "affine", "vector")
