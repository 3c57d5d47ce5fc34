"""Transforms the constant factor of a nest, packs it into words, and proves that its sums are exact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Dual
from ....dialects.task.winograd import WinogradPlan
from ...builder import Loops
from ...constants import ConstantFactor, Constants, Scaling, largest_sum, starts_are_own, with_added
from ...constants.products import INT32_MAX
from ..dual.layouts import PAIRS, Lanes
from ..dual.pack import Packed, dims_of_loops, folded, lanes, put
from ..ending import doublings, remove
from .transforms import transformed_taps

_INT16_MAX = 2**15 - 1


def found(
    nest: NestOp, plan: WinogradPlan, space: Iterable[int], constants: Constants
) -> tuple[ConstantFactor, Sequence[Lanes]]:
    """The constants that a nest may multiply with after their transformation, and what becomes of them.

    Args:
        nest: the nest.
        plan: what its schedule says.
        space: dimensions of the space in the order of their loops, outermost first.
        constants: of the module.

    Returns:
        Their values, [channels, fold points], and these transformed, [channels, products and other fold points].

    Raises:
        ValueError: they are not constants that the nest alone uses, or their sums may leave 32 bits.
    """
    of = ConstantFactor.of(nest, plan.dual.packed, constants, space)
    if of is None or not nest.step_reads[plan.dual.packed.read].has_one_use():
        raise ValueError("winograd: the factor to pack is not a constant that belongs to this nest alone")
    pairs = dual_plan(nest, Dual(1, 1))
    factors = [_transformed(nest, plan, lanes(pairs, each)) for each in of.values]
    if any(abs(factor) > _INT16_MAX for each in factors for factor in (each.min(initial=0), each.max(initial=0))):
        raise ValueError("winograd: a transformed weight does not fit a lane of 16 bits")
    starts = with_added(nest, of.dims, [folded(each, 0) for each in of.values], constants)
    if starts is None:
        raise ValueError("winograd: sums do not start from constants, one for each channel")
    element = max(map(abs, plan.dual.staged.extremes))
    for each, start in zip(of.values, starts[1], strict=True):
        if largest_sum(each, start, element) << len(plan.dims) > INT32_MAX:
            raise ValueError("winograd: a sum may leave 32 bits when it is scaled")
    return of, factors


def pack(nest: NestOp, k: Loops, plan: WinogradPlan, constants: Constants, loops: Sequence[Loop]) -> tuple[Packed, int]:
    """Put transformed constants in the place of those that the nest reads; by how many bits sums are scaled back.

    They are scaled by one for each dimension, and so is what is added to the start of a sum.
    """
    of, factors = found(nest, plan, dims_of_loops(loops), constants)
    block = next((loop.extent for loop in loops if loop.form == "jam" and loop.dim in of.dims), 1)
    scale, added = len(plan.dims), None
    zeros = [folded(each, plan.dual.staged.zero_point) for each in of.values]
    if starts_are_own(nest):
        scales = [Scaling.by(1 << scale, len(each)) for each in zeros]
        made = with_added(nest, of.dims, zeros, constants, scales)
        assert made is not None, "sums start from constants"
        constants.replace(nest.start_reads[0], *made)
    else:
        scaled = [(each.view(np.uint32) << np.uint32(scale)).view(np.int32) for each in zeros]
        added = constants.add(nest.step_reads[plan.dual.packed.read], of.uses, scaled, "sums")
    twice = doublings(nest.finish.block.args[-1])
    # What is scaled back by one bit less is the double.
    remove(twice)
    packed = put(nest, k, plan.dual, constants, of, PAIRS, factors, block, "transformed, ")
    return replace(packed, sums=added), scale - 1 if twice else scale


def _transformed(nest: NestOp, plan: WinogradPlan, values: Lanes) -> Lanes:
    """[channels, fold points in order] as [channels, products, other fold points in order]."""
    outer = nest.folds[:-1]
    split = values.reshape(len(values), *(nest.extents[d] for d in outer), -1)
    order = [0, *(1 + outer.index(d) for d in (*plan.taps, *plan.rest)), split.ndim - 1]
    turned = split.transpose(order)
    return transformed_taps(turned, range(1, 1 + len(plan.taps))).reshape(len(values), -1)
