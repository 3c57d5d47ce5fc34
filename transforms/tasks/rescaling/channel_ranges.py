"""Which values the sum of each channel may have, by its own bias and weights; and channels whose sums do not matter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan, dual_plan
from ....dialects.task.steps import Dual
from ....lowering.constants import ConstantFactor, Constants, sums_between
from ....lowering.emit_c.index_bounds import Interval
from .records import Record
from .tables import Tables


def channel_ranges(nest: NestOp, value: SSAValue, tables: Tables, constants: Constants) -> list[list[Interval]] | None:
    """Bounds of what is rescaled in each channel, for each place where the constants come from.

    Returns:
        None unless a product of elements with constants is rescaled, to which a bias for each channel is added.
    """
    finish, bias = nest.finish.block, nest.accesses("start_reads")
    if value is not finish.args[-1] or len(bias) != 1 or not nest.start_reads[0].has_one_use():
        return None
    plan = _plan(nest)
    if plan is None or list(nest.accumulators) != list(nest.start.block.args):
        return None
    of, uses = ConstantFactor.of(nest, plan.packed, constants), constants.uses(bias[0].buffer)
    if of is None or uses is None or not len(of.uses) == len(uses) == len(tables.multipliers):
        return None
    place, at_tables = bias[0].indices, nest.accesses("finish_reads")[tables.multiplier.index].indices
    if (
        place != at_tables
        or len(place) != 1
        or not isinstance(place[0], AffineDimExpr)
        or [*of.dims] != [place[0].position]
    ):
        return None
    found: list[list[Interval]] = []
    for use, values in zip(uses, of.values, strict=True):
        own = constants.values(use)
        # What is clipped adds nothing.
        low, high = (own.reshape(-1) + each for each in sums_between(values, [*plan.staged.extremes, 0]))
        found.append([Interval(*both) for both in zip(low.tolist(), high.tolist(), strict=True)])
    return found


def settle(nest: NestOp, constants: Constants, records: Sequence[Sequence[Record]]) -> None:
    """Let sums start where records want them; from nothing if no result depends on them: twice their bias is no i32."""
    buffer = nest.accesses("start_reads")[0].buffer
    uses = constants.uses(buffer)
    assert uses is not None, "asked for nests whose biases are constants"
    if all(one.multiplier and not one.moved for each in records for one in each):
        return
    kept = [np.array([one.multiplier != 0 for one in each]) for each in records]
    moved = [np.array([one.moved for one in each]) for each in records]
    numbers = [constants.values(use) for use in uses]
    starts = [
        ((own.reshape(-1) + more) * stays).reshape(own.shape).astype(np.int32)
        for own, more, stays in zip(numbers, moved, kept, strict=True)
    ]
    constants.replace(buffer, uses, starts)


def _plan(nest: NestOp) -> DualPlan | None:
    try:
        return dual_plan(nest, Dual(len(nest.fold.data), 1)) if nest.fold.data else None
    except ValueError:
        return None
