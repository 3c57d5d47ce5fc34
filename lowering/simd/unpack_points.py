"""What it means to take the bytes of two points apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from ...dialects.simd.tiles import UnpackPointsOp
from ...dialects.simd.words import (
    BYTES,
    PackOp,
    UnpackEvenOp,
    UnpackEvenUnsignedOp,
    UnpackOddOp,
    UnpackOddUnsignedOp,
)
from ..builder import Loops, Value
from .meaning import Array, Elements, Operand, means


def _operands(op: UnpackPointsOp) -> dict[str, Operand]:
    """All that operations of one kind differ in."""
    first, other, _ = op.accesses()
    places, singles = op.places.get_values(), op.single_places
    runs = {"places": places, "runs": len(places), "count": op.count} if places else {}
    apart = {"singles": singles, "single": len(singles)} if singles else {}
    return {"bytes": first, "other": other, **runs, **apart, "lanes": op.lanes}


@means(UnpackPointsOp, _operands)
def unpack_points(
    k: Loops,
    op: UnpackPointsOp,
    bytes: Array,
    other: Array,
    lanes: Array,
    places: Elements | None = None,
    runs: Value = 0,
    count: Value = 0,
    singles: Elements | None = None,
    single: Value = 0,
) -> None:
    """Run by run and word by word, then single bytes."""
    signed, points = op.unsigned is None, (bytes, other)
    unpackings = (UnpackEvenOp, UnpackOddOp) if signed else (UnpackEvenUnsignedOp, UnpackOddUnsignedOp)
    if places is not None:
        with k.loop("run", 0, runs) as run, k.loop("n", 0, count) as n:
            place = k.add(k.i32_to_index(places.load(run, "place")), k.mul(n, BYTES), "at")
            first = lanes.behind(k.mul(k.add(k.mul(run, count), n), len(unpackings) * len(points)), "first")
            for p, point in enumerate(points):
                word = point.word(place, "word")
                for half, unpack in enumerate(unpackings):
                    first.store(k.emit(unpack(word)), len(points) * half + p)
    if singles is not None:
        rest = lanes.behind(k.mul(k.mul(runs, count), len(unpackings) * len(points)), "rest")
        with k.loop("pair", 0, k.div(k.add(single, 1), 2)) as pair:
            _store_pair(k, points, singles, single, pair, rest.behind(k.mul(pair, len(points))), signed=signed)


def _store_pair(
    k: Loops, points: Sequence[Array], singles: Elements, single: Value, pair: Value, lanes: Array, *, signed: bool
) -> None:
    """A word of two single bytes of each point, or of the last one."""
    low = k.mul(pair, 2)
    high = k.add(low, 1)
    has_both = k.holds("slt", high, single)
    for p, point in enumerate(points):

        def byte(at: Value, point: Array = point) -> SSAValue:
            return point.wide(k.i32_to_index(singles.load(at, "place")), signed=signed)

        def both(p: int = p, byte: Callable[[Value], SSAValue] = byte) -> None:
            lanes.store(k.emit(PackOp(byte(low), byte(high))), p)

        def one(p: int = p, byte: Callable[[Value], SSAValue] = byte) -> None:
            lanes.store(byte(low), p)

        k.branch(has_both, both, one)
