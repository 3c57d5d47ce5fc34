"""Schedules for processors with vectors: channels in their lanes, or in the innermost loops where compilers find them.

Products of bytes whose constant is packed are many in one instruction.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dialects.simd.dots import CHANNELS
from ...dialects.simd.lanes import LANES
from ...dialects.task.join import decided_steps
from ...dialects.task.lanes import lanes_plan
from ...dialects.task.steps import Expand, Lanes, Whole
from ...dialects.task.tile import Tiling
from .subject import Steps, Subject, allowed, tiling

_LEAST_PRODUCTS = 4
"""Fold points from which on many in an instruction pay."""
_LEAST_POINTS = 4
"""Side by side from which on vectors pay in loops."""
_MOST_SUMS = 256
"""Most sums of an array that stays in the fastest cache beside what is multiplied."""


def lanes(subject: Subject) -> Iterator[Steps]:
    """Four channels or elements in the lanes of a vector, sixteen products at once."""
    nest = subject.nest
    if not subject.cpu.vector or not nest.space.data:
        return
    for tile in _tiles_of_bytes(subject, LANES):
        yield *tile.splits, tile.order, *tile.jams, Lanes(sixteen=True)
    dim = subject.last
    # A factor that all lanes share would be a scalar for each of its products.
    if nest.extents[dim] < LANES or any(dim not in subject.dims_of(read) for read in range(len(nest.step_reads))):
        return
    tile = tiling(nest, {dim: LANES})
    whole = [Whole()] if subject.is_window and not decided_steps(nest) else []
    yield *tile.splits, tile.order, *tile.jams, *whole, Lanes()


def expand(subject: Subject) -> Iterator[Steps]:
    """The channels of a point in the innermost loops, inside of the fold."""
    nest = subject.nest
    if not subject.sums or not nest.space.data:
        return
    size = _MOST_SUMS // CHANNELS * CHANNELS
    for tile in _tiles_of_bytes(subject, size):
        yield *tile.loops, Expand(tile.inner[0], dots=True)
    dim, accesses = subject.last, (*nest.accesses("step_reads"), *nest.accesses("writes"))
    lie_along = all(nest.lies_along(access, dim) for access in accesses if dim in nest.dims_of(access))
    if nest.extents[dim] >= _LEAST_POINTS and lie_along:
        tile = tiling(nest, {dim: size})
        yield *tile.loops, Expand(tile.inner[0], dots=False)


def _tiles_of_bytes(subject: Subject, size: int) -> Iterator[Tiling]:
    """The tile of a nest that sums products of bytes with a constant of its own, which is packed.

    It is of points along the largest dimension of the constant alone; what the other factor depends on stands outside.
    """
    nest = subject.nest
    plan = allowed(lanes_plan, nest)
    if plan is None or plan.pairs < _LEAST_PRODUCTS:
        return
    channel = subject.channel_of(plan)
    if channel is not None:
        others = [d for d in range(len(nest.space.data)) if d not in plan.staged_dims and d != channel]
        yield tiling(nest, {channel: size}, [*sorted(plan.staged_dims), *others])
