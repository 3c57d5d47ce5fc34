"""The `math` dialect, and what it lacks: calls of C99's `<math.h>`."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Operation

from .arith_float import library, library_name
from .lowering import Lowering, Patterns
from .types import c_type, is_bool

_FUNCTIONS: dict[type[Operation], str] = {
    math.AbsFOp: "fabs",
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.AtanOp: "atan",
    math.AtanhOp: "atanh",
    math.Atan2Op: "atan2",
    math.CbrtOp: "cbrt",
    math.CeilOp: "ceil",
    math.CopySignOp: "copysign",
    math.CosOp: "cos",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    math.ExpOp: "exp",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.FloorOp: "floor",
    math.FmaOp: "fma",
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.PowFOp: "pow",
    # Rounds halves to even in the default rounding mode; C99 has no function that does in every mode.
    math.RoundEvenOp: "nearbyint",
    math.RoundOp: "round",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.SqrtOp: "sqrt",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}


def _reciprocal_square_root(op: math.RsqrtOp, at: Lowering) -> None:
    type = c_type(op.result.type)
    root = at.build.call(library_name("sqrt", type), [at.value(op.operand)], type, "math.h")
    at.define(op.result, at.build.binary("/", at.build.constant(1.0, type), root, type))


def _absolute_integer(op: math.AbsIOp, at: Lowering) -> None:
    """The absolute value of the smallest number is itself: the negation wraps around."""
    build = at.build
    value = at.value(op.operand)
    if is_bool(c_type(op.result.type)):
        at.define(op.result, value)
        return
    zero = build.constant(0, value.type)
    at.define(op.result, build.conditional(build.compare("<", value, zero), build.wrapped("-", zero, value), value))


PATTERNS: Patterns = {
    **{op: library(function) for op, function in _FUNCTIONS.items()},
    math.RsqrtOp: _reciprocal_square_root,
    math.AbsIOp: _absolute_integer,
}
