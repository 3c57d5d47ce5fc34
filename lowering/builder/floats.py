"""Arithmetic of floats."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from .emitter import Emitter
from .folding import Value


class Floats(Emitter):
    """Builder of float arithmetic, like `Integers`; little is folded, since every rounding counts."""

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

    def round_half_even(self, value: SSAValue) -> SSAValue:
        """The nearest whole number, halves to even."""
        return self.emit(math.RoundEvenOp(value))
