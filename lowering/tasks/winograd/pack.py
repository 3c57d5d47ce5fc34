"""Transforms the constant factor of a nest, packs it into words, and proves that its sums are exact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Dual
from ....dialects.task.winograd import WinogradPlan
from ...builder import Loops
from ...constants import Constants, Scaling, Use, largest_sum, with_added
from ...constants.products import INT32_MAX
from ..dual.doubled import doublings, remove
from ..dual.pack import Packed, folded, lanes
from ..dual.weights import Lanes, PairWeights
from ..inline import inline
from ..point import Point
from .transforms import transformed_taps

_INT16_MAX = 2**15 - 1


@dataclass(frozen=True)
class Transformed(Packed):
    """Packed words of a transformed factor, which sums multiply with that are larger by some bits."""

    scale: int = 0
    """By how many bits sums are scaled."""
    shift: int = 0
    """By how many bits they are scaled back."""

    def start_of(self, k: Loops, nest: NestOp, point: Point) -> SSAValue:
        """Return the start of a channel's results, scaled: what the nest says has `sums` in it where there are none."""
        (start,) = inline(nest.start, k, point, point.read("start_reads"))
        if self.sums is not None:
            start = self.start(k, point, k.shift_left(start, self.scale))
            start.name_hint = "start"
        return start


@dataclass(frozen=True)
class Found:
    """The constants behind a nest that its transformed ones replace."""

    dims: Sequence[int]
    """Dimensions of the space that number the channels."""
    uses: Sequence[Use]
    values: Sequence[Lanes]
    """Values that each contributes, [channels, fold points]."""
    factors: Sequence[Lanes]
    """Values transformed, [channels, products and other fold points]."""


def found(nest: NestOp, plan: WinogradPlan, space: Iterable[int], constants: Constants) -> Found:
    """The constants that a nest may multiply with after their transformation.

    Args:
        nest: the nest.
        plan: what its schedule says.
        space: dimensions of the space in the order of their loops, outermost first.
        constants: of the module.

    Raises:
        ValueError: they are not constants that the nest alone uses, or their sums may leave 32 bits.
    """
    access = nest.accesses("step_reads")[plan.dual.packed.read]
    dims = [dim for dim in space if dim in nest.dims_of(access)]
    uses = constants.uses(access.buffer)
    if uses is None or not access.buffer.has_one_use():
        raise ValueError("winograd: the factor to pack is not a constant that belongs to this nest alone")
    pairs = dual_plan(nest, Dual(1, 1))
    values = [lanes(nest, pairs, dims, constants.values(use)) for use in uses]
    factors = [_transformed(nest, plan, each) for each in values]
    if any(abs(factor) > _INT16_MAX for each in factors for factor in (each.min(initial=0), each.max(initial=0))):
        raise ValueError("winograd: a transformed weight does not fit a lane of 16 bits")
    nothing = [np.zeros(len(each), np.int32) for each in values]
    starts = with_added(nest, dims, nothing, constants)
    if starts is None:
        raise ValueError("winograd: sums do not start from constants, one for each channel")
    element = max(map(abs, plan.dual.staged.extremes))
    for each, start in zip(values, starts[1], strict=True):
        if largest_sum(each, start, element) << len(plan.dims) > INT32_MAX:
            raise ValueError("winograd: a sum may leave 32 bits when it is scaled")
    return Found(dims, uses, values, factors)


def pack(nest: NestOp, plan: WinogradPlan, loops: Sequence[Loop], constants: Constants) -> Transformed:
    """Put transformed constants in the place of those that the nest reads."""
    # The parts of a dimension count where the innermost of them runs.
    space = list(dict.fromkeys(loop.dim for loop in reversed(loops)))[::-1]
    of = found(nest, plan, space, constants)
    access = nest.accesses("step_reads")[plan.dual.packed.read]
    extents = [nest.extents[d] for d in of.dims]
    block = next((loop.extent for loop in loops if loop.form == "jam" and loop.dim in of.dims), 1)
    scale, added = len(plan.dims), None
    zeros = [folded(each, plan.dual.staged.zero_point) for each in of.values]
    if len(nest.start_reads) == 1 and nest.start_reads[0].has_one_use():
        scales = [Scaling.by(1 << scale, len(each)) for each in zeros]
        made = with_added(nest, of.dims, zeros, constants, scales)
        assert made is not None, "sums start from constants"
        constants.replace(nest.start_reads[0], *made)
    else:
        scaled = [(each.view(np.uint32) << np.uint32(scale)).view(np.int32) for each in zeros]
        added = constants.add(access.buffer, of.uses, scaled, "sums")
    twice = doublings(nest)
    # What is scaled back by one bit less is the double.
    remove(twice)
    kind = PairWeights(plan.dual)
    made = kind.in_order(of.factors, extents[-1] if extents else 1, block)
    constants.replace(access.buffer, of.uses, made, layout=f"transformed, {kind.layout(block)}")
    words = nest.accesses("step_reads")[plan.dual.packed.read].buffer
    strides, shift = dict(zip(of.dims, row_major(extents), strict=True)), scale - 1 if twice else scale
    return Transformed(kind, words, strides, strides, added, scale=scale, shift=shift)


def _transformed(nest: NestOp, plan: WinogradPlan, values: Lanes) -> Lanes:
    """[channels, fold points in order] as [channels, products, other fold points in order]."""
    first = len(nest.space.data)
    outer = [nest.extents[d] for d in range(first, len(nest.extents) - 1)]
    split = values.reshape(len(values), *outer, -1)
    order = [0, *(1 + d - first for d in (*plan.taps, *plan.rest)), split.ndim - 1]
    turned = split.transpose(order)
    return transformed_taps(turned, range(1, 1 + len(plan.taps))).reshape(len(values), -1)
