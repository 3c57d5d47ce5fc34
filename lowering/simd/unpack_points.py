"""What it means to take the bytes of two points apart."""

from __future__ import annotations

from ...dialects.simd.unpack_points import UnpackPointsOp
from ...dialects.simd.words import (
    BYTES,
    PackOp,
    UnpackEvenOp,
    UnpackEvenUnsignedOp,
    UnpackOddOp,
    UnpackOddUnsignedOp,
)
from ..builder import Loops, Value
from .meaning import Array, Operand, means


def _operands(op: UnpackPointsOp) -> dict[str, Operand]:
    first, other, _ = op.accesses()
    return {
        "bytes": first,
        **({} if op.apart is not None else {"other": other}),
        # What stands in the code is that of the instructions, too.
        **({"count": op.count} if op.passed else {}),
        "lanes": op.lanes,
    }


@means(UnpackPointsOp, _operands)
def unpack_points(
    k: Loops, op: UnpackPointsOp, bytes: Array, lanes: Array, other: Array | None = None, count: Value | None = None
) -> None:
    """Run by run and word by word, then single bytes."""
    signed = op.unsigned is None
    unpackings = (UnpackEvenOp, UnpackOddOp) if signed else (UnpackEvenUnsignedOp, UnpackOddUnsignedOp)
    points = [bytes, bytes.behind(op.apart or 0) if other is None else other]
    length, first = op.count.value.data if count is None else count, 0
    for place in op.places.get_values():
        with k.loop("n", 0, length) as n:
            for p, point in enumerate(points):
                word = point.word(k.add(k.mul(n, BYTES), place), "word")
                for half, unpack in enumerate(unpackings):
                    at = k.add(k.mul(n, 2 * len(points)), first + len(points) * half + p)
                    lanes.store(k.emit(unpack(word)), at)
        first += 2 * len(points) * op.count.value.data
    for number in range(0, len(op.single_places), 2):
        for p, point in enumerate(points):
            halves = [point.wide(place, signed=signed) for place in op.single_places[number : number + 2]]
            lanes.store(halves[0] if len(halves) == 1 else k.emit(PackOp(*halves)), first + number + p)
