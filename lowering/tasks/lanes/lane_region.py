"""Copies of a region's operations on lanes: what depends on the place along them is a vector, the rest a scalar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx import RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp
from ....dialects.simd import (
    LanesAddOp,
    LanesDoubledHighOp,
    LanesMaximumOp,
    LanesMinimumOp,
    LanesMultiplyHighOp,
    LanesMultiplyOp,
    LanesOfOp,
    LanesRoundingShiftRightOp,
    LanesShiftLeftOp,
    LanesShiftRightOp,
    LanesSubtractOp,
    LanesType,
    MultiplyHighAddOp,
    Saturate,
    SaturateOp,
    SaturateUnsignedOp,
)
from ....dialects.simd.lanes import LanewiseOp
from ....dialects.task import IndexOp, TapsOp, YieldOp
from ...builder import Loops
from ..inline import place
from ..point import Point

_Handler: TypeAlias = Callable[[Loops, Operation, Sequence[SSAValue]], SSAValue]


def is_lanes(value: SSAValue) -> bool:
    """Whether a value is a vector."""
    return isinstance(value.type, LanesType)


def as_lanes(k: Loops, value: SSAValue | int) -> SSAValue:
    """A vector, or a scalar in every lane."""
    if isinstance(value, int):
        value = k.value(value, i32)
    if is_lanes(value):
        return value
    return k.emit(LanesOfOp(value if value.type == i32 else k.emit(arith.ExtSIOp(value, i32))))


def inline_lanes(region: Region, k: Loops, point: Point, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Emit what a region does with `arguments`, vectors and scalars, for its block's; returns what it yields."""
    known: dict[SSAValue, SSAValue] = dict(zip(region.block.args, arguments, strict=True))
    wide = partial(as_lanes, k)
    for op in region.block.ops:
        if isinstance(op, YieldOp):
            return [known.get(value, value) for value in op.values]
        if isinstance(op, IndexOp | TapsOp):
            known[op.result] = place(op, k, point)
            continue
        operands = [known.get(value, value) for value in op.operands]
        if any(map(is_lanes, operands)):
            kind = _LANEWISE.get(type(op))
            made = k.emit(kind(*map(wide, operands))) if kind else _HANDLERS[type(op)](k, op, operands)
            made.name_hint = made.name_hint or op.results[0].name_hint
            known[op.results[0]] = made
        else:
            k.builder.insert(op.clone(value_mapper=known))
    raise AssertionError("verified: regions of nests end with a yield")


def _same(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    """Lanes are as wide as they get; what is stored of them is narrow."""
    return operands[0]


def _multiply_high_add(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    """The doubling of what is multiplied is part of an instruction: it was proved not to leave 32 bits."""
    assert isinstance(op, MultiplyHighAddOp), "what it handles"
    value, multiplier, added = operands
    doubled, vectors = op.lhs.owner, value.owner
    kind: type[LanewiseOp] = LanesMultiplyHighOp
    if isinstance(doubled, arith.MuliOp) and _number(doubled.rhs) == 2 and isinstance(vectors, LanesMultiplyOp):
        if arith.IntegerOverflowFlag.NSW in doubled.overflow_flags.data:
            value, kind = vectors.lhs, LanesDoubledHighOp
    high = k.emit(kind(as_lanes(k, value), as_lanes(k, multiplier)), "high")
    return high if _number(added) == 0 else k.emit(LanesAddOp(high, as_lanes(k, added)))


def _saturate(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    assert isinstance(op, Saturate), "what it handles"
    least, most = op.limits
    raised = k.emit(LanesMaximumOp(operands[0], as_lanes(k, least)))
    return k.emit(LanesMinimumOp(raised, as_lanes(k, most)))


def _rescale(k: Loops, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
    assert isinstance(op, RescaleOp), "what it handles"
    value, multiplier, shift = (as_lanes(k, operand) for operand in operands)
    zero = as_lanes(k, 0)
    right = k.emit(LanesSubtractOp(zero, shift), "right")
    if op.right_only is None:
        value = k.emit(LanesShiftLeftOp(value, k.emit(LanesMaximumOp(shift, zero), "left")))
        right = k.emit(LanesMaximumOp(right, zero), "right")
    high = k.emit(LanesDoubledHighOp(value, multiplier), "high")
    return k.emit(LanesRoundingShiftRightOp(high, right))


def _number(value: SSAValue) -> int | None:
    """Return the number of a constant, or of one in every lane."""
    owner = value.owner
    return const_evaluate_operand(owner.value if isinstance(owner, LanesOfOp) else value)


_LANEWISE: Mapping[type[Operation], type[LanewiseOp]] = {
    arith.AddiOp: LanesAddOp,
    arith.SubiOp: LanesSubtractOp,
    arith.MuliOp: LanesMultiplyOp,
    arith.ShLIOp: LanesShiftLeftOp,
    arith.ShRSIOp: LanesShiftRightOp,
    arith.MaxSIOp: LanesMaximumOp,
    arith.MinSIOp: LanesMinimumOp,
    RoundingDoublingHighMulOp: LanesDoubledHighOp,
    RoundingShiftRightOp: LanesRoundingShiftRightOp,
}
"""What stands for an operation by itself. With `_HANDLERS` these are the kinds that `dialects.task.lanes` has."""

_HANDLERS: Mapping[type[Operation], _Handler] = {
    arith.ExtSIOp: _same,
    arith.ExtUIOp: _same,
    arith.TruncIOp: _same,
    MultiplyHighAddOp: _multiply_high_add,
    SaturateOp: _saturate,
    SaturateUnsignedOp: _saturate,
    RescaleOp: _rescale,
}
"""What stands for other operations."""
