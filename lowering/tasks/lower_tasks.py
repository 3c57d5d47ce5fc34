"""Lowers tasks to loops on memrefs, in the order that their schedules say.

It stands between what operators compute and memory planning, and decides nothing: a nest without a schedule runs its
dimensions in the order in which they are written.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ...dialects.operations import all_of
from ...dialects.task import JoinOp, NestOp
from ...dialects.task.dual import is_dual
from ...dialects.task.packed import is_packed
from ...dialects.task.schedule import Expand, Lanes, Tensorize, Whole, Winograd, Words
from ...dialects.task.words import is_quads
from ...progress import counted
from ..builder import Loops
from .dual import DualLoops
from .dual.constants import Constants
from .expand import DotLoops, ExpandLoops
from .function_block import function_block
from .kernel_loops import KernelLoops
from .lanes import LaneLoops, ProductLoops, WholeLaneLoops
from .legal import check_schedule
from .nest_loops import NestLoops
from .packed import ExtremeLoops, PackedLoops, WholeExtremeLoops
from .quad_loops import QuadLoops
from .steps import ApplyStepsPass
from .whole_loops import WholeLoops
from .winograd import WinogradLoops
from .word_loops import WordLoops


class LowerTasksPass(ModulePass):
    """Replace every `task.nest` by loops."""

    name: ClassVar[str] = "lower-tasks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ApplyStepsPass().apply(ctx, op)
        constants = Constants(op)
        found = all_of(op, NestOp, JoinOp)
        for nest in counted("lower-tasks: task", [inner for inner in found if isinstance(inner, NestOp)]):
            builder = Loops.in_block(function_block(nest))
            builder.builder.insertion_point = InsertPoint.before(nest)
            try:
                check_schedule(nest, constants)
            except ValueError as error:
                raise PassFailedException(f"'{nest.name}' op {error}") from error
            loops = _loops(nest, builder, constants)
            loops.emit()
            loops.nest.detach()
            loops.nest.erase()
        for join in (inner for inner in found if isinstance(inner, JoinOp)):
            if join.result.uses:
                raise PassFailedException(f"'{join.name}' op is read by more than tasks")
            join.detach()
            join.erase()


def _loops(nest: NestOp, k: Loops, constants: Constants) -> NestLoops:
    """Return the loops that emit a nest as its schedule says."""
    if (tensorize := nest.step_of(Tensorize)) is not None:
        return KernelLoops(nest, tensorize, k)
    if (winograd := nest.step_of(Winograd)) is not None:
        return WinogradLoops(nest, winograd, k, constants)
    if is_dual(nest):
        return DualLoops(nest, k, constants)
    if (words := nest.step_of(Words)) is not None:
        return WordLoops(nest, words, k, constants)
    if is_quads(nest):
        return QuadLoops(nest, k)
    if (expand := nest.step_of(Expand)) is not None:
        return DotLoops(nest, k, constants) if expand.dots else ExpandLoops(nest, k)
    is_whole = nest.schedule is not None and Whole() in nest.schedule.data
    if (lanes := nest.step_of(Lanes)) is not None:
        kind = ProductLoops if lanes.sixteen else WholeLaneLoops if is_whole else LaneLoops
        return kind(nest, k, constants)
    if is_packed(nest):
        if not nest.fold.data:
            return PackedLoops(nest, k)
        return WholeExtremeLoops(nest, k, constants) if is_whole else ExtremeLoops(nest, k)
    return WholeLoops(nest, k, constants) if is_whole else NestLoops(nest, k)
