"""Scalar arithmetic at a moving insertion point.

Operands are SSA values or Python numbers; what is known at compile time is computed in Python and never emitted, so
that kernels can be written for the general case and still come out minimal.
"""

from __future__ import annotations

from typing import Self, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, f32, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

Value: TypeAlias = int | SSAValue
"""An integer or index known at compile time, or computed at run time."""

_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])
_WRAPPING = arith.IntegerOverflowAttr("none")


class Scalars:
    """Emits scalar operations; constants stand once, at the start of the function's block."""

    def __init__(self, block: Block):
        self.block = block
        self.builder = Builder(InsertPoint.at_end(block))
        self._constants: dict[Attribute, SSAValue] = {}
        self._last_constant: Operation | None = None

    @classmethod
    def in_block(cls, block: Block) -> Self:
        """Emits into a function that exists: the constants at the start of its block are used again."""
        made = cls(block)
        for op in block.ops:
            if not isinstance(op, arith.ConstantOp):
                break
            made._constants[op.value] = op.result
            made._last_constant = op
        return made

    def emit(self, op: Operation, hint: str | None = None) -> SSAValue:
        """Insert `op` and return its only result, named `hint`."""
        self.builder.insert(op)
        result = op.results[0]
        if hint is not None:
            result.name_hint = hint
        return result

    def value(self, value: Value, type: Attribute) -> SSAValue:
        """`value` as an SSA value; a Python int becomes a constant of the given type."""
        if isinstance(value, SSAValue):
            return value
        assert isinstance(type, IntegerType | IndexType), "integer constants have integer or index type"
        hint = f"c{value}" if isinstance(type, IndexType) else f"c{value}_{type}"
        return self._constant(IntegerAttr(value, type), hint)

    def index(self, value: Value) -> SSAValue:
        """`value` as an SSA value of index type."""
        return self.value(value, IndexType())

    def floating(self, value: float | SSAValue, type: AnyFloat = f32) -> SSAValue:
        """`value` as an SSA value of a float type."""
        return value if isinstance(value, SSAValue) else self._constant(FloatAttr(value, type), "cst")

    def _constant(self, attribute: IntegerAttr | FloatAttr, hint: str) -> SSAValue:
        known = self._constants.get(attribute)
        if known is None:
            op = arith.ConstantOp(attribute)
            op.result.name_hint = hint
            if self._last_constant is not None:
                self.block.insert_ops_after([op], self._last_constant)
            elif self.block.first_op is not None:
                self.block.insert_ops_before([op], self.block.first_op)
            else:
                self.block.add_op(op)
            self._last_constant = op
            known = self._constants[attribute] = op.result
        return known

    # Integers and indices: signed, and not overflowing unless `wraps`.

    def _operands(self, lhs: Value, rhs: Value) -> tuple[SSAValue, SSAValue]:
        type = lhs.type if isinstance(lhs, SSAValue) else rhs.type if isinstance(rhs, SSAValue) else IndexType()
        return self.value(lhs, type), self.value(rhs, type)

    def _flags(self, value: SSAValue, wraps: bool) -> arith.IntegerOverflowAttr:
        return _WRAPPING if wraps or isinstance(value.type, IndexType) else _NSW

    def add(self, lhs: Value, rhs: Value, hint: str | None = None, *, wraps: bool = False) -> Value:
        """`lhs + rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs + rhs
        if isinstance(rhs, int) and rhs < 0:
            return self.sub(lhs, -rhs, hint, wraps=wraps)
        for one, other in ((lhs, rhs), (rhs, lhs)):
            if isinstance(one, int) and one == 0:
                return _named(other, hint)
        a, b = self._operands(lhs, rhs)
        return self.emit(arith.AddiOp(a, b, overflow=self._flags(a, wraps)), hint)

    def sub(self, lhs: Value, rhs: Value, hint: str | None = None, *, wraps: bool = False) -> Value:
        """`lhs - rhs`."""
        if isinstance(rhs, int):
            if isinstance(lhs, int):
                return lhs - rhs
            if rhs == 0:
                return _named(lhs, hint)
            if rhs < 0:
                return self.add(lhs, -rhs, hint, wraps=wraps)
        a, b = self._operands(lhs, rhs)
        return self.emit(arith.SubiOp(a, b, overflow=self._flags(a, wraps)), hint)

    def mul(self, lhs: Value, rhs: Value, hint: str | None = None, *, wraps: bool = False) -> Value:
        """`lhs * rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs * rhs
        for one, other in ((lhs, rhs), (rhs, lhs)):
            if isinstance(one, int) and one in (0, 1):
                return _named(other, hint) if one else 0
        a, b = self._operands(lhs, rhs)
        return self.emit(arith.MuliOp(a, b, overflow=self._flags(a, wraps)), hint)

    def div(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """`lhs / rhs`, rounded toward zero; `rhs` is not 0."""
        if isinstance(rhs, int):
            if rhs == 1:
                return _named(lhs, hint)
            if isinstance(lhs, int):
                quotient = abs(lhs) // abs(rhs)
                return quotient if (lhs < 0) == (rhs < 0) else -quotient
        return self.emit(arith.DivSIOp(*self._operands(lhs, rhs)), hint)

    def max(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """The larger of two signed values."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return max(lhs, rhs)
        return self.emit(arith.MaxSIOp(*self._operands(lhs, rhs)), hint)

    def min(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """The smaller of two signed values."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return min(lhs, rhs)
        return self.emit(arith.MinSIOp(*self._operands(lhs, rhs)), hint)

    def compare(self, predicate: str, lhs: Value, rhs: Value) -> SSAValue:
        """`arith.cmpi`: i1."""
        return self.emit(arith.CmpiOp(*self._operands(lhs, rhs), predicate))

    def select(
        self, condition: SSAValue, then: Value, otherwise: Value, hint: str | None = None, type: Attribute = i32
    ) -> SSAValue:
        """`condition ? then : otherwise`; two Python ints are constants of the given type."""
        if isinstance(then, int) and isinstance(otherwise, int):
            then = self.value(then, type)
        return self.emit(arith.SelectOp(condition, *self._operands(then, otherwise)), hint)

    def extend(self, value: SSAValue, type: IntegerType = i32) -> SSAValue:
        """Sign-extend to `type`; nothing to do if it has that type."""
        return value if value.type == type else self.emit(arith.ExtSIOp(value, type))

    def narrow(self, value: Value, type: Attribute) -> SSAValue:
        """Truncate to the integer type `type`, which holds the value; a Python int becomes a constant.

        The result is signless, whatever the signedness of `type`.
        """
        assert isinstance(type, IntegerType), "only integers are truncated"
        type = IntegerType(type.width.data)
        wide = self.value(value, type)
        return wide if wide.type == type else self.emit(arith.TruncIOp(wide, type))

    def index_to_i32(self, value: Value) -> Value:
        """An index that fits i32, as i32."""
        return value if isinstance(value, int) else self.emit(arith.IndexCastOp(value, i32))

    def i32_to_index(self, value: Value) -> Value:
        """An i32 as index."""
        return value if isinstance(value, int) else self.emit(arith.IndexCastOp(value, IndexType()))

    # Floats.

    def addf(self, lhs: SSAValue, rhs: SSAValue, hint: str | None = None) -> SSAValue:
        """`lhs + rhs`."""
        return self.emit(arith.AddfOp(lhs, rhs), hint)

    def subf(self, lhs: SSAValue, rhs: SSAValue, hint: str | None = None) -> SSAValue:
        """`lhs - rhs`."""
        return self.emit(arith.SubfOp(lhs, rhs), hint)

    def mulf(self, lhs: SSAValue, rhs: SSAValue | float, hint: str | None = None) -> SSAValue:
        """`lhs * rhs`; a factor known to be 1 changes nothing."""
        return lhs if isinstance(rhs, float) and rhs == 1.0 else self.emit(arith.MulfOp(lhs, self.floating(rhs)), hint)

    def divf(self, lhs: SSAValue, rhs: SSAValue | float, hint: str | None = None) -> SSAValue:
        """`lhs / rhs`."""
        return self.emit(arith.DivfOp(lhs, self.floating(rhs)), hint)

    def comparef(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`arith.cmpf`: i1."""
        return self.emit(arith.CmpfOp(lhs, rhs, predicate))

    def to_float(self, value: Value) -> SSAValue:
        """An i32 as f32; exact up to a magnitude of 2**24."""
        return self.floating(float(value)) if isinstance(value, int) else self.emit(arith.SIToFPOp(value, f32))

    def exp(self, value: SSAValue, hint: str | None = None) -> SSAValue:
        """The exponential of `value`."""
        return self.emit(math.ExpOp(value), hint)

    def log(self, value: SSAValue, hint: str | None = None) -> SSAValue:
        """The natural logarithm of `value`."""
        return self.emit(math.LogOp(value), hint)

    def sqrt(self, value: SSAValue, hint: str | None = None) -> SSAValue:
        """The square root of `value`."""
        return self.emit(math.SqrtOp(value), hint)

    def round_half_away(self, value: SSAValue) -> SSAValue:
        """The nearest integer, halves away from zero, as a float (C's `roundf`)."""
        return self.emit(math.RoundOp(value))


def _named(value: Value, hint: str | None) -> Value:
    """`value`, which gets the name of the operation that turned out to be unnecessary if it has none."""
    if isinstance(value, SSAValue) and value.name_hint is None and hint is not None:
        value.name_hint = hint
    return value
