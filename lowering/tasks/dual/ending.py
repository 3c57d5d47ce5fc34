"""Ends of nests that rescale to bytes in the short form (`schedule.records`), as `simd.scale_bytes` computes it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, NoneAttr, i8
from xdsl.ir import Block, SSAValue

from ....dialects.simd import MultiplyHighAddOp, Saturate, SaturateUnsignedOp
from ....dialects.simd.taps import RECORD
from ....dialects.task import NestOp, YieldOp
from .doubled import number_of
from .stream import Stream

_BITS = 8
_SIGN = 31


@dataclass(frozen=True)
class ByteEnding:
    """The bytes of all channels are written side by side."""

    signed: bool
    """Whether the sign of the sum is added before the shift."""
    unsigned: bool
    """Whether the bytes have none."""

    @staticmethod
    def of(nest: NestOp, stream: Stream, *, doubles: bool = False) -> ByteEnding | None:
        """That of a nest whose sums are `doubled`, or with `doubles` are not yet; None if it ends otherwise."""
        writes = nest.accesses("writes")
        if len(writes) != 1 or stream.places != (0, 1, 2) or stream.record != RECORD:
            return None
        (access,) = writes
        type, forms = access.buffer.type, [nest.form(index) for index in access.indices]
        assert isinstance(type, MemRefType), "results are memrefs"
        *outer, last = forms or [None]
        is_row = last is not None and last.coefficient(stream.channel) == 1
        if type.element_type != i8 or not isinstance(type.layout, NoneAttr) or not is_row:
            return None
        if any(form is not None and form.coefficient(stream.channel) for form in outer):
            return None
        return _ending(nest.finish.block, doubles)


def _ending(block: Block, doubles: bool) -> ByteEnding | None:
    multiplier, nudge, right, total = block.args
    match block.last_op:
        case YieldOp(values=(SSAValue(owner=arith.TruncIOp(input=SSAValue(owner=Saturate() as saturated))),)):
            pass
        case _:
            return None
    shifted, unsigned = saturated.value.owner, isinstance(saturated, SaturateUnsignedOp)
    if saturated.bits.value.data != _BITS or not isinstance(shifted, arith.ShRSIOp) or shifted.rhs is not right:
        return None
    high = shifted.lhs.owner
    if not isinstance(high, MultiplyHighAddOp) or high.rhs is not multiplier:
        return None
    match high.lhs.owner:
        case arith.MuliOp(lhs=value, rhs=factor) if doubles and value is total and number_of(factor) == 2:
            pass
        case _ if doubles or high.lhs is not total:
            return None
        case _:
            pass
    if high.acc is nudge:
        return ByteEnding(signed=False, unsigned=unsigned)
    match high.acc.owner:
        case arith.AddiOp(lhs=SSAValue(owner=arith.ShRSIOp(lhs=value, rhs=by)), rhs=added):
            is_sign = value is total and added is nudge and number_of(by) == _SIGN
            return ByteEnding(signed=True, unsigned=unsigned) if is_sign else None
        case _:
            return None
