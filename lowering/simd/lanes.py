"""What instructions on vectors mean: each lane by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects.builtin import i8, i32, i64
from xdsl.ir import SSAValue

from ...dialects.simd import lanes
from ...dialects.simd.lanes import LANES, SIXTEEN
from ...dialects.simd.moves import LoadLanesOp, LoadSixteenOp, MoveOfPart, StoreLanesOp, StoreSixteenOp
from ..builder import Loops, Value
from .meaning import Array, Elements, Operand, means

_Lane = Callable[[Loops, SSAValue, SSAValue], SSAValue]
_Vector = Callable[[Value], SSAValue]
_Given = Array | Elements


def _lanewise(k: Loops, lhs: _Given, rhs: _Given, *, lane: _Lane) -> _Vector:
    return lambda n: lane(k, lhs.load(n), rhs.load(n))


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
def lanes_of(k: Loops, value: SSAValue) -> _Vector:
    return lambda n: value


@means(lanes.SixteenOfOp, lambda op: {"byte": op.byte})
def sixteen_of(k: Loops, op: lanes.SixteenOfOp, byte: Value) -> _Vector:
    value = k.narrow(k.value(k.index_to_i32(byte), i32), i8)
    return lambda n: value


def _moved(op: MoveOfPart, **memory: Operand) -> dict[str, Operand]:
    """Memory, and how many elements it is of where these are fewer than a vector has: such moves have one meaning."""
    return {**memory, **({"count": op.count} if op.moved < op.MOST else {})}


def _loaded(k: Loops, count: Value | None, load: _Vector, zero: SSAValue) -> _Vector:
    """What is loaded, or zero behind so many elements."""

    def element(n: Value) -> SSAValue:
        inside = count is None or k.holds("slt", n, count)
        if isinstance(inside, bool):
            return load(n) if inside else zero
        (found,) = k.either(inside, lambda: [load(n)], [zero])
        found.name_hint = "element"
        return found

    return element


@means(LoadLanesOp, lambda op: _moved(op, elements=op.memref))
def load_lanes(k: Loops, op: LoadLanesOp, elements: Array, count: Value | None = None) -> _Vector:
    return _loaded(k, count, lambda n: elements.wide(n, signed=op.unsigned is None), k.value(0, i32))


@means(LoadSixteenOp, lambda op: _moved(op, bytes=op.memref))
def load_sixteen(k: Loops, op: LoadSixteenOp, bytes: Array, count: Value | None = None) -> _Vector:
    return _loaded(k, count, bytes.load, k.value(0, i8))


@means(StoreLanesOp, lambda op: _moved(op, elements=op.memref, value=op.value))
def store_lanes(k: Loops, op: StoreLanesOp, elements: Array, value: _Given, count: Value = LANES) -> None:
    with k.loop("i", 0, count) as n:
        elements.store(k.narrow(value.load(n), elements.element), n)


@means(StoreSixteenOp, lambda op: _moved(op, bytes=op.memref, value=op.value))
def store_sixteen(k: Loops, op: StoreSixteenOp, bytes: Array, value: _Given, count: Value = SIXTEEN) -> None:
    with k.loop("i", 0, count) as n:
        bytes.store(value.load(n), n)
