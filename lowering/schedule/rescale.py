"""Rescaling at the end of nests, for processors that multiply to a rounded high half and saturate in one instruction.

Where ranges prove it exact, `fx.rescale` becomes a few operations (`records.py` says which), and the zero point part of
their numbers. Factors per channel then stand in one record for each channel, in the order of their use.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.fx import RescaleOp
from ...dialects.simd import MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp, ScaleNarrowAddOp
from ...dialects.task import NestOp
from ..builder import Loops, Value
from ..emit_c.index_bounds import Interval, everything
from ..tasks.dual.constants import Constants
from ..tasks.function_block import function_block
from .bounds import NestBounds
from .channel_ranges import channel_ranges, settle
from .records import Record, record, settled, settled_in_table
from .tables import Tables

_NARROW = Interval(-(2**20) + 1, 2**20 - 1)
"""What `simd.scale_narrow_add` takes."""


def shorten_rescaling(
    nest: NestOp, constants: Constants, *, records: bool = True, low_products: bool = False
) -> NestOp:
    """Rescale and saturate with `simd` operations; returns the nest, another one if it reads records now.

    Without `records` the tables of factors per channel stay, and take no more flash, for two operations more. With
    `low_products` numbers that are small are multiplied in parts, for processors without a high half.
    """
    bounds, k = NestBounds(nest, constants), Loops.in_block(function_block(nest))
    found = [(op, bounds.of(op.value)) for op in nest.finish.block.ops if isinstance(op, RescaleOp)]
    for op, value in found:
        ending = _Ending.of(op)
        multiplier, shift = _number(op.multiplier), _number(op.shift)
        if multiplier is not None and shift is not None:
            if (one := ending.record(multiplier, shift, value)) is not None:
                is_narrow = low_products and value.within(_NARROW)
                ending.replace(k, one.multiplier, one.nudge, one.right, signed=one.signed, is_narrow=is_narrow)
        elif (tables := Tables.of(nest, op, constants)) is not None:
            ranges = channel_ranges(nest, op, tables, constants)
            found = ending.records(tables, value, ranges, constants, in_tables=not records)
            if found is None:
                continue
            if ranges is not None:
                settle(nest, constants, found)
            if records:
                is_narrow = low_products and _are_narrow(found, value, ranges)
                ending.replace(k, *tables.insert_record(), signed=found[0][0].signed, is_narrow=is_narrow)
                nest = tables.install(nest, constants, found)
            else:
                ending.replace_by_tables(k, signed=found[0][0].signed)
                tables.keep(nest, constants, found)
    _saturate(nest, k)
    return nest


def _are_narrow(records: list[list[Record]], value: Interval, ranges: list[list[Interval]] | None) -> bool:
    """Whether no channel rescales what is too large for it; factors of zero take everything."""
    if ranges is None:
        return value.within(_NARROW)
    pairs = (zip(*each, strict=True) for each in zip(records, ranges, strict=True))
    return all(not record.multiplier or bounds.within(_NARROW) for each in pairs for record, bounds in each)


@dataclass(frozen=True)
class _Ending:
    """A rescaling and what follows it."""

    op: RescaleOp
    last: Operation
    """What adds the zero point, or the rescaling itself."""
    zero_point: int
    limits: Interval
    """Bounds that the result is brought into."""

    @staticmethod
    def of(op: RescaleOp) -> _Ending:
        last, zero_point = op, 0
        match _only_user(op.result):
            case arith.AddiOp(rhs=constant) as add if (number := _number(constant)) is not None:
                last, zero_point = add, number
            case arith.SubiOp(rhs=constant) as sub if (number := _number(constant)) is not None:
                last, zero_point = sub, -number
            case _:
                pass
        limits, raised = everything(i32), _only_user(last.results[0])
        if isinstance(raised, arith.MaxSIOp) and (least := _number(raised.rhs)) is not None:
            limits, lowered = Interval(least, limits.most), _only_user(raised.result)
            if isinstance(lowered, arith.MinSIOp) and (most := _number(lowered.rhs)) is not None and most >= least:
                limits = Interval(least, most)
        return _Ending(op, last, zero_point, limits)

    @property
    def limited(self) -> bool:
        """Whether what is below the zero point is raised to it, or higher."""
        return self.limits.least >= self.zero_point

    def record(self, multiplier: int, shift: int, value: Interval) -> Record | None:
        """The numbers of the short form for a factor."""
        return record(multiplier, shift, value, zero_point=self.zero_point, limited=self.limited)

    def records(
        self,
        tables: Tables,
        value: Interval,
        ranges: list[list[Interval]] | None,
        constants: Constants,
        *,
        in_tables: bool,
    ) -> list[list[Record]] | None:
        """The numbers of every channel, for each place where the tables come from; None if they need several forms.

        Args:
            tables: the factors.
            value: what is rescaled in any channel.
            ranges: what is rescaled in each channel, if that is known.
            constants: of the module.
            in_tables: whether tables of multipliers and shifts must say the same.
        """
        factors = list(tables.numbers(constants))
        values = ranges or [[value] * len(each) for each in factors]
        made = [
            [self._channel(*own, bounds, is_own=ranges is not None, in_table=in_tables) for own, bounds in pairs]
            for pairs in (zip(*each, strict=True) for each in zip(factors, values, strict=True))
        ]
        found = [[one for one in each if one is not None] for each in made]
        signs = {one.signed for each in found for one in each}
        if len(signs) != 1 or any(len(some) != len(each) for some, each in zip(found, made, strict=True)):
            return None
        return found

    def _channel(self, multiplier: int, shift: int, bounds: Interval, *, is_own: bool, in_table: bool) -> Record | None:
        """The numbers of a channel; where its bounds are its own, one with a single result needs no sum."""
        single = partial(settled, multiplier, shift, bounds, zero_point=self.zero_point, limited=self.limited)
        kept = (single() if is_own else None) or self.record(multiplier, shift, bounds)
        kept = kept or (single(limits=self.limits) if is_own else None)
        if kept is None or not in_table or (kept.multiplier and kept.right > 0):
            return kept
        if kept.multiplier:
            return None
        is_zero_point = kept.nudge == 1 + 2 * self.zero_point
        return kept if is_zero_point else settled_in_table(kept, bounds, zero_point=self.zero_point)

    def replace(
        self, k: Loops, multiplier: Value, nudge: Value, right: Value, *, signed: bool, is_narrow: bool = False
    ) -> None:
        """Emit the short form in place of the rescaling and of what adds the zero point."""
        k.builder.insertion_point = InsertPoint.before(self.last)
        if signed:
            nudge = k.add(k.shift_right(self.op.value, 31, "sign"), nudge, "nudge")
        high = self._high(k, multiplier, nudge, is_narrow=is_narrow)
        self._put(high if right == 0 else k.shift_right(high, right))

    def replace_by_tables(self, k: Loops, *, signed: bool) -> None:
        """The same in two shifts, the first by what the table says: that leaves one bit to round by."""
        k.builder.insertion_point = InsertPoint.before(self.last)
        high = self._high(k, self.op.multiplier, k.shift_right(self.op.value, 31, "sign") if signed else 0)
        halves = k.shift_right(high, self.op.shift, "halves")
        self._put(k.shift_right(k.value(k.add(halves, 1 + 2 * self.zero_point), i32), 1))

    def _high(self, k: Loops, multiplier: Value, nudge: Value, *, is_narrow: bool = False) -> SSAValue:
        if is_narrow:
            factors = (k.value(factor, self.op.multiplier.type) for factor in (multiplier, nudge))
            return k.emit(ScaleNarrowAddOp(self.op.value, *factors), "high")
        doubled = k.mul(self.op.value, 2, "doubled")
        factors = (k.value(factor, self.op.multiplier.type) for factor in (multiplier, nudge))
        return k.emit(MultiplyHighAddOp(doubled, *factors), "high")

    def _put(self, result: SSAValue) -> None:
        op, last = self.op, self.last
        extension = op.shift.owner
        last.results[0].replace_all_uses_with(result)
        for dead in dict.fromkeys((last, op, extension)):
            if isinstance(dead, arith.AddiOp | arith.SubiOp | RescaleOp | arith.ExtSIOp) and not _is_used(dead):
                Rewriter.erase_op(dead)


def _saturate(nest: NestOp, k: Loops) -> None:
    """Limits that are those of a number of bits."""
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.MinSIOp) or not isinstance(raised := op.lhs.owner, arith.MaxSIOp):
            continue
        least, most = _number(raised.rhs), _number(op.rhs)
        if (
            most is None
            or most <= 0
            or least not in (0, -most - 1)
            or most & (most + 1)
            or not raised.result.has_one_use()
        ):
            continue
        k.builder.insertion_point = InsertPoint.before(op)
        bits = most.bit_length()
        found = SaturateOp(raised.lhs, bits + 1) if least else SaturateUnsignedOp(raised.lhs, bits)
        op.result.replace_all_uses_with(k.emit(found))
        Rewriter.erase_op(op)
        Rewriter.erase_op(raised)


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _only_user(value: SSAValue) -> Operation | None:
    return next(iter(value.uses)).operation if value.has_one_use() else None


def _is_used(op: Operation) -> bool:
    return any(result.first_use is not None for result in op.results)
