"""Bytes of two points taken apart into words of two lanes, side by side: the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.ir import SSAValue

from ....dialects.index_sums import IndexSums
from ....dialects.simd.memory import type_of
from ....dialects.simd.tiles import UnpackPointsOp
from ....dialects.simd.words import BYTES
from ....dialects.strides import row_major
from ..thumb.control import KernelOp, Walk, kept
from ..thumb.instruction import Simple
from ..thumb.memory import REACH, Moving, ldr, ldrb, load_words, several, stm
from ..thumb.registers import GENERAL, chosen
from . import instructions as v7


def apart(op: UnpackPointsOp) -> int | None:
    """Bytes from the first point to the other, where one pointer reaches both; None where each needs its own."""
    if op.memref is not op.other:
        return None
    sums, strides = IndexSums(), row_major(type_of(op.memref).get_shape())
    places = [sums.place(indices, strides) for indices in (op.indices, op.other_indices)]
    distance = places[1].plus(places[0], -1)
    ends = [place + BYTES * op.count.value.data for place in (*op.places.get_values(), *op.single_places)]
    farthest = 0 if op.passed else max(ends)
    is_near = not distance.terms and 0 <= distance.constant <= REACH - farthest
    return distance.constant if is_near else None


@kept
def unpack_points(
    words: tuple[int, ...], singles: tuple[int, ...], passed: int, apart: int | None, *, unsigned: bool
) -> KernelOp:
    """Build a kernel of the pointers to the words, to the bytes of points, and in a loop to the end of the first's.

    Args:
        words: offsets of words of four bytes behind each pointer; zeros, as many as there are behind a loop, with one.
        singles: offsets of single bytes, two of which become a word.
        passed: words in one pass of a loop, which moves pointers on; none without one.
        apart: bytes from one point to the other; None where there is a pointer to each.
        unsigned: whether bytes have no sign.
    """
    take, load_byte = (v7.uxtb16, ldrb) if unsigned else (v7.sxtb16, v7.ldrsb)
    # Compilers choose the registers of pointers.
    kernel = KernelOp(*chosen((3 if apart is None else 2) + bool(passed)), writes=GENERAL[2:6])
    with kernel.filled() as (lanes, *points):
        if passed:
            *points, end = points
            walk = Walk(passed, len(words))
            walk.over(partial(_next_word, take, apart), lambda _, point, *__: (point, end), lanes, *points)
        else:
            for place in words:
                lanes = _store_word(take, lanes, _load(ldr, place, apart, points))
            for places in several(singles, 2):
                low, *high = [_load(load_byte, place, apart, points) for place in places]
                for upper in high:
                    low = [v7.pkhbt(*both, by=16).result for both in zip(low, upper, strict=True)]
                lanes = stm(lanes, *low, next=True).moved
    return kernel


def _load(kind: type[Moving], place: int, apart: int | None, points: Sequence[SSAValue]) -> list[SSAValue]:
    """Load what lies at a place of each point."""
    return [kind(points[0], by=place).result, kind(points[-1], by=place + (apart or 0)).result]


def _next_word(take: type[Simple], apart: int | None, lanes: SSAValue, *points: SSAValue) -> Sequence[SSAValue]:
    """Take apart the next word at the pointers, and return all pointers, which move on."""
    # A second point that lies apart from the first one is read before the pointer moves.
    before = [] if apart is None else ldr(points[0], by=apart).loaded
    moved = [load_words(pointer, 1) for pointer in points]
    return _store_word(take, lanes, [*(word for _, word in moved), *before]), *(pointer for pointer, _ in moved)


def _store_word(take: type[Simple], lanes: SSAValue, loaded: Sequence[SSAValue]) -> SSAValue:
    """Store four bytes of each point, and return where the next ones go."""
    return stm(lanes, *(take(word, by=by).result for by in (0, 8) for word in loaded), next=True).moved
