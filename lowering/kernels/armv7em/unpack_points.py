"""Bytes of two points taken apart into words of two lanes, side by side: the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.ir import SSAValue

from ....dialects.index_sums import IndexSums
from ....dialects.simd.memory import type_of
from ....dialects.simd.tiles import UnpackPointsOp
from ....dialects.simd.words import BYTES
from ....dialects.strides import row_major
from ..thumb.control import KernelOp, Walk, kept
from ..thumb.memory import REACH, Moving, ldr, ldrb, load_words, several, stm
from ..thumb.registers import GENERAL, chosen
from . import instructions as v7


@dataclass(frozen=True)
class Unpacking:
    """Places that are read, and how their bytes are taken apart."""

    words: tuple[int, ...]
    """Offsets of words of four bytes behind each pointer."""
    singles: tuple[int, ...]
    """Offsets of single bytes, two of which become a word."""
    passed: int
    """Words in one pass of a loop, which moves pointers on; none without one. Words behind it lie there then."""
    apart: int | None
    """Bytes from one point to the other; None where there is a pointer to each."""
    unsigned: bool


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


def unpacking_of(op: UnpackPointsOp) -> Unpacking:
    """Return what an operation reads."""
    words = [place + BYTES * n for place in op.places.get_values() for n in range(op.count.value.data)]
    taken = (0,) * op.after if op.passed else tuple(words)
    return Unpacking(taken, op.single_places, op.passed, apart(op), op.unsigned is not None)


@kept
def unpack_points(unpacking: Unpacking) -> KernelOp:
    """Build a kernel of the pointers to the words, to the bytes of points, and in a loop to the end of the first's."""
    passed, pointers = unpacking.passed, 1 if unpacking.apart is not None else 2
    # Compilers choose the registers of pointers.
    kernel = KernelOp(*chosen(1 + pointers + bool(passed)), writes=GENERAL[2:6])
    with kernel.filled() as (lanes, *points):
        if passed:
            *points, end = points
            walk = Walk(passed, len(unpacking.words))
            walk.over(partial(_next_word, unpacking), lambda _, point, *__: (point, end), lanes, *points)
        else:
            for place in unpacking.words:
                lanes = _store_word(unpacking, lanes, _load(ldr, unpacking, place, points))
            for places in several(unpacking.singles, 2):
                lanes = _store_pair(unpacking, lanes, places, points)
    return kernel


def _load(kind: type[Moving], unpacking: Unpacking, place: int, points: Sequence[SSAValue]) -> list[SSAValue]:
    """Load the bytes at a place of each point."""
    places = (place, place + (unpacking.apart or 0))
    return [kind(pointer, by=by).result for pointer, by in zip((points[0], points[-1]), places, strict=True)]


def _next_word(unpacking: Unpacking, lanes: SSAValue, *points: SSAValue) -> Sequence[SSAValue]:
    """Take apart the next word at the pointers, and return all pointers, which move on."""
    # A second point that lies apart from the first one is read before the pointer moves.
    before = [] if unpacking.apart is None else ldr(points[0], by=unpacking.apart).loaded
    moved = [load_words(pointer, 1) for pointer in points]
    return _store_word(unpacking, lanes, [*(word for _, word in moved), *before]), *(pointer for pointer, _ in moved)


def _store_word(unpacking: Unpacking, lanes: SSAValue, loaded: Sequence[SSAValue]) -> SSAValue:
    """Store four bytes of each point, and return where the next ones go."""
    take = v7.uxtb16 if unpacking.unsigned else v7.sxtb16
    return stm(lanes, *(take(word, by=by).result for by in (0, 8) for word in loaded), next=True).moved


def _store_pair(unpacking: Unpacking, lanes: SSAValue, places: Sequence[int], points: Sequence[SSAValue]) -> SSAValue:
    """Store a word of each point of two bytes, or of one, and return where the next ones go."""
    kind = ldrb if unpacking.unsigned else v7.ldrsb
    words, *more = [_load(kind, unpacking, place, points) for place in places]
    for high in more:
        words = [v7.pkhbt(low, upper, by=16).result for low, upper in zip(words, high, strict=True)]
    return stm(lanes, *words, next=True).moved
