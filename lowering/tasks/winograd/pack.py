"""Transforms the constant factor of a nest, packs it into words, and proves that its sums are exact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....dialects.task import NestOp
from ....dialects.task.dual import dual_plan
from ....dialects.task.loop import Loop
from ....dialects.task.schedule import Dual, Winograd
from ....dialects.task.winograd import WinogradPlan
from ...builder import Loops
from ...constants import ConstantFactor, Constants, largest_sum, with_added
from ...constants.products import INT32_MAX
from ..dual.layouts import PAIRS, Lanes
from ..dual.pack import Packed, check_packed, folded, lanes, pack
from ..ending import doublings, remove
from .transforms import transformed_taps

_INT16_MAX = 2**15 - 1


def check_exact(nest: NestOp, plan: WinogradPlan, constants: Constants) -> None:
    """Check that a nest may multiply with its constants after their transformation.

    Raises:
        ValueError: they are not constants that the nest alone uses, or their sums may leave 32 bits.
    """
    check_packed(nest, plan.dual, Winograd.keyword, constants)
    of = ConstantFactor.of(nest, plan.dual.packed, constants)
    assert of is not None, "asked before: it is a constant"
    factors = [_transformed(nest, plan, each) for each in of.values]
    if any(abs(factor) > _INT16_MAX for each in factors for factor in (each.min(initial=0), each.max(initial=0))):
        raise ValueError("winograd: a transformed weight does not fit a lane of 16 bits")
    starts = with_added(nest, of.dims, [folded(each, 0) for each in of.values], constants)
    if starts is None:
        raise ValueError("winograd: sums do not start from constants, one for each channel")
    element = max(map(abs, plan.dual.staged.extremes))
    for each, start in zip(of.values, starts[1], strict=True):
        if largest_sum(each, start, element) << len(plan.dims) > INT32_MAX:
            raise ValueError("winograd: a sum may leave 32 bits when it is scaled")


def pack_transformed(
    nest: NestOp, k: Loops, plan: WinogradPlan, constants: Constants, loops: Sequence[Loop]
) -> tuple[Packed, int]:
    """Put transformed constants in the place of those that the nest reads; by how many bits sums are scaled back.

    They are scaled by one for each dimension, and so is what is added to the start of a sum.
    """
    scale, transform = len(plan.dims), partial(_transformed, nest, plan)
    packed = pack(nest, k, plan.dual, constants, loops, PAIRS, transform=transform, scale=scale)
    twice = doublings(nest.finish.block.args[-1])
    # What is scaled back by one bit less is the double.
    remove(twice)
    return packed, scale - 1 if twice else scale


def _transformed(nest: NestOp, plan: WinogradPlan, values: Lanes) -> Lanes:
    """[channels, fold points] as [channels, products, other fold points in pairs]."""
    outer, values = nest.folds[:-1], lanes(dual_plan(nest, Dual(1, 1)), values)
    split = values.reshape(len(values), *(nest.extents[d] for d in outer), -1)
    order = [0, *(1 + outer.index(d) for d in (*plan.taps, *plan.rest)), split.ndim - 1]
    turned = split.transpose(order)
    return transformed_taps(turned, range(1, 1 + len(plan.taps))).reshape(len(values), -1)
