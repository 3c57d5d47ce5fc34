"""Ends of nests that rescale to bytes in the short form (`rescaling.records`), as `simd.scale_bytes` computes it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects.simd.rescaling import Rescaling
from ...dialects.simd.words import (
    MultiplyAdd,
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    Saturate,
    SaturateUnsignedOp,
    ScaleRealOp,
    ShiftSaturateOp,
)
from ...dialects.task import YieldOp

_BITS = 8
_SIGN = 31
_MOST_LIFTED = 255


@dataclass(frozen=True)
class Shortened:
    """The operations of such an end."""

    rescaling: Rescaling
    saturated: Saturate | ShiftSaturateOp
    high: MultiplyAdd
    doubled: arith.MuliOp | None
    """Operation that doubles the sum before, if there is one."""

    @staticmethod
    def of(block: Block) -> Shortened | None:
        """Return the ending of a nest whose last region reads a record and a sum; None if it computes anything else."""
        saturated = _saturated(block)
        if saturated is None or len(block.args) not in (3, 4):
            return None
        multiplier, nudge, *right, total = block.args
        match saturated, saturated.value.owner:
            case ShiftSaturateOp(), high:
                shift = saturated.right.value.data
            case _, arith.ShRSIOp(lhs=SSAValue(owner=high), rhs=by):
                shift = None if [by] == right else const_evaluate_operand(by) or 0
            case _:
                return None
        if shift == 0 or bool(right) != (shift is None):
            return None
        if not isinstance(high, MultiplyHighAddOp | MultiplyHighFloorAddOp) or high.rhs is not multiplier:
            return None
        match high.lhs.owner:
            case arith.MuliOp(lhs=value, rhs=factor) as op if value is total and const_evaluate_operand(factor) == 2:
                doubled = op
            case _ if high.lhs is total:
                doubled = None
            case _:
                return None
        match high.acc.owner:
            case _ if high.acc is nudge:
                signed = False
            case arith.AddiOp(lhs=SSAValue(owner=arith.ShRSIOp(lhs=value, rhs=by)), rhs=added) if (
                added is nudge and value is total and const_evaluate_operand(by) == _SIGN
            ):
                signed = True
            case _:
                return None
        floor, unsigned = type(high) is MultiplyHighFloorAddOp, isinstance(saturated, SaturateUnsignedOp)
        if floor and signed:
            return None
        return Shortened(Rescaling(signed, unsigned, shift, floor), saturated, high, doubled)


def rescaling_of(block: Block, *, doubles: bool) -> Rescaling | None:
    """Return how a last region turns sums into bytes; None if it ends otherwise.

    Args:
        block: of the region, whose sums are `doubled`, or with `doubles` are not yet.
        doubles: whether the operation doubles sums.
    """
    if (real := _real(block)) is not None:
        return real
    found = Shortened.of(block)
    if found is None or (found.doubled is not None) != doubles:
        return None
    return None if found.rescaling.floor and found.rescaling.shift is None else found.rescaling


def _saturated(block: Block) -> Saturate | ShiftSaturateOp | None:
    """Return what saturates to the only byte of a last region."""
    match block.last_op:
        case YieldOp(
            values=(SSAValue(owner=arith.TruncIOp(input=SSAValue(owner=Saturate() | ShiftSaturateOp() as op))),)
        ):
            return op if op.bits.value.data == _BITS else None
        case _:
            return None


def _real(block: Block) -> Rescaling | None:
    """Ending of a last region which multiplies floats, and adds a zero point; None if it computes anything else."""
    saturated, zero_point = _saturated(block), 0
    scaled = saturated.value.owner if isinstance(saturated, Saturate) else None
    if isinstance(scaled, arith.AddiOp | arith.SubiOp) and (number := const_evaluate_operand(scaled.rhs)) is not None:
        zero_point = -number if isinstance(scaled, arith.SubiOp) else number
        scaled = scaled.lhs.owner
    if not isinstance(scaled, ScaleRealOp) or scaled.narrow is None:
        return None
    found = Rescaling(False, isinstance(saturated, SaturateUnsignedOp), zero_point=zero_point)
    is_all = [scaled.factor, scaled.value] == list(block.args) and 0 <= found.lift <= _MOST_LIFTED
    return found if is_all else None


def doublings(total: SSAValue) -> list[arith.MuliOp]:
    """Return what doubles a value, the sum at the end of a nest, say; none if anything else but its sign is used of it.

    The short form of a rescaling starts from twice the sum: sums of doubled weights that start from doubled biases are
    that already, in the same 32 bits even where sums wrap. A sum that may be doubled has the sign of its double.
    """
    found: list[arith.MuliOp] = []
    for use in total.uses:
        match use.operation:
            case arith.MuliOp(rhs=factor) as op if const_evaluate_operand(factor) == 2:
                found.append(op)
            case arith.ShRSIOp(rhs=distance) if use.index == 0 and const_evaluate_operand(distance) == _SIGN:
                pass
            case _:
                return []
    return found


def remove(found: list[arith.MuliOp]) -> None:
    """Let the sum be its double."""
    for op in found:
        op.result.replace_all_uses_with(op.lhs)
        Rewriter.erase_op(op)
