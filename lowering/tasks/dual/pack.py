"""Packs the constant factor of a nest into words, and folds the zero point of the other into the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.simd.words import DualMultiplyAddOp
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.dual import DualPlan, is_direct
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ...constants import ConstantFactor, Constants, Numbers, Scaling, starts_are_own, with_added
from ..point import Point
from .layouts import (
    BYTES_OF_TWO,
    SHARED_BYTES,
    Lanes,
    Layout,
    allows_sharing,
    fits_halves,
    holds,
    layout_of,
    nibbles,
    stays_small,
)


@dataclass(frozen=True)
class Packed:
    """Packed words that the loops of a nest use in place of its constant factor."""

    nest: NestOp
    k: Loops
    plan: DualPlan
    constants: Constants
    """Those of the module."""
    layout: Layout
    words: SSAValue
    filled: Mapping[int, int]
    """Strides of the space dimensions that number the channels, with those that fill words, innermost last."""
    strides: Mapping[int, int]
    """Without them."""
    sums: SSAValue | None = None
    """Numbers that are added to the start of each channel's sum; None where the starts hold them, or there are none."""
    weights: SSAValue | None = None
    """The sum of the constants of each channel, where a zero point is known at run time only."""
    raised: int = 0
    """Number that constants are raised by, so that they fit: the staged elements are summed up for it."""
    wraps: bool = True
    """Whether sums may leave 32 bits on their way."""
    _loaded: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue], init=False)
    """Words of a block of channels that hold more words of fold points than one."""

    def begin(self, point: Point) -> Value:
        """Return the beginning of the words of a block of channels; `point` is at the first of them."""
        k, layout, plan, channel = self.k, self.layout, self.plan, _number(point, self.filled)
        of_word = layout.channels * layout.points
        if layout.tile == (1, 1):
            return k.div(k.mul(channel, plan.pairs), of_word // plan.step.lanes)
        return k.mul(channel, layout.extent_of_fold(plan.pairs) // of_word)

    def factors(self, first: Value, round: Value, place: int, count: int) -> Iterator[SSAValue]:
        """Return what is multiplied with a word of fold points for each channel of a block, loaded as it is asked for.

        Args:
            first: where the block begins.
            round: the number of the word of fold points with which a round begins.
            place: that of the word in the round.
            count: channels of the block.
        """
        k, layout, loaded = self.k, self.layout, self._loaded
        of_block, shared = layout.extent(count) // layout.channels, layout.points // self.plan.step.lanes
        begin = k.mul(k.div(round, shared), of_block)
        for n in range(of_block):
            if place % shared == 0:
                at = k.add(first, k.add(begin, place // shared * of_block + n))
                loaded[n] = k.load(self.words, [at], "w" if shared > 1 else f"w{n}")
            for channel in range(min(layout.channels, count - n * layout.channels)):
                yield layout.part(k, loaded[n], channel * shared + place % shared)

    def multiply_add(self, value: SSAValue, factor: SSAValue, total: SSAValue) -> SSAValue:
        """A sum and the products of a word of fold points."""
        k = self.k
        if self.plan.step.lanes == 1:
            return k.add(total, k.mul(value, factor, "product"), "acc", wraps=self.wraps)
        return k.emit(DualMultiplyAddOp(value, factor, total), "acc")

    def start(self, point: Point, start: SSAValue, *, hint: str = "acc") -> SSAValue:
        """Return what the sum of a point starts from; `start` is what the nest says."""
        if self.sums is None:
            return start
        added = self.k.load(self.sums, [_number(point, self.strides)], "sum")
        return self.k.emit(arith.AddiOp(start, added), hint)

    def weights_of(self, point: Point) -> SSAValue:
        """The sum of the constants that the sum of a point multiplies with."""
        assert self.weights is not None, "asked of nests whose zero point is known at run time only"
        return self.k.load(self.weights, [_number(point, self.strides)], "weights")


def _number(point: Point, strides: Mapping[int, int]) -> Value:
    return point.value(Linear(tuple(strides.items()), 0))


def check_packed(nest: NestOp, plan: DualPlan, what: str, constants: Constants) -> None:
    """Check that the factor to pack, if any, is a constant that nothing else in the function reads, and fits.

    Raises:
        ValueError: it is not; `what` is the step to name.
    """
    if plan.step.both:
        return
    buffer = nest.accesses("step_reads")[plan.packed.read].buffer
    if constants.uses(buffer) is None or not buffer.has_one_use():
        raise ValueError(f"{what}: the factor to pack is not a constant that belongs to this nest alone")
    if not (plan.step.nibbles or plan.step.swar):
        return
    of = ConstantFactor.of(nest, plan.packed, constants)
    assert of is not None, "asked before: it is a constant"
    if plan.step.nibbles and nibbles(plan, np.concatenate(of.values)) is None:
        raise ValueError("dual: the constant less its zero point does not fit four bits, or sums may leave 32")
    if plan.step.swar and not all(fits_halves(plan, each) for each in of.values):
        raise ValueError("swar: products of two fold points do not always fit 16 bits")


def pack(
    nest: NestOp,
    k: Loops,
    plan: DualPlan,
    constants: Constants,
    loops: Sequence[Loop],
    layout: Layout | None = None,
    block: int | None = None,
    *,
    transform: Callable[[Lanes], Lanes] | None = None,
    scale: int = 0,
    shares: bool = False,
) -> Packed:
    """Put packed constants in the place of those that the nest reads.

    Args:
        nest: the nest, whose operands change.
        k: emits.
        plan: what its schedule says.
        constants: of the module.
        loops: its loops over space, outermost first, jammed ones last.
        layout: how they lie in memory; by default as the schedule says.
        block: channels whose words lie together; by default those that run side by side.
        transform: makes what is packed of the constants, in the order of words; by default they are only put in order.
        scale: sums start from two to this power times what the nest says.
        shares: whether channels that share a word may also share a product.
    """
    # The parts of a dimension are one count where the innermost of them runs.
    dims = [*dict.fromkeys(loop.dim for loop in reversed(loops))]
    of = ConstantFactor.of(nest, plan.packed, constants, reversed(dims))
    assert of is not None, "checked: it is a constant of this nest alone"
    values, buffer = [*map(transform or partial(lanes, plan), of.values)], nest.step_reads[plan.packed.read]
    side_by_side = next((loop.extent for loop in loops if loop.form == "jam" and loop.dim in of.dims), None)
    layout = layout or layout_of(plan, np.concatenate(values), alone=is_direct(nest) and side_by_side is None)
    assert layout is not None, "checked: the constant fits four bits"
    added = [folded(each, plan.zero_point) for each in of.values]
    scalings = [Scaling.by(1 << scale, len(each)) for each in added]
    found, is_own = with_added(nest, of.dims, added, constants, scalings), starts_are_own(nest)
    raised = _raised(plan, layout, values)
    if shares and not raised and found is not None and all(map(partial(allows_sharing, plan), values, found[1])):
        layout = SHARED_BYTES
    wraps = found is None or not all(map(partial(stays_small, plan), values, found[1]))
    sums = None
    if (plan.zero_point or scale) and found is not None and is_own:
        constants.replace(nest.start_reads[0], *found)
    elif plan.zero_point or scale:
        sums = constants.add(buffer, of.uses, [each << scale for each in added], "sums")
    late = plan.staged.zero_point_read is not None
    weights = constants.add(buffer, of.uses, [folded(each, -1) for each in of.values], "weights") if late else None
    extents, block = [nest.extents[d] for d in of.dims], block or side_by_side or 1
    words = layout.in_order([each + raised for each in values], extents[-1] if extents else 1, block)
    text = ("transformed, " if transform else "") + layout.text(block)
    packed = constants.replace(nest.step_reads[plan.packed.read], of.uses, words, layout=text)
    filled = [*extents[:-1], *map(layout.extent, extents[-1:])]
    numbered, placed = (dict(zip(of.dims, row_major(each), strict=True)) for each in (extents, filled))
    return Packed(nest, k, plan, constants, layout, packed, placed, numbered, sums, weights, raised, wraps)


def _raised(plan: DualPlan, layout: Layout, values: Sequence[Lanes]) -> int:
    """Return what is added to a constant: words of one lane must not be negative, bytes have to hold it."""
    least = min(int(each.min(initial=0)) for each in values)
    if plan.step.unsigned:
        return -least
    fits = layout != BYTES_OF_TWO or all(holds(each, 128) for each in values)
    return 0 if fits else -128 - least


def lanes(plan: DualPlan, values: Lanes) -> Lanes:
    """Return what the constant adds to the sums in the order of words, zero where a pair has one point only."""
    count, order = prod(plan.run), np.ravel_multi_index(np.array(plan.run_points()).T, plan.run)
    found = np.zeros((len(values), prod(plan.outer), plan.pairs_of_run * plan.step.lanes), np.int64)
    found[..., :count] = values.reshape(*found.shape[:2], count)[..., order]
    return found.reshape(len(values), plan.pairs * plan.step.lanes)


def folded(values: Lanes, zero_point: int) -> Numbers:
    """Return the start of each channel's sum, apart from its bias: `-zero_point` times its weights, wrapped to i32."""
    return (-zero_point * values.sum(axis=1)).astype(np.uint64).astype(np.uint32).view(np.int32)
