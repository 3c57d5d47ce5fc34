"""Ends of nests that rescale, and what takes their place: records, tables, floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects.fx import RescaleRealOp, RescaleWideOp
from ....dialects.fx.ops import Rescaling
from ....dialects.simd.words import MultiplyHighAddOp, MultiplyHighFloorAddOp, ScaleNarrowAddOp, ScaleRealOp
from ....dialects.task import NestOp
from ....lowering.builder import Loops, Value
from ....lowering.constants import Constants
from ....lowering.emit_c.index_bounds import Interval, everything
from .records import Record
from .result import Result, record_of_channel
from .tables import Tables, float_bits

_FLOAT_BITS = 30
"""Products of floats are far from what an i32 holds."""
_NARROW_BITS = 14
"""With a zero point they are less than 2**15."""


@dataclass(frozen=True)
class Ending:
    """A rescaling and what follows it."""

    op: Rescaling
    value: SSAValue
    """The i32 that is rescaled."""
    last: Operation
    """Operation that adds the zero point, or the rescaling itself."""
    result: Result

    @staticmethod
    def of(op: Rescaling) -> Ending | None:
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
        return Ending(op, value, last, Result(type(op), zero_point, limits))

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

    def channels_in_floats(
        self,
        k: Loops,
        nest: NestOp,
        tables: Tables,
        value: Interval,
        ranges: list[list[Interval]] | None,
        constants: Constants,
    ) -> NestOp:
        """Emit ONNX's rounding in floats, unless results of some channel do not fit; the nest, which then reads less.

        Args:
            k: emits.
            nest: the nest.
            tables: the factors.
            value: what is rescaled in any channel.
            ranges: what is rescaled in each channel, if that is known.
            constants: of the module.
        """
        pairs = [pair for each in _with_ranges(tables, value, ranges, constants) for pair in each]
        if not isinstance(self.op, RescaleRealOp) or not all(_fits_float(*own, bounds) for own, bounds in pairs):
            return nest
        is_narrow = all(_fits_float(*own, bounds, _NARROW_BITS) for own, bounds in pairs)
        self.in_floats(k, (tables.multiplier, 0), value, is_narrow=is_narrow)
        return tables.install_floats(nest, constants)

    def in_floats(self, k: Loops, factor: tuple[Value, int], value: Interval, *, is_narrow: bool = False) -> None:
        """Emit ONNX's rounding in floats, unless its results do not fit; multipliers of values are floats' bits."""
        multiplier, shift = factor
        if isinstance(multiplier, int):
            if not isinstance(self.op, RescaleRealOp) or not _fits_float(multiplier, shift, value):
                return
            multiplier = float_bits(multiplier, shift)
        k.builder.insertion_point = InsertPoint.before(self.last)
        rounded = k.emit(ScaleRealOp(self.value, k.value(multiplier, i32), narrow=is_narrow), "rounded")
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


def _only_user(value: SSAValue) -> Operation | None:
    return next(iter(value.uses)).operation if value.has_one_use() else None


def _is_used(op: Operation) -> bool:
    return any(result.first_use is not None for result in op.results)
