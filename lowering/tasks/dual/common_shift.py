"""Nests whose channels shift their results by distances of their own get one for all of them (`constants.shifts`).

That takes an instruction less for each result, which shifts and saturates at once, and a word less for each channel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.simd.words import MultiplyHighFloorAddOp, ShiftSaturateOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.schedule import Collect
from ...builder import Loops
from ...constants import ConstantFactor, Constants, Scaling, Use, plain_start, sums_between
from ...constants.shifts import Channels, Shifted, alike, scaled
from ..function_block import function_block
from ..steps.rewriting import reading
from .ending import Shortened
from .stream import column

_BITS = 8


def with_common_shift(
    nest: NestOp, k: Loops, plan: DualPlan, constants: Constants
) -> tuple[NestOp, Sequence[Scaling] | None]:
    """Let a nest that ends in records of three words have those of two.

    Args:
        nest: which another one takes the place of.
        k: emits in front of the nest.
        plan: which of its operands are elements and constants.
        constants: of the module.

    Returns:
        The nest, the same one if it cannot have them; and for each place where its constants come from how sums have to
        be scaled, or None where they are to stay as they are.
    """
    is_late, is_packed = plan.staged.zero_point_read is not None, not (plan.step.both or plan.step.nibbles)
    if plan.step.lanes != 2 or not is_packed or is_late or Collect() in nest.steps:
        return nest, None
    found = Shortened.of(nest.finish.block)
    if found is None or found.rescaling.shift is not None or found.doubled is None:
        return nest, None
    of = ConstantFactor.of(nest, plan.packed, constants)
    uses = None if of is None else _uses(nest, plan, of.dims, constants)
    if of is None or uses is None:
        return nest, None
    records, biases = ([constants.values(use) for use in each] for each in uses[:2])
    values = np.concatenate(of.values)
    # What is clipped adds nothing.
    least, most = sums_between(values, [*plan.staged.extremes, 0])
    start = np.concatenate([each.reshape(-1) for each in biases])
    largest = np.abs(values).max(axis=1, initial=0)
    multiplier, nudge, right = np.concatenate(records).T
    channels = Channels(multiplier, nudge, right, start + least, start + most, largest, found.rescaling.floor)
    least_byte = 0 if found.rescaling.unsigned else -(1 << (_BITS - 1))
    # Bytes have no room for weights that are scaled.
    shifted = scaled(channels, least_byte) if not plan.step.bytes and not found.rescaling.signed else None
    shifted = shifted or alike(channels)
    if shifted is None:
        return nest, None
    _rewrite(nest, found, found.doubled, shifted)
    records = np.stack([shifted.multiplier, shifted.added], axis=1).astype(np.int32)
    of_uses = len(uses[0])
    constants.replace(nest.accesses("finish_reads")[0].buffer, uses[0], np.split(records, of_uses))
    made = reading(nest, nest.accesses("finish_reads")[:2])
    k.builder.insertion_point = InsertPoint.before(made)
    if not shifted.floor:
        return made, None
    scale, more = (np.split(each.astype(np.int32), of_uses) for each in (shifted.scale, shifted.more))
    return made, [Scaling(*both) for both in zip(scale, more, strict=True)]


def _uses(
    nest: NestOp, plan: DualPlan, channels: Sequence[int], constants: Constants
) -> tuple[Sequence[Use], ...] | None:
    """Return the origins of records, starts and packed constants; None unless all are rows of the channels."""
    ends, start = nest.accesses("finish_reads"), plain_start(nest)
    if start is None or len(channels) != 1 or len({access.buffer for access in ends}) != 1:
        return None
    if [column(nest, access, channels[0]) for access in (start, *ends)] != [0, 0, 1, 2]:
        return None
    packed = nest.accesses("step_reads")[plan.packed.read]
    return constants.uses_of_nest(nest, [ends[0].buffer, start.buffer, packed.buffer])


def _rewrite(nest: NestOp, found: Shortened, doubled: arith.MuliOp, shifted: Shifted) -> None:
    """Let the last region of a nest read two words."""
    block, k = nest.finish.block, Loops.in_block(function_block(nest))
    k.builder.insertion_point = InsertPoint.before(found.high)
    high, old = found.high.result, found.saturated.value.owner
    assert isinstance(old, arith.ShRSIOp), "shifted before it is saturated"
    if shifted.floor:
        # Sums are scaled that were doubled.
        high = k.emit(MultiplyHighFloorAddOp(doubled.lhs, found.high.rhs, found.high.acc), "high")
    k.builder.insertion_point = InsertPoint.before(found.saturated)
    if found.rescaling.unsigned:
        found.saturated.operands[0] = k.shift_right(high, shifted.shift)
    else:
        saturated = k.emit(ShiftSaturateOp(high, shifted.shift, _BITS))
        found.saturated.results[0].replace_all_uses_with(saturated)
        Rewriter.erase_op(found.saturated)
    for op in (old, found.high, doubled):
        if op.result.first_use is None:
            Rewriter.erase_op(op)
    block.erase_arg(block.args[2])
