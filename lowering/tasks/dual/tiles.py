"""Sums of tiles of four channels with one point or two as one operation, and all channels of these as one.

The latter is where results are bytes that lie in a row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd.tiles import TILE_CHANNELS, TILE_POINTS, TileBytesOp
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.loop import Loop
from ...builder import Value
from ...constants import plain_start
from ...kernels.armv7em.dual_products import MOST_WRITTEN, holds, most_written
from ...kernels.thumb.memory import REACH
from ..nest_loops import OverSpace
from ..point import Point
from .pack import Packed
from .stream import Stream


def is_tile(plan: DualPlan, channels: int, points: int) -> bool:
    """Whether there is an operation for so many channels and points side by side."""
    return plan.step.lanes == 2 and not plan.step.nibbles and channels == TILE_CHANNELS and points <= TILE_POINTS


def written_out(plan: DualPlan, most: int = MOST_WRITTEN) -> int:
    """Words in one pass: as many as the schedule says, or fewer if those after the loop are too many with them."""
    count = plan.pairs
    return next(n for n in range(min(plan.step.unroll, count, most), 0, -1) if n + count % n <= most)


def starts_in_line(packed: Packed, channels: Loop, first: Point) -> tuple[SSAValue, Value] | None:
    """The buffer in which what channels in a row start from lies side by side, with the place of the first one.

    Returns:
        None if it does not, or has to be computed; the last of clamped ones is read more than once.
    """
    access = plain_start(packed.nest)
    if channels.clamped or packed.sums is not None or access is None or not access.is_dense_of(i32):
        return None
    if packed.nest.steps_along(access, channels.dim) != [1]:
        return None
    (place,) = first.indices(access.indices)
    return access.buffer, place


def blocks(packed: Packed, lanes: SSAValue, loops: Sequence[Loop]) -> OverSpace | None:
    """Put a stream in the place of the constants of a nest, all channels of which are one operation.

    What runs side by side is a tile, for which there is an operation already.

    Args:
        packed: the packed constant of the nest, whose operands change.
        lanes: words of the points that run side by side.
        loops: its loops over space, outermost first, jammed ones last.

    Returns:
        What emits the operation in the place of loops over channels, and over points side by side. None where there is
        no such operation; nothing changes then.
    """
    nest, k, plan = packed.nest, packed.k, packed.plan
    # Rows are one high, and what they read does not depend on their number.
    channels = [loop for loop in loops if loop.dim not in plan.staged_dims and loop.extent > 1]
    points = [loop for loop in loops if loop.form == "jam" and loop.dim in plan.staged_dims]
    channel = channels[-1]
    extent, own = nest.extents[channel.dim], [loop for loop in loops if loop.dim == channel.dim]
    stands_last = list(loops[-len(own) - len(points) :]) == [*own[:-1], *points, channel]
    if len(points) > 1 or extent % TILE_CHANNELS or not stands_last or plan.staged.zero_point_read is not None:
        return None
    if len(own) != len(channels) or any(loop.form != "loop" or loop.clamped for loop in own[:-1]):
        return None
    planned = Stream.planned(packed, channel.dim)
    if planned is None or (rescaling := planned.ending) is None:
        return None
    along = _along(nest, points[0]) if points else None
    if points and along is None:
        return None
    side_by_side = points[0].extent if points else 1
    # Words of points stay in registers.
    is_held = plan.step.unroll >= plan.pairs and holds(plan.pairs, side_by_side, rescaling, bytes=plan.step.bytes)
    stream = planned.put(TILE_CHANNELS, by_channel=is_held)

    def emit(loops: Sequence[Loop], point: Point) -> None:
        count = math.prod(loop.extent for loop in loops if loop.dim != channel.dim)
        out = point.within(loops, [0] * len(loops)).operands(*nest.accesses("writes"))
        k.builder.insert(
            TileBytesOp(
                *(lanes, k.index(0), stream.packed.words, k.index(0), *out),
                count=plan.pairs,
                unroll=written_out(plan, most_written(count, rescaling, bytes=plan.step.bytes)),
                blocks=extent // TILE_CHANNELS,
                along=along if count > 1 else None,
                bytes=plan.step.bytes,
                held=is_held,
                **vars(rescaling),
            )
        )

    return emit


def _along(nest: NestOp, points: Loop) -> int | None:
    """The dimension of the results along which points lie, one behind the other."""
    (access,) = nest.accesses("writes")
    steps = nest.steps_along(access, points.dim)
    found = [d for d, step in enumerate(steps) if step]
    is_near = len(found) == 1 and steps[found[0]] == 1 and 0 < math.prod(access.shape[found[0] + 1 :]) <= REACH
    return found[0] if is_near else None
