"""What instructions on vectors mean: each lane by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType, i8, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.simd import lanes
from ...dialects.simd.lanes import LANES, SIXTEEN, LanesType, SixteenType
from ...dialects.simd.moves import LoadLanesOp, LoadSixteenOp, StoreLanesOp, StoreSixteenOp
from ..builder import Loops
from .meaning import Array, means

VECTORS: Mapping[type[Attribute], VectorType] = {
    LanesType: VectorType(i32, [LANES]),
    SixteenType: VectorType(i8, [SIXTEEN]),
}
"""The types of MLIR for those of `simd`."""

_Lane = Callable[[Loops, SSAValue, SSAValue], SSAValue]


def part(k: Loops, vectors: SSAValue, number: int) -> SSAValue:
    """One of the elements of a vector."""
    assert isinstance(vectors.type, VectorType), "converted before"
    return k.emit(vector.ExtractOp(vectors, [number], vectors.type.element_type))


def whole(k: Loops, parts: Sequence[SSAValue]) -> SSAValue:
    """The vector of elements."""
    made = k.emit(vector.BroadcastOp(parts[0], VectorType(parts[0].type, [len(parts)])))
    for number, part in enumerate(parts[1:], 1):
        made = k.emit(vector.InsertOp(part, made, [number]))
    return made


def _lanewise(k: Loops, lhs: SSAValue, rhs: SSAValue, *, lane: _Lane) -> SSAValue:
    return whole(k, [lane(k, part(k, lhs, n), part(k, rhs, n)) for n in range(LANES)])


def _high(k: Loops, lhs: SSAValue, rhs: SSAValue, right: int) -> SSAValue:
    """A product without its lowest bits, rounded, halves up, in 64 bits."""
    product = k.mul(k.extend(lhs, i64), k.extend(rhs, i64))
    return k.shift_right(k.add(product, 1 << (right - 1)), right)


def _doubled_high(k: Loops, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return k.narrow(k.min(_high(k, lhs, rhs, 31), (1 << 31) - 1), i32)


def _rounding_shift_right(k: Loops, value: SSAValue, by: SSAValue) -> SSAValue:
    mask = k.sub(k.shift_left(1, by), 1, wraps=True)
    half = k.add(k.shift_right(mask, 1), k.extend_unsigned(k.compare("slt", value, 0)))
    return k.add(k.shift_right(value, by), k.extend_unsigned(k.compare("sgt", k.bit_and(value, mask), half)))


_LANES: dict[type[lanes.LanewiseOp], _Lane] = {
    lanes.LanesAddOp: lambda k, lhs, rhs: k.add(lhs, rhs, wraps=True),
    lanes.LanesSubtractOp: lambda k, lhs, rhs: k.sub(lhs, rhs, wraps=True),
    lanes.LanesMultiplyOp: lambda k, lhs, rhs: k.mul(lhs, rhs, wraps=True),
    lanes.LanesMaximumOp: lambda k, lhs, rhs: k.max(lhs, rhs),
    lanes.LanesMinimumOp: lambda k, lhs, rhs: k.min(lhs, rhs),
    lanes.LanesShiftLeftOp: lambda k, lhs, rhs: k.shift_left(lhs, rhs),
    lanes.LanesShiftRightOp: lambda k, lhs, rhs: k.shift_right(lhs, rhs),
    lanes.LanesRoundingShiftRightOp: _rounding_shift_right,
    lanes.LanesMultiplyHighOp: lambda k, lhs, rhs: k.narrow(_high(k, lhs, rhs, 32), i32),
    lanes.LanesDoubledHighOp: _doubled_high,
}
for _kind, _lane in _LANES.items():
    means(_kind)(partial(_lanewise, lane=_lane))


@means(lanes.LanesOfOp)
def lanes_of(k: Loops, value: SSAValue) -> SSAValue:
    return k.emit(vector.BroadcastOp(value, VECTORS[LanesType]))


@means(lanes.SixteenOfOp, lambda op: {"byte": op.byte})
def sixteen_of(k: Loops, op: lanes.SixteenOfOp, byte: int) -> SSAValue:
    return k.emit(vector.BroadcastOp(k.value(byte, i8), VECTORS[SixteenType]))


@means(LoadLanesOp, lambda op: {"elements": op.memref})
def load_lanes(k: Loops, op: LoadLanesOp, elements: Array) -> SSAValue:
    zeros = [k.value(0, i32)] * (LANES - op.moved)
    return whole(k, [*(elements.wide(n, signed=op.unsigned is None) for n in range(op.moved)), *zeros])


@means(StoreLanesOp, lambda op: {"elements": op.memref, "value": op.value})
def store_lanes(k: Loops, op: StoreLanesOp, elements: Array, value: SSAValue) -> None:
    for n in range(op.moved):
        elements.store(k.narrow(part(k, value, n), elements.element), n)


@means(LoadSixteenOp, lambda op: {"bytes": op.memref})
def load_sixteen(k: Loops, op: LoadSixteenOp, bytes: Array) -> SSAValue:
    return whole(k, [*map(bytes.load, range(op.moved)), *[k.value(0, i8)] * (SIXTEEN - op.moved)])


@means(StoreSixteenOp, lambda op: {"bytes": op.memref, "value": op.value})
def store_sixteen(k: Loops, op: StoreSixteenOp, bytes: Array, value: SSAValue) -> None:
    for n in range(op.moved):
        bytes.store(part(k, value, n), n)
