"""Copies of a region's operations on lanes: what depends on the place along them is a vector, the rest a scalar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx import RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp
from ....dialects.simd import lanes
from ....dialects.simd.lanes import LanesType
from ....dialects.simd.words import MultiplyAdd, MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp
from ...builder import Loops
from ..inline import Known, inline_known
from ..point import Point


def is_lanes(value: SSAValue) -> bool:
    """Whether a value is a vector."""
    return isinstance(value.type, LanesType)


def as_lanes(k: Loops, value: SSAValue | int) -> SSAValue:
    """A vector, or a scalar in every lane."""
    if isinstance(value, int):
        value = k.value(value, i32)
    if is_lanes(value):
        return value
    return k.emit(lanes.LanesOfOp(value if value.type == i32 else k.emit(arith.ExtSIOp(value, i32))))


def inline_lanes(region: Region, point: Point, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Emit what a region does with `arguments`, vectors and scalars, for its block's; returns what it yields."""
    known: Known = dict(zip(region.block.args, arguments, strict=True))

    def instead(op: Operation) -> bool:
        operands = [known.get(value, value) for value in op.operands]
        if not any(map(is_lanes, operands)):
            return False
        made = known[op.results[0]] = _in_lanes(point.k, op, operands)
        made.name_hint = made.name_hint or op.results[0].name_hint
        return True

    return inline_known(region, point, known, instead)


def _in_lanes(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    """What an operation computes, one of the kinds that `dialects.task.lanes` has."""
    match op:
        case arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp():
            # Lanes are as wide as they get; what is stored of them is narrow.
            return operands[0]
        case MultiplyHighAddOp():
            return _multiply_high_add(k, op, *operands)
        case SaturateOp() | SaturateUnsignedOp():
            least, most = op.limits
            raised = k.emit(lanes.LanesMaximumOp(operands[0], as_lanes(k, least)))
            return k.emit(lanes.LanesMinimumOp(raised, as_lanes(k, most)))
        case RescaleOp():
            return _rescale(k, op, *(as_lanes(k, operand) for operand in operands))
        case _:
            return k.emit(_LANEWISE[type(op)](*(as_lanes(k, operand) for operand in operands)))


def _multiply_high_add(k: Loops, op: MultiplyAdd, value: SSAValue, multiplier: SSAValue, added: SSAValue) -> SSAValue:
    """The doubling of what is multiplied is part of an instruction: it was proved not to leave 32 bits."""
    doubled, vectors = op.lhs.owner, value.owner
    kind: type[lanes.LanewiseOp] = lanes.LanesMultiplyHighOp
    if isinstance(doubled, arith.MuliOp) and _number(doubled.rhs) == 2 and isinstance(vectors, lanes.LanesMultiplyOp):
        if arith.IntegerOverflowFlag.NSW in doubled.overflow_flags.data:
            value, kind = vectors.lhs, lanes.LanesDoubledHighOp
    high = k.emit(kind(as_lanes(k, value), as_lanes(k, multiplier)), "high")
    return high if _number(added) == 0 else k.emit(lanes.LanesAddOp(high, as_lanes(k, added)))


def _rescale(k: Loops, op: RescaleOp, value: SSAValue, multiplier: SSAValue, shift: SSAValue) -> SSAValue:
    zero = as_lanes(k, 0)
    right = k.emit(lanes.LanesSubtractOp(zero, shift), "right")
    if op.right_only is None:
        value = k.emit(lanes.LanesShiftLeftOp(value, k.emit(lanes.LanesMaximumOp(shift, zero), "left")))
        right = k.emit(lanes.LanesMaximumOp(right, zero), "right")
    high = k.emit(lanes.LanesDoubledHighOp(value, multiplier), "high")
    return k.emit(lanes.LanesRoundingShiftRightOp(high, right))


def _number(value: SSAValue) -> int | None:
    """Return the number of a constant, or of one in every lane."""
    owner = value.owner
    return const_evaluate_operand(owner.operands[0] if isinstance(owner, lanes.LanesOfOp) else value)


_LANEWISE: Mapping[type[Operation], type[lanes.LanewiseOp]] = {
    arith.AddiOp: lanes.LanesAddOp,
    arith.SubiOp: lanes.LanesSubtractOp,
    arith.MuliOp: lanes.LanesMultiplyOp,
    arith.ShLIOp: lanes.LanesShiftLeftOp,
    arith.ShRSIOp: lanes.LanesShiftRightOp,
    arith.MaxSIOp: lanes.LanesMaximumOp,
    arith.MinSIOp: lanes.LanesMinimumOp,
    RoundingDoublingHighMulOp: lanes.LanesDoubledHighOp,
    RoundingShiftRightOp: lanes.LanesRoundingShiftRightOp,
}
"""What stands for an operation by itself."""
