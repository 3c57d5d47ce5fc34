"""The pass `scale-sums`: sums of products come out larger, by their constants, where that saves what follows.

The constants are those of schedules that multiply two lanes of 16 bits at once, which have room for more than bytes.

- Results whose channels shift by distances of their own get one for all of them (`shifts`). That takes an
  instruction less for each result, which shifts and saturates at once, and a word less for each channel.
- Sums that are doubled for a short rescaling are sums of doubled weights that start from doubled biases: the same in 32
  bits, even where sums wrap.

`schedule` comes before it, `lower-tasks` behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i16, i32
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.operations import all_of
from ...dialects.simd.words import MultiplyHighFloorAddOp, ShiftSaturateOp
from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan, dual_plan
from ...dialects.task.steps import Collect, Dual, Words
from ..builder import Loops
from ..constants import (
    PACKED,
    SCALED,
    ConstantFactor,
    Constants,
    Elements,
    Numbers,
    Scaling,
    Use,
    elements,
    plain_start,
    starts_are_own,
    sums_between,
    with_added,
)
from ..constants.elements import Wide
from ..tasks.ending import Shortened, doublings, remove
from ..tasks.function_block import function_block
from ..tasks.steps import reading, remove_zero_point, rewrite_nests
from .shifts import Channels, Shifted, alike, scaled

_BITS = 8


class ScaleSumsPass(ModulePass):
    """Scale the constants of sums of products, and what becomes of the sums."""

    name: ClassVar[str] = "scale-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_nests(op)
        constants = Constants(op)
        for nest in all_of(op, NestOp):
            scale_sums(nest, constants)


def scale_sums(nest: NestOp, constants: Constants) -> None:
    """Scale the sums of a nest that multiplies words of two lanes with a constant; another may take its place."""
    step = Dual(1, 1) if nest.step_of(Words) is not None else nest.step_of(Dual)
    if step is None or step.both or step.nibbles:
        return
    plan = dual_plan(nest, step, late=True)
    weights, element = nest.step_reads[plan.packed.read], nest.step.block.args[plan.packed.read]
    if constants.uses(weights) is None or not (weights.has_one_use() and element.has_one_use()):
        return
    if plan.staged.zero_point_read is None and Collect() not in nest.steps:
        nest = _with_one_shift(nest, plan, constants)
    if not step.bytes:
        _double(nest, plan, constants)


def _double(nest: NestOp, plan: DualPlan, constants: Constants) -> None:
    """Let the constants hold what doubles a sum."""
    twice = doublings(nest.finish.block.args[-1])
    if not twice or not starts_are_own(nest):
        return
    of = ConstantFactor.of(nest, plan.packed, constants)
    larger = of and _larger(nest, plan, of, constants, [Scaling.by(2, len(each)) for each in of.values])
    if larger is not None:
        larger.put(nest, plan, constants)
        remove(twice)


def _with_one_shift(nest: NestOp, plan: DualPlan, constants: Constants) -> NestOp:
    """The nest with records of two words in the place of three, or the same if it cannot have them."""
    found = Shortened.of(nest.finish.block)
    if found is None or found.rescaling.shift is not None or found.doubled is None:
        return nest
    of = ConstantFactor.of(nest, plan.packed, constants)
    uses = None if of is None else _uses(nest, plan, of.dims, constants)
    if of is None or uses is None:
        return nest
    channels = _channels(found, plan, of, *([constants.values(use) for use in each] for each in uses))
    least_byte = 0 if found.rescaling.unsigned else -(1 << (_BITS - 1))
    # Bytes have no room for weights that are scaled.
    shifted = scaled(channels, least_byte) if not plan.step.bytes and not found.rescaling.signed else None
    shifted = shifted or alike(channels)
    if shifted is None:
        return nest
    records, _ = uses
    larger = None
    if shifted.floor:
        scale, more = (np.split(each.astype(np.int32), len(records)) for each in (shifted.scale, shifted.more))
        larger = _larger(nest, plan, of, constants, [Scaling(*both) for both in zip(scale, more, strict=True)])
        if larger is None:
            return nest
    _rewrite(nest, found, found.doubled, shifted)
    numbers = np.stack([shifted.multiplier, shifted.added], axis=1).astype(np.int32)
    constants.replace(nest.accesses("finish_reads")[0].buffer, records, np.split(numbers, len(records)))
    made = reading(nest, nest.accesses("finish_reads")[:2])
    if larger is not None:
        larger.put(made, plan, constants)
    return made


def _uses(
    nest: NestOp, plan: DualPlan, channels: Sequence[int], constants: Constants
) -> tuple[Sequence[Use], Sequence[Use]] | None:
    """Return the origins of records and starts; None unless all are rows of the channels, as the weights are."""
    ends, start = nest.accesses("finish_reads"), plain_start(nest)
    if start is None or len(channels) != 1 or len({access.buffer for access in ends}) != 1:
        return None
    if [nest.column(access, channels[0]) for access in (start, *ends)] != [0, 0, 1, 2]:
        return None
    weights = nest.accesses("step_reads")[plan.packed.read]
    uses = constants.uses_of_nest(nest, [ends[0].buffer, start.buffer, weights.buffer])
    return None if uses is None else (uses[0], uses[1])


def _channels(
    found: Shortened, plan: DualPlan, of: ConstantFactor, records: Sequence[Wide], biases: Sequence[Wide]
) -> Channels:
    """What is known of the channels of all places where the constants come from."""
    values = np.concatenate(of.values)
    # What is clipped adds nothing.
    least, most = sums_between(values, [*plan.staged.extremes, 0])
    start = np.concatenate([each.reshape(-1) for each in biases])
    largest = np.abs(values).max(axis=1, initial=0)
    multiplier, nudge, right = np.concatenate(records).T
    return Channels(multiplier, nudge, right, start + least, start + most, largest, found.rescaling.floor)


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
        saturated = k.emit(ShiftSaturateOp(high, right=shifted.shift, bits=_BITS))
        found.saturated.results[0].replace_all_uses_with(saturated)
        Rewriter.erase_op(found.saturated)
    for op in (old, found.high, doubled):
        if op.result.first_use is None:
            Rewriter.erase_op(op)
    block.erase_arg(block.args[2])


@dataclass(frozen=True)
class _Larger:
    """Constants of larger sums, for each place where they come from."""

    starts: tuple[Sequence[Use], Sequence[Numbers]]
    weights: tuple[Sequence[Use], Sequence[Elements]]

    def put(self, nest: NestOp, plan: DualPlan, constants: Constants) -> None:
        """Put them in the place of those that a nest reads."""
        # What zero points add is still to come, where there are any.
        constants.replace(nest.start_reads[0], *self.starts, SCALED if plan.zero_point else PACKED)
        constants.replace(nest.step_reads[plan.packed.read], *self.weights, SCALED)
        if plan.packed.zero_point:
            remove_zero_point(nest.step, plan.packed.read)
        (use,) = nest.step.block.args[plan.packed.read].uses
        element = Rewriter.replace_value_with_new_type(nest.step.block.args[plan.packed.read], i16)
        Rewriter.replace_op(use.operation, arith.ExtSIOp(element, i32))
        # On its way a sum may wrap that did not before.
        (total,) = nest.terminator(nest.step).values
        assert isinstance(total.owner, arith.AddiOp), "products are added"
        Rewriter.replace_op(total.owner, arith.AddiOp(total.owner.lhs, total.owner.rhs))


def _larger(
    nest: NestOp, plan: DualPlan, of: ConstantFactor, constants: Constants, scalings: Sequence[Scaling]
) -> _Larger | None:
    """The constants of scaled sums; None if sums do not start from some, or lanes do not hold the weights of each."""
    nothing = [np.zeros(len(each), np.int32) for each in of.values]
    starts, weights = with_added(nest, of.dims, nothing, constants, scalings), list[Elements]()
    access = nest.accesses("step_reads")[plan.packed.read]
    numbers = np.arange(math.prod(access.shape)).reshape(access.shape)
    places = elements(nest, access, [*of.dims, *nest.folds], numbers).reshape(of.values[0].shape)
    for values, scaling in zip(of.values, scalings, strict=True):
        made, wanted = np.zeros(numbers.size, np.int16), values * scaling.factor[:, None]
        made[places] = wanted
        # Neither too large, nor read by channels that are scaled otherwise.
        if (made[places] != wanted).any():
            return None
        weights.append(made.reshape(access.shape))
    return None if starts is None else _Larger(starts, (of.uses, weights))
