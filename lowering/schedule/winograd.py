"""Schedules of convolutions with three taps in steps of one: fewer products by Winograd's transformation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ...dialects.task import NestOp
from ...dialects.task.schedule import INNER, OUTER, Jam, Order, Split, Step, Winograd
from ...dialects.task.winograd import RESULTS, WinogradPlan, winograd_plan
from ...machines.cpus import Cpu
from ..tasks.dual.constants import Constants
from ..tasks.winograd.pack import found

_CHANNELS = 4
_TILES = 2
"""Side by side, which share what is loaded of the constant: with the channels all registers of a Cortex-M."""
_UNROLL = (16, 12, 10, 8, 6, 4)
"""Words in one pass of the loop, best first where they divide their number."""
_LONGEST_LINE = 8
"""Words up to which there need be no loop: of more, compilers load so many in advance that they spill registers."""
_MOST_WEIGHTS = 1 << 22
"""Elements of a constant beyond which it is not transformed."""


def winograd_schedule(nest: NestOp, constants: Constants, cpu: Cpu) -> tuple[Step, ...] | None:
    """The schedule of a nest that allows the step, and whose constants prove it exact; None for others.

    Two dimensions come before one, for they save more.
    """
    if not cpu.dsp or cpu.vector or nest.ordered is not None:
        return None
    for plan in _plans(nest):
        try:
            found(nest, plan, range(len(nest.space.data)), constants)
        except ValueError:
            continue
        return _steps(nest, plan)
    return None


def _plans(nest: NestOp) -> Iterator[WinogradPlan]:
    """Return what the step may mean, best first."""
    names = nest.space.names
    for size in (2, 1):
        for dims in itertools.combinations(names, size):
            try:
                plan = winograd_plan(nest, Winograd(dims, 1))
            except ValueError:
                continue
            channels = [d for d in _channels(nest, plan) if nest.extents[d] > 1]
            weights = math.prod(nest.extents[d] for d in channels) * 2 * plan.dual.pairs
            if channels and weights <= _MOST_WEIGHTS and all(nest.extents[d] >= RESULTS for d in plan.dims):
                yield plan


def _channels(nest: NestOp, plan: WinogradPlan) -> list[int]:
    """Dimensions of the space on which the constant depends."""
    indices = nest.accesses("step_reads")[plan.dual.packed.read].indices
    return sorted({d for index in indices for d in nest.form(index).positions() if d < len(nest.space.data)})


def _steps(nest: NestOp, plan: WinogradPlan) -> tuple[Step, ...]:
    names = nest.space.names
    channel = max(_channels(nest, plan), key=lambda d: nest.extents[d])
    # Tiles lie side by side where the fewest are left over, along the innermost dimension of several.
    wide = min(plan.dims, key=lambda d: (nest.extents[d] % (_TILES * RESULTS) / nest.extents[d], -d))
    sizes = {d: RESULTS * (_TILES if d == wide else 1) for d in plan.dims} | {channel: _CHANNELS}
    steps: list[Step] = []
    outer, jammed = dict(enumerate(names)), list[str]()
    for dim, size in sizes.items():
        if nest.extents[dim] <= size:
            jammed.append(outer.pop(dim))
            continue
        steps.append(Split(names[dim], size))
        outer[dim] = names[dim] + OUTER
        jammed.append(names[dim] + INNER)
    staged = plan.dual.staged_dims
    ordered = [outer[d] for d in outer if d in staged] + [outer[d] for d in outer if d not in staged]
    steps.append(Order((*ordered, *jammed, *nest.fold.names)))
    fitting = [n for n in _UNROLL if plan.words % n == 0 and (n < plan.words or n <= _LONGEST_LINE)]
    unroll = next(iter(fitting), _UNROLL[-1])
    return (*steps, *map(Jam, jammed), Winograd(tuple(names[d] for d in plan.dims), unroll))
