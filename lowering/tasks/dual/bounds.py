"""How large sums of products with a constant may become, and what they therefore allow."""

from __future__ import annotations

import numpy as np

from ....dialects.simd import SWAR_POINTS
from ....dialects.task.dual import DualPlan
from ...constants import Numbers, largest_sum, sums_between
from ...constants.products import INT32_MAX
from .weights import Lanes, NibbleWeights, Weights, WideNibbleWeights, swar_points

_LEAST_NIBBLE, _MOST_NIBBLE = -8, 7


def allows_sharing(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether a word's lanes hold both weights, and the sums of the upper channels fit what is left for them.

    Args:
        plan: what the schedule says.
        values: [channels, lanes], the packed constant.
        starts: where the sums start, zero points folded in.
    """
    low, high = sums_between(values, plan.staged.extremes)
    # Starts lie in the order of their own memref, and there may be more of them.
    least = int(starts.min(initial=0)) + int(low.min(initial=0))
    most = int(starts.max(initial=0)) + int(high.max(initial=0))
    lowest = int(values.min(initial=0)) * 256 + int(values.min(initial=0))
    return lowest >= -(1 << 15) and least >= -(1 << 23) and most < 1 << 23


def fits_halves(plan: DualPlan, values: Lanes) -> bool:
    """Whether the products of any two fold points of a window fit 16 bits with their sign.

    Args:
        plan: what the schedule says.
        values: [channels, fold points], the constant.
    """
    whole = np.zeros((len(values), swar_points(plan)), np.int64)
    whole[:, : values.shape[1]] = values
    windows = whole.reshape(len(values), -1, SWAR_POINTS)
    least, most = sums_between(windows, [extreme + plan.staged.zero_point for extreme in plan.staged.extremes])
    return -(1 << 15) <= int(least.min(initial=0)) and int(most.max(initial=0)) < 1 << 15


def stays_small(plan: DualPlan, values: Lanes, starts: Numbers) -> bool:
    """Whether no sum leaves 32 bits on its way, whatever the staged elements and in whatever order it is made.

    Args:
        plan: what the schedule says.
        values: [channels, lanes], the packed constant.
        starts: where the sums start, zero points folded in.
    """
    element = max(abs(bound + plan.zero_point) for bound in plan.staged.extremes)
    weight = np.full_like(values, 255) if plan.unsigned else values
    return largest_sum(weight, starts, 2 * element) <= INT32_MAX


def nibbles(plan: DualPlan, values: Lanes) -> Weights | None:
    """The kind of nibbles that holds a constant and whose sums fit 32 bits, whatever the elements; None if none does.

    Args:
        plan: what the schedule says.
        values: [channels, lanes], the constants of all places where the nest is called.
    """
    if values.min(initial=0) < _LEAST_NIBBLE or values.max(initial=0) > _MOST_NIBBLE:
        return None
    # With elements as they lie in memory.
    least, most = sums_between(values, [bound + plan.zero_point for bound in plan.staged.extremes])
    largest = max(int(most.max(initial=0)), int(-least.min(initial=0)))
    return next((kind(plan) for kind in (NibbleWeights, WideNibbleWeights) if largest < 1 << (31 - kind.scale)), None)
