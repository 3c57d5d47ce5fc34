"""The sums of a tile of four channels with one point or two, as one operation."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ....dialects.simd import MOST_WRITTEN, TILE_CHANNELS, TILE_POINTS
from ....dialects.task import NestOp
from ....dialects.task.dual import DualPlan
from ....dialects.task.loop import Loop
from ...builder import Loops, Value
from ...constants import plain_start
from ..point import Point
from ..reading import is_dense
from .pack import Packed


def is_tile(plan: DualPlan, channels: int, points: int) -> bool:
    """Whether there is an operation for so many channels and points side by side."""
    return plan.lanes == 2 and not plan.nibbles and channels == TILE_CHANNELS and points <= TILE_POINTS


def written_out(plan: DualPlan, most: int = MOST_WRITTEN) -> int:
    """Words in one pass: as many as the schedule says, or fewer if those after the loop are too many with them."""
    count = plan.pairs
    return next(n for n in range(min(plan.unroll, count, most), 0, -1) if n + count % n <= most)


def starts_in_line(
    k: Loops, nest: NestOp, packed: Packed, channels: Loop, first: Point
) -> tuple[SSAValue, Value] | None:
    """The buffer in which what channels in a row start from lies side by side, with the place of the first one.

    Returns:
        None if it does not, or has to be computed; the last of clamped ones is read more than once.
    """
    access = plain_start(nest)
    if channels.clamped or packed.sums is not None or access is None or not is_dense(access, i32):
        return None
    if nest.steps_along(access, channels.dim) != [1]:
        return None
    (place,) = first.places.indices(k, access.indices)
    return access.buffer, place
