"""Lowers tasks to loops on memrefs, in the order that their schedules say.

It stands between what operators compute and memory planning, and decides nothing: a nest without a schedule runs its
dimensions in the order in which they are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import PassFailedException

from ...dialects.operations import all_of
from ...dialects.task import JoinOp, NestOp
from ...dialects.task.code import Code
from ...progress import counted
from ..builder import Loops
from ..constants import Constants
from .function_block import function_block
from .legal import check_schedule
from .nest_loops import kind_of
from .steps import rewrite_nests


class ApplyStepsPass(ModulePass):
    """Carry out all steps but those of loops around single points: copies, packed constants and kernels stand there
    then, beside nests in plain loops.
    """

    name: ClassVar[str] = "apply-steps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_nests(op)
        nests = all_of(op, NestOp)
        _carry_out([nest for nest in nests if any(isinstance(step, Code) for step in nest.steps)], op)
        dce(op)


class LowerTasksPass(ModulePass):
    """Replace every `task.nest` by loops."""

    name: ClassVar[str] = "lower-tasks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_nests(op)
        _carry_out(counted("lower-tasks: task", all_of(op, NestOp)), op)
        for join in all_of(op, JoinOp):
            if join.result.uses:
                raise PassFailedException(f"'{join.name}' op is read by more than tasks")
            Rewriter.erase_op(join)


def _carry_out(nests: Iterable[NestOp], module: ModuleOp) -> None:
    """Replace nests by what their schedules say."""
    constants = Constants(module)
    for nest in nests:
        builder = Loops.in_block(function_block(nest))
        builder.builder.insertion_point = InsertPoint.before(nest)
        try:
            check_schedule(nest, constants)
        except ValueError as error:
            raise PassFailedException(f"'{nest.name}' op {error}") from error
        kind_of(nest)(nest, builder, constants).emit()
