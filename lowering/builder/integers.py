"""Arithmetic of integers and indices.

Operands are SSA values or Python ints; what is known at compile time is computed in Python and never emitted, so that
kernels can be written for the general case and still come out minimal.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, lt
from typing import overload

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, i32
from xdsl.ir import Attribute, SSAValue

from .emitter import Emitter
from .folding import Condition, Value, folded

_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])
_WRAPPING = arith.IntegerOverflowAttr("none")
_KNOWN: dict[str, Callable[[int, int], bool]] = {"sge": ge, "slt": lt, "ult": lambda lhs, rhs: 0 <= lhs < rhs}
"""By predicate of `arith.cmpi`; the number that is not reached without sign is not negative."""


class Integers(Emitter):
    """Signed arithmetic that does not overflow unless `wraps`; the types of operands are those of results."""

    INDICES_FIT = False
    """Whether operations on indices say that they do not overflow; else what indices are made of tells it."""

    def _operands(self, lhs: Value, rhs: Value) -> tuple[SSAValue, SSAValue]:
        type = lhs.type if isinstance(lhs, SSAValue) else rhs.type if isinstance(rhs, SSAValue) else IndexType()
        return self.value(lhs, type), self.value(rhs, type)

    def _flags(self, value: SSAValue, wraps: bool) -> arith.IntegerOverflowAttr:
        is_silent = not self.INDICES_FIT and isinstance(value.type, IndexType)
        return _WRAPPING if wraps or is_silent else _NSW

    @folded
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

    @folded
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

    @folded
    def mul(self, lhs: Value, rhs: Value, hint: str | None = None, *, wraps: bool = False) -> Value:
        """`lhs * rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs * rhs
        for one, other in ((lhs, rhs), (rhs, lhs)):
            if isinstance(one, int) and isinstance(other, SSAValue) and one in (0, 1):
                return _named(other, hint) if one else self.value(0, other.type)
        a, b = self._operands(lhs, rhs)
        return self.emit(arith.MuliOp(a, b, overflow=self._flags(a, wraps)), hint)

    @folded
    def div(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """`lhs / rhs`, rounded toward zero; `rhs` is not 0."""
        if isinstance(rhs, int):
            if rhs == 1:
                return _named(lhs, hint)
            if isinstance(lhs, int):
                quotient = abs(lhs) // abs(rhs)
                return quotient if (lhs < 0) == (rhs < 0) else -quotient
        return self.emit(arith.DivSIOp(*self._operands(lhs, rhs)), hint)

    @folded
    def max(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """The larger of two signed values."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return max(lhs, rhs)
        return self.emit(arith.MaxSIOp(*self._operands(lhs, rhs)), hint)

    @folded
    def min(self, lhs: Value, rhs: Value, hint: str | None = None) -> Value:
        """The smaller of two signed values."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return min(lhs, rhs)
        return self.emit(arith.MinSIOp(*self._operands(lhs, rhs)), hint)

    # Bits.

    def shift_left(self, value: Value, amount: Value, hint: str | None = None) -> SSAValue:
        """`value << amount`; at least one of them is an SSA value, as for the other operations on bits."""
        return self.emit(arith.ShLIOp(*self._operands(value, amount)), hint)

    def shift_right(self, value: Value, amount: Value, hint: str | None = None) -> SSAValue:
        """`value >> amount`, rounded toward minus infinity."""
        return self.emit(arith.ShRSIOp(*self._operands(value, amount)), hint)

    def bit_and(self, lhs: SSAValue, rhs: Value, hint: str | None = None) -> SSAValue:
        """`lhs & rhs`."""
        return self.emit(arith.AndIOp(*self._operands(lhs, rhs)), hint)

    def bit_or(self, lhs: SSAValue, rhs: Value, hint: str | None = None) -> SSAValue:
        """`lhs | rhs`."""
        return self.emit(arith.OrIOp(*self._operands(lhs, rhs)), hint)

    def bit_xor(self, lhs: SSAValue, rhs: Value, hint: str | None = None) -> SSAValue:
        """`lhs ^ rhs`."""
        return self.emit(arith.XOrIOp(*self._operands(lhs, rhs)), hint)

    # Conditions.

    def compare(self, predicate: str, lhs: Value, rhs: Value) -> SSAValue:
        """`arith.cmpi`: i1."""
        return self.emit(arith.CmpiOp(*self._operands(lhs, rhs), predicate))

    def holds(self, predicate: str, lhs: Value, rhs: Value) -> Condition:
        """Whether `sge`, `slt` or `ult` (with an `rhs` that is not negative) holds; known for two Python ints."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return _KNOWN[predicate](lhs, rhs)
        return self.compare(predicate, lhs, rhs)

    def select(
        self, condition: SSAValue, then: Value, otherwise: Value, hint: str | None = None, type: Attribute = i32
    ) -> SSAValue:
        """`condition ? then : otherwise`; two Python ints are constants of the given type."""
        if isinstance(then, int) and isinstance(otherwise, int):
            then = self.value(then, type)
        return self.emit(arith.SelectOp(condition, *self._operands(then, otherwise)), hint)

    # Other widths.

    def extend(self, value: SSAValue, type: IntegerType = i32) -> SSAValue:
        """Sign-extend to `type`; nothing to do if it has that type."""
        return value if value.type == type else self.emit(arith.ExtSIOp(value, type))

    def extend_unsigned(self, value: SSAValue, type: IntegerType = i32, hint: str | None = None) -> SSAValue:
        """Zero-extend to `type`: an i1 that is true gives 1."""
        return self.emit(arith.ExtUIOp(value, type), hint)

    def narrow(self, value: SSAValue, type: Attribute) -> SSAValue:
        """Truncate to the integer type `type`, which holds the value.

        The result is signless, whatever the signedness of `type`.
        """
        assert isinstance(type, IntegerType), "only integers are truncated"
        type = IntegerType(type.width.data)
        return value if value.type == type else self.emit(arith.TruncIOp(value, type))

    @overload
    def index_to_i32(self, value: int) -> int: ...

    @overload
    def index_to_i32(self, value: SSAValue) -> SSAValue: ...

    def index_to_i32(self, value: Value) -> Value:
        """An index that fits i32, as i32."""
        return value if isinstance(value, int) else self.emit(arith.IndexCastOp(value, i32))

    def i32_to_index(self, value: SSAValue) -> SSAValue:
        """An i32 as index."""
        return self.emit(arith.IndexCastOp(value, IndexType()))


def _named(value: Value, hint: str | None) -> Value:
    """`value`, which gets the name of the operation that turned out to be unnecessary if it has none."""
    if isinstance(value, SSAValue) and value.name_hint is None and hint is not None:
        value.name_hint = hint
    return value
