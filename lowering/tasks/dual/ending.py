"""Ends of nests that rescale to bytes in the short form (`rescaling.records`), as `simd.scale_bytes` computes it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8
from xdsl.ir import Block, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.simd import (
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    Rescaling,
    Saturate,
    SaturateUnsignedOp,
    ScaleRealOp,
    ShiftSaturateOp,
)
from ....dialects.task import NestOp, YieldOp
from ..reading import is_dense
from .stream import Stream

_BITS = 8
_SIGN = 31
_MOST_LIFTED = 255


@dataclass(frozen=True)
class Shortened:
    """The operations of such an end."""

    rescaling: Rescaling
    saturated: Operation
    high: MultiplyHighAddOp | MultiplyHighFloorAddOp
    doubled: arith.MuliOp | None
    """Operation that doubles the sum before, if there is one."""

    @staticmethod
    def of(block: Block) -> Shortened | None:
        """Return the ending of a nest whose last region reads a record and a sum; None if it computes anything else."""
        match block.last_op:
            case YieldOp(values=(SSAValue(owner=arith.TruncIOp(input=SSAValue(owner=Operation() as saturated))),)):
                pass
            case _:
                return None
        multiplier, nudge, *right, total = block.args if len(block.args) in (3, 4) else (None,) * 3
        shift, shifted = None, None
        if isinstance(saturated, ShiftSaturateOp) and not right and saturated.bits.value.data == _BITS:
            shift, shifted = saturated.right.value.data, saturated.value
        elif isinstance(saturated, Saturate) and saturated.bits.value.data == _BITS:
            match saturated.value.owner:
                case arith.ShRSIOp(lhs=shifted, rhs=by) if [by] == right:
                    pass
                case arith.ShRSIOp(lhs=shifted, rhs=by) if not right and (shift := const_evaluate_operand(by)):
                    pass
                case _:
                    return None
        high = None if shifted is None else shifted.owner
        if not isinstance(high, MultiplyHighAddOp | MultiplyHighFloorAddOp) or high.rhs is not multiplier:
            return None
        doubled: arith.MuliOp | None = None
        match high.lhs.owner:
            case arith.MuliOp(lhs=value, rhs=factor) as op if value is total and const_evaluate_operand(factor) == 2:
                doubled = op
            case _ if high.lhs is not total:
                return None
            case _:
                pass
        signed = False
        if high.acc is not nudge:
            match high.acc.owner:
                case arith.AddiOp(lhs=SSAValue(owner=arith.ShRSIOp(lhs=value, rhs=by)), rhs=added):
                    signed = value is total and added is nudge and const_evaluate_operand(by) == _SIGN
                case _:
                    pass
            if not signed:
                return None
        floor, unsigned = isinstance(high, MultiplyHighFloorAddOp), isinstance(saturated, SaturateUnsignedOp)
        if floor and signed:
            return None
        return Shortened(Rescaling(signed, unsigned, shift, floor), saturated, high, doubled)


def ending(nest: NestOp, stream: Stream, *, doubles: bool = False) -> Rescaling | None:
    """Return the ending of a nest that turns sums into bytes of all channels side by side.

    Args:
        nest: whose sums are `doubled`, or with `doubles` are not yet.
        stream: its constants.
        doubles: whether the operation doubles sums.

    Returns:
        None if the nest ends otherwise.
    """
    writes = nest.accesses("writes")
    if len(writes) != 1:
        return None
    rescaling = _real(nest.finish.block)
    if rescaling is None:
        found = Shortened.of(nest.finish.block)
        if found is None or (found.doubled is not None) != doubles:
            return None
        if found.rescaling.floor and found.rescaling.record > 2:
            return None
        rescaling = found.rescaling
    if stream.places != tuple(range(rescaling.apart)) or stream.record != rescaling.apart:
        return None
    *outer, last = nest.steps_along(writes[0], stream.channel) or [0]
    return rescaling if is_dense(writes[0], i8) and last == 1 and not any(outer) else None


def _real(block: Block) -> Rescaling | None:
    """Ending of a last region which multiplies floats, and adds a zero point; None if it computes anything else."""
    match block.last_op:
        case YieldOp(values=(SSAValue(owner=arith.TruncIOp(input=SSAValue(owner=Saturate() as saturated))),)):
            scaled, zero_point = saturated.value.owner, 0
        case _:
            return None
    if isinstance(scaled, arith.AddiOp | arith.SubiOp) and (number := const_evaluate_operand(scaled.rhs)) is not None:
        zero_point = -number if isinstance(scaled, arith.SubiOp) else number
        scaled = scaled.lhs.owner
    if not isinstance(scaled, ScaleRealOp) or scaled.narrow is None or saturated.bits.value.data != _BITS:
        return None
    found = Rescaling(False, isinstance(saturated, SaturateUnsignedOp), zero_point=zero_point)
    is_all = [scaled.factor, scaled.value] == list(block.args) and 0 <= found.lift <= _MOST_LIFTED
    return found if is_all else None
