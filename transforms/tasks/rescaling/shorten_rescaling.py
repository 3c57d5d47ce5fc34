"""The pass `shorten-rescaling`: ends of nests rescale in few operations, where ranges prove that exact.

They are for processors that multiply to a rounded high half and saturate in one instruction.
`fx.rescale` becomes a few operations (`records.py` says which), and the zero point part of
their numbers. Factors per channel then stand in one record for each channel, in the order of their use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx import RescaleRealOp, RescaleWideOp
from ....dialects.fx.ops import Rescaling
from ....dialects.simd.words import (
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    SaturateOp,
    SaturateUnsignedOp,
    ScaleNarrowAddOp,
    ScaleRealOp,
)
from ....dialects.task import NestOp
from ....lowering.builder import Loops, Value
from ....lowering.constants import Constants
from ....lowering.emit_c.index_bounds import Interval, everything
from ....lowering.tasks.function_block import function_block
from ..nests import nests_to_rewrite
from .bounds import NestBounds
from .channel_ranges import channel_ranges, settle
from .records import Record
from .result import Result, record_of_channel
from .tables import Tables, float_bits

_NARROW = Interval(-(2**20) + 1, 2**20 - 1)
"""Interval that `simd.scale_narrow_add` takes."""
_FLOAT_BITS = 30
"""Products of floats are far from what an i32 holds."""
_NARROW_BITS = 14
"""With a zero point they are less than 2**15."""


@dataclass(frozen=True)
class ShortenRescalingPass(ModulePass):
    """Rescale and saturate with operations of `simd`."""

    name: ClassVar[str] = "shorten-rescaling"

    low_products: bool = False
    """Whether small numbers are multiplied in parts, for processors that have no high half of a product."""
    floats: bool = False
    """Whether what is left of factors that are floats is computed in float32, for processors that have it."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = Constants(op)
        for nest, form in nests_to_rewrite(op):
            low_products = self.low_products and form.records
            shorten_rescaling(nest, constants, records=form.records, low_products=low_products, floats=self.floats)


def shorten_rescaling(
    nest: NestOp, constants: Constants, *, records: bool = True, low_products: bool = False, floats: bool = False
) -> NestOp:
    """Rescale and saturate with `simd` operations; returns the nest, another one if it reads records now.

    Without `records` the tables of factors per channel stay, and take no more flash, for two operations more. With
    `low_products` numbers that are small are multiplied in parts, for processors without a high half. With `floats` the
    processor has them: ONNX's rounding is in floats where the short form is not proved.
    """
    bounds, k = NestBounds(nest, constants), Loops.in_block(function_block(nest))
    endings = [_Ending.of(op) for op in nest.finish.block.ops if isinstance(op, Rescaling)]
    found = [(one, bounds.of(one.value)) for one in endings if one is not None]
    for ending, value in found:
        op = ending.op
        factor = ending.factor
        if factor is not None:
            if (one := ending.result.record(*factor, value)) is not None:
                ending.replace(k, one, is_narrow=low_products and not one.floor and value.within(_NARROW))
            elif floats:
                ending.in_floats(k, factor, value)
        elif (tables := Tables.of(nest, op, constants)) is not None:
            ranges = channel_ranges(nest, ending.value, tables, constants)
            made = ending.records(tables, value, ranges, constants, in_tables=not records)
            if made is None:
                if floats and ending.fit_floats(tables, value, ranges, constants):
                    is_narrow = ending.fit_floats(tables, value, ranges, constants, bits=_NARROW_BITS)
                    ending.in_floats(k, (tables.multiplier, 0), value, is_narrow=is_narrow)
                    nest = tables.install_floats(nest, constants)
                continue
            if ranges is not None:
                settle(nest, constants, made)
            if records:
                form = made[0][0]
                is_narrow = low_products and not form.floor and _are_narrow(made, value, ranges)
                ending.replace(k, form, tables.insert_record(), is_narrow=is_narrow)
                nest = tables.install(nest, constants, made)
            else:
                ending.replace_by_tables(k, made[0][0])
                tables.keep(nest, constants, made)
    _saturate(nest, k)
    return nest


def round_in_floats(nest: NestOp, constants: Constants) -> NestOp:
    """Round as ONNX does in floats at the end of a nest that stays as it is; returns the nest, or one that reads less.

    It takes fewer bytes and instructions than in integers, in loops in order, too. Other roundings stay.
    """
    found = [op for op in nest.finish.block.ops if isinstance(op, RescaleRealOp)]
    if not found:
        return nest
    bounds, k = NestBounds(nest, constants), Loops.in_block(function_block(nest))
    for op in found:
        ending = _Ending.of(op)
        assert ending is not None, "it rescales 32 bits"
        value = bounds.of(ending.value)
        if ending.factor is not None:
            ending.in_floats(k, ending.factor, value)
        elif (tables := Tables.of(nest, op, constants)) is not None:
            ranges = channel_ranges(nest, ending.value, tables, constants)
            if ending.fit_floats(tables, value, ranges, constants):
                is_narrow = ending.fit_floats(tables, value, ranges, constants, bits=_NARROW_BITS)
                ending.in_floats(k, (tables.multiplier, 0), value, is_narrow=is_narrow)
                nest = tables.install_floats(nest, constants)
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

    op: Rescaling
    value: SSAValue
    """The i32 that is rescaled."""
    last: Operation
    """Operation that adds the zero point, or the rescaling itself."""
    result: Result

    @staticmethod
    def of(op: Rescaling) -> _Ending | None:
        """Return the ending of an operation; None if it rescales 64 bits."""
        value = op.operands[0]
        if isinstance(op, RescaleWideOp):
            if not isinstance(value.owner, arith.ExtSIOp) or value.owner.input.type != i32:
                return None
            value = value.owner.input
        last, zero_point = op, 0
        match _only_user(op.result):
            case arith.AddiOp(rhs=constant) as add if (number := const_evaluate_operand(constant)) is not None:
                last, zero_point = add, number
            case arith.SubiOp(rhs=constant) as sub if (number := const_evaluate_operand(constant)) is not None:
                last, zero_point = sub, -number
            case _:
                pass
        limits, raised = everything(i32), _only_user(last.results[0])
        if isinstance(raised, arith.MaxSIOp) and (least := const_evaluate_operand(raised.rhs)) is not None:
            limits, lowered = Interval(least, limits.most), _only_user(raised.result)
            if (
                isinstance(lowered, arith.MinSIOp)
                and (most := const_evaluate_operand(lowered.rhs)) is not None
                and most >= least
            ):
                limits = Interval(least, most)
        return _Ending(op, value, last, Result(type(op), zero_point, limits))

    @property
    def factor(self) -> tuple[int, int] | None:
        """Multiplier and shift, if they are constants."""
        multiplier, shift = const_evaluate_operand(self.op.multiplier), const_evaluate_operand(self.op.shift)
        if multiplier is None or shift is None:
            return None
        return multiplier, 31 - shift if isinstance(self.op, RescaleWideOp) else shift

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
        made = [
            [
                record_of_channel(self.result, *own, bounds, is_own=ranges is not None, in_table=in_tables)
                for own, bounds in each
            ]
            for each in _with_ranges(tables, value, ranges, constants)
        ]
        found = [[one for one in each if one is not None] for each in made]
        forms = {one.form for each in found for one in each}
        if len(forms) != 1 or any(len(some) != len(each) for some, each in zip(found, made, strict=True)):
            return None
        return found

    def replace(
        self, k: Loops, one: Record, values: Sequence[SSAValue] | None = None, *, is_narrow: bool = False
    ) -> None:
        """Emit the short form in place of the rescaling and of what adds the zero point.

        Args:
            k: emits.
            one: a record.
            values: multiplier, nudge and shift of a record of the same form; those of `one` if it is None.
            is_narrow: whether the number is small, and the processor has no high half.
        """
        k.builder.insertion_point = InsertPoint.before(self.last)
        multiplier, nudge, right = values or (one.multiplier, one.nudge, one.right)
        if one.signed:
            nudge = k.add(k.shift_right(self.value, 31, "sign"), nudge, "nudge")
        high = self._high(k, one, multiplier, nudge, is_narrow=is_narrow)
        self._put(high if right == 0 else k.shift_right(high, right))

    def replace_by_tables(self, k: Loops, one: Record) -> None:
        """Replace it by two shifts, the first by what the table says: that leaves one bit to round by."""
        k.builder.insertion_point = InsertPoint.before(self.last)
        shift = self.op.shift
        if isinstance(shift.owner, arith.SubiOp):
            shift = shift.owner.rhs
        sign = k.shift_right(self.value, 31, "sign") if one.signed else 0
        high = self._high(k, one, self.op.multiplier, sign)
        halves = k.shift_right(high, shift, "halves")
        self._put(k.shift_right(k.value(k.add(halves, 1 + 2 * self.result.zero_point), i32), 1))

    def fit_floats(
        self,
        tables: Tables,
        value: Interval,
        ranges: list[list[Interval]] | None,
        constants: Constants,
        *,
        bits: int = _FLOAT_BITS,
    ) -> bool:
        """Whether ONNX's rounding has results of less than so many bits, with the factor of each channel."""
        if not isinstance(self.op, RescaleRealOp):
            return False
        pairs = _with_ranges(tables, value, ranges, constants)
        return all(_fits_float(*own, bounds, bits) for each in pairs for own, bounds in each)

    def in_floats(self, k: Loops, factor: tuple[Value, int], value: Interval, *, is_narrow: bool = False) -> None:
        """Emit ONNX's rounding in floats, unless its results do not fit; multipliers of values are floats' bits."""
        multiplier, shift = factor
        if isinstance(multiplier, int):
            if not isinstance(self.op, RescaleRealOp) or not _fits_float(multiplier, shift, value):
                return
            multiplier = float_bits(multiplier, shift)
        k.builder.insertion_point = InsertPoint.before(self.last)
        rounded = k.emit(ScaleRealOp(self.value, k.value(multiplier, i32), is_narrow=is_narrow), "rounded")
        self._put(k.value(k.add(rounded, self.result.zero_point), i32) if self.last is not self.op else rounded)

    def _high(self, k: Loops, one: Record, multiplier: Value, nudge: Value, *, is_narrow: bool = False) -> SSAValue:
        factors = [k.value(factor, i32) for factor in (multiplier, nudge)]
        if is_narrow:
            return k.emit(ScaleNarrowAddOp(self.value, *factors), "high")
        doubled = k.mul(self.value, 2, "doubled")
        return k.emit((MultiplyHighFloorAddOp if one.floor else MultiplyHighAddOp)(doubled, *factors), "high")

    def _put(self, result: SSAValue) -> None:
        self.last.results[0].replace_all_uses_with(result)
        _erase_unused(self.last)


def _erase_unused(op: Operation) -> None:
    """Erase arithmetic that nothing uses any more, and that for it."""
    if not isinstance(op, arith.AddiOp | arith.SubiOp | Rescaling | arith.ExtSIOp) or _is_used(op):
        return
    before = dict.fromkeys(operand.owner for operand in op.operands)
    Rewriter.erase_op(op)
    for owner in before:
        if isinstance(owner, Operation):
            _erase_unused(owner)


def _with_ranges(
    tables: Tables, value: Interval, ranges: list[list[Interval]] | None, constants: Constants
) -> list[list[tuple[tuple[int, int], Interval]]]:
    """The factor and the range of every channel, for each place where the tables come from."""
    factors = list(tables.numbers(constants))
    values = ranges or [[value] * len(each) for each in factors]
    return [list(zip(*both, strict=True)) for both in zip(factors, values, strict=True)]


def _fits_float(multiplier: int, shift: int, value: Interval, bits: int = _FLOAT_BITS) -> bool:
    """Whether products have less than so many bits, and the factor is a float32 of full precision."""
    most = max(abs(bound) for bound in value)
    return multiplier == 0 or (shift > -100 and most * multiplier < 1 << (31 + bits - shift))


def _saturate(nest: NestOp, k: Loops) -> None:
    """Limits that are those of a number of bits."""
    for op in list(nest.finish.block.ops):
        if not isinstance(op, arith.MinSIOp) or not isinstance(raised := op.lhs.owner, arith.MaxSIOp):
            continue
        least, most = const_evaluate_operand(raised.rhs), const_evaluate_operand(op.rhs)
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


def _only_user(value: SSAValue) -> Operation | None:
    return next(iter(value.uses)).operation if value.has_one_use() else None


def _is_used(op: Operation) -> bool:
    return any(result.first_use is not None for result in op.results)
