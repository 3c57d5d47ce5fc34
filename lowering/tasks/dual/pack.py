"""Packs the constant factor of a nest into words, and folds the zero point of the other into the sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.dual import DualPlan, dims_of_read, is_direct
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ...constants import Constants, Numbers, Scaling, contributions, with_added
from ...constants.elements import Wide
from ..point import Point
from .bounds import allows_sharing, nibbles, stays_small
from .doubled import doublings, remove
from .weights import ByteWeights, Lanes, SharedWeights, Weights, weights


@dataclass(frozen=True)
class Packed:
    """Packed words that the loops of a nest use in place of its constant factor."""

    kind: Weights
    words: SSAValue
    """Words in the order of `kind`."""
    filled: Mapping[int, int]
    """Strides of the space dimensions that number the channels, with those that fill words, innermost last."""
    strides: Mapping[int, int]
    """Without them."""
    sums: SSAValue | None
    """Numbers that are added to the start of each channel's sum; None where the starts hold them, or there are none."""
    weights: SSAValue | None = None
    """The sum of the constants of each channel, where a zero point is known at run time only."""
    raised: int = 0
    """Number that constants are raised by, so that they fit: the staged elements are summed up for it."""
    wraps: bool = True
    """Whether sums may leave 32 bits on their way."""

    def begin(self, k: Loops, point: Point) -> Value:
        """Return the beginning of the words of a block of channels; `point` is at the first of them."""
        return self.kind.begin(k, _number(k, point, self.filled))

    def start(self, k: Loops, point: Point, start: SSAValue) -> SSAValue:
        """Return what the sum of a point starts from; `start` is what the nest says."""
        if self.sums is None:
            return start
        added = k.load(self.sums, [_number(k, point, self.strides)], "sum")
        return k.emit(arith.AddiOp(start, added), "acc")

    def weights_of(self, k: Loops, point: Point) -> SSAValue:
        """The sum of the constants that the sum of a point multiplies with."""
        assert self.weights is not None, "asked of nests whose zero point is known at run time only"
        return k.load(self.weights, [_number(k, point, self.strides)], "weights")

    def less_raised(self, k: Loops, start: SSAValue, total: SSAValue | None) -> SSAValue:
        """Return the start of a point's sum whose staged elements add up to `total`."""
        if total is None:
            return start
        more = k.emit(arith.MuliOp(total, k.value(self.raised, i32)))
        return k.emit(arith.SubiOp(start, more), "acc")


def _number(k: Loops, point: Point, strides: Mapping[int, int]) -> Value:
    return point.places.value(k, Linear(tuple(strides.items()), 0))


def pack(
    nest: NestOp,
    plan: DualPlan,
    loops: Sequence[Loop],
    constants: Constants,
    kind: Weights | None = None,
    block: int | None = None,
    *,
    shares: bool = False,
    scales: Sequence[Scaling] | None = None,
) -> Packed:
    """Put packed constants in the place of those that the nest reads.

    Args:
        nest: the nest, whose operands change.
        plan: what its schedule says.
        loops: its loops over space, outermost first, jammed ones last.
        constants: of the module.
        kind: how they lie in memory; by default as the schedule says.
        block: channels whose words lie together; by default those that run side by side.
        shares: whether channels that share a word may also share a product.
        scales: how sums are scaled, for each place where the constant comes from.
    """
    access = nest.accesses("step_reads")[plan.packed.read]
    used = dims_of_read(nest, plan.packed.read)
    dims = list(dict.fromkeys(loop.dim for loop in reversed(loops) if loop.dim in used))[::-1]
    uses = constants.uses(access.buffer)
    assert uses is not None, "checked: it is a constant of this nest alone"
    extents = [nest.extents[d] for d in dims]
    side_by_side = next((loop.extent for loop in loops if loop.form == "jam" and loop.dim in used), None)
    if block is None:
        block = side_by_side or 1
    values = [lanes(nest, plan, dims, constants.values(use)) for use in uses]
    if kind is None and plan.nibbles:
        kind = nibbles(plan, np.concatenate(values))
        assert kind is not None, "checked: the constant fits four bits"
    kind = kind or weights(plan, alone=is_direct(nest) and side_by_side is None)
    twice = doublings(nest)
    is_own = len(nest.start_reads) == 1 and nest.start_reads[0].has_one_use()
    factor = 2 if twice and is_own and all(map(kind.holds_twice, values)) else 1
    scalings = scales or [Scaling.by(factor, len(each)) for each in values]
    added = [folded(each, plan.zero_point) for each in values]
    found = with_added(nest, dims, added, constants, scalings)
    assert scales is None or (is_own and found is not None), "sums that are scaled start from constants"
    raised = _raised(plan, kind, values)
    if shares and not raised and found is not None and all(map(partial(allows_sharing, plan), values, found[1])):
        kind = SharedWeights(plan)
    wraps = found is None or not all(map(partial(stays_small, plan), values, found[1]))
    sums = None
    if found is not None and is_own:
        if plan.zero_point or factor > 1 or scales:
            constants.replace(nest.start_reads[0], *found)
        if factor > 1:
            remove(twice)
        values = [own.factor[:, None] * each for own, each in zip(scalings, values, strict=True)]
    elif plan.zero_point:
        sums = constants.add(access.buffer, uses, added, "sums")
    late = plan.staged.zero_point_read is not None
    totals = constants.add(access.buffer, uses, [folded(each, -1) for each in values], "weights") if late else None
    made = kind.in_order([each + raised for each in values], extents[-1] if dims else 1, block)
    constants.replace(access.buffer, uses, made, layout=kind.layout(block))
    words_of = nest.accesses("step_reads")[plan.packed.read].buffer
    filled = [*extents[:-1], *map(kind.extent, extents[-1:])]
    numbered, placed = (dict(zip(dims, row_major(each), strict=True)) for each in (extents, filled))
    return Packed(kind, words_of, placed, numbered, sums, totals, raised, wraps)


def _raised(plan: DualPlan, kind: Weights, values: Sequence[Lanes]) -> int:
    """Return what is added to a constant: words of one lane must not be negative, bytes have to hold it."""
    least, most = min(int(each.min(initial=0)) for each in values), max(int(each.max(initial=0)) for each in values)
    if plan.unsigned:
        return -least
    fits = -128 <= least and most <= 127
    return 0 if fits or not isinstance(kind, ByteWeights) else -128 - least


def lanes_of_uses(nest: NestOp, plan: DualPlan, constants: Constants) -> list[Lanes] | None:
    """Return what the constant contributes, for each place where it comes from: channels in the order of the space.

    Returns:
        None if it is no constant.
    """
    uses = constants.uses(nest.accesses("step_reads")[plan.packed.read].buffer)
    if uses is None:
        return None
    return [lanes(nest, plan, channel_dims(nest, plan), constants.values(use)) for use in uses]


def channel_dims(nest: NestOp, plan: DualPlan) -> list[int]:
    """The space dimensions that number the channels of the packed constant, in order."""
    return sorted(d for d in dims_of_read(nest, plan.packed.read) if d < len(nest.space.data))


def lanes(nest: NestOp, plan: DualPlan, dims: Sequence[int], constant: Wide) -> Lanes:
    """Return what the constant adds to the sums: [points of `dims`, lanes], zero where a pair has one point only."""
    values, points = contributions(nest, plan.packed, dims, constant), plan.points()
    kept, present = zip(*((n, point) for n, point in enumerate(points) if point is not None), strict=True)
    found = np.zeros((len(values), len(points)), np.int64)
    found[:, kept] = values[:, np.ravel_multi_index(np.array(present).T, [*plan.outer, *plan.run])]
    return found


def folded(values: Lanes, zero_point: int) -> Numbers:
    """Return the start of each channel's sum, apart from its bias: `-zero_point` times its weights, wrapped to i32."""
    return (-zero_point * values.sum(axis=1)).astype(np.uint64).astype(np.uint32).view(np.int32)
