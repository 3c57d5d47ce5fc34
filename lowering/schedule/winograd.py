"""Schedules of convolutions with three taps in steps of one: fewer products by Winograd's transformation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ...dialects.task.steps import Winograd
from ...dialects.task.winograd import RESULTS, WinogradPlan, winograd_plan
from .subject import MOST_WEIGHTS, Steps, Subject, allowed, tiling

_CHANNELS = 4
_TILES = 2
"""Side by side, which share what is loaded of the constant: with the channels all registers of a Cortex-M."""
_UNROLL = (16, 12, 10, 8, 6, 4)
"""Words in one pass of the loop, best first where they divide their number."""
_LONGEST_LINE = 8
"""Words up to which there need be no loop: of more, compilers load so many in advance that they spill registers."""


def winograd(subject: Subject) -> Iterator[Steps]:
    """Schedules of a nest that allows the step, if its constants prove them exact.

    Two dimensions come before one, for they save more.
    """
    nest, cpu = subject.nest, subject.cpu
    if not cpu.dsp or cpu.vector or nest.ordered is not None:
        return
    for size in (2, 1):
        for dims in itertools.combinations(nest.space.names, size):
            plan = allowed(winograd_plan, nest, Winograd(dims, 1))
            if plan is not None and all(nest.extents[d] >= RESULTS for d in plan.dims):
                yield from _schedules(subject, dims, plan)


def _schedules(subject: Subject, dims: tuple[str, ...], plan: WinogradPlan) -> Iterator[Steps]:
    """The schedule with the dimensions of a plan, if the constant is not too large, and depends on one of the space."""
    nest, extents = subject.nest, subject.nest.extents
    used = [d for d in subject.dims_of(plan.dual.packed.read) if extents[d] > 1]
    channel = max(used, key=extents.__getitem__, default=None)
    if channel is None or math.prod(extents[d] for d in used) * 2 * plan.dual.pairs > MOST_WEIGHTS:
        return
    # Tiles lie side by side where the fewest are left over, along the innermost dimension of several.
    wide = subject.fewest_left(plan.dims, _TILES * RESULTS)
    sizes = {d: RESULTS * (_TILES if d == wide else 1) for d in plan.dims} | {channel: _CHANNELS}
    tile = tiling(nest, sizes, sorted(plan.dual.staged_dims))
    fitting = (n for n in _UNROLL if plan.words % n == 0 and (n < plan.words or n <= _LONGEST_LINE))
    yield *tile.splits, tile.order, *tile.jams, Winograd(dims, next(fitting, _UNROLL[-1]))
