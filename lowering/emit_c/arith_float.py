"""Floating-point arithmetic of `arith`."""

from __future__ import annotations

import math

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, FloatAttr, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.upstream.arith import RemFOp
from .builder import Builder
from .lowering import Lowering, Pattern, Patterns
from .types import c_type


def _binary(symbol: str) -> Pattern:
    def lower(op: arith.AddfOp | arith.SubfOp | arith.MulfOp | arith.DivfOp, at: Lowering) -> None:
        type = c_type(op.result.type)
        at.define(op.result, at.build.binary(symbol, at.value(op.lhs), at.value(op.rhs), type))

    return lower


def _negate(op: arith.NegfOp, at: Lowering) -> None:
    c_type(op.result.type)
    at.define(op.result, at.build.add(emitc.UnaryMinusOp(at.value(op.operand), op.result.type)).result)


def library(function: str) -> Pattern:
    """Pattern of functions of `<math.h>`; `fmax` and `fmin` leave the order of zeros open, as their operations do."""

    def lower(op: Operation, at: Lowering) -> None:
        type = c_type(op.results[0].type)
        arguments = [at.value(operand) for operand in op.operands]
        at.define(op.results[0], at.build.call(library_name(function, type), arguments, type, "math.h"))

    return lower


def library_name(function: str, type: object) -> str:
    """`expf` for f32, `exp` for f64."""
    return function + "f" if isinstance(type, Float32Type) else function


def _extremum(maximum: bool) -> Pattern:
    """Pattern of IEEE 754 `maximum` and `minimum`: NaN wins, and -0 is less than +0.

    Against a literal one comparison will do. It is turned such that NaN falls on the side of the other operand, and
    so does, of two equal zeros, the one that must win.
    """

    def lower(op: arith.MaximumfOp | arith.MinimumfOp, at: Lowering) -> None:
        build = at.build
        c_type(op.result.type)
        lhs, rhs = at.value(op.lhs), at.value(op.rhs)
        literal = _literal(rhs)
        if literal is None and _literal(lhs) is not None:
            lhs, rhs, literal = rhs, lhs, _literal(lhs)
        beyond, within = ("<", "<=") if maximum else (">", ">=")
        if literal is None or math.isnan(literal):
            result = _general(build, maximum, lhs, rhs)
        elif literal == 0 and (math.copysign(1.0, literal) > 0) == maximum:
            result = build.conditional(build.compare(within, lhs, rhs), rhs, lhs)
        else:
            result = build.conditional(build.compare(beyond, lhs, rhs), rhs, lhs)
        at.define(op.result, result)

    return lower


def _general(build: Builder, maximum: bool, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`lhs` if it is beyond `rhs`, is NaN, or is the zero that wins against the zero `rhs`."""
    wins = build.call("signbit", [rhs if maximum else lhs], i1, "math.h")
    tie = build.logical_and(build.compare("==", lhs, rhs), wins)
    first = build.logical_or(build.compare(">" if maximum else "<", lhs, rhs), build.compare("!=", lhs, lhs))
    return build.conditional(build.logical_or(first, tie), lhs, rhs)


def _literal(value: SSAValue) -> float | None:
    owner = value.owner
    if isinstance(owner, emitc.ConstantOp) and isinstance(owner.value, FloatAttr):
        return owner.value.value.data
    return None


PATTERNS: Patterns = {
    arith.AddfOp: _binary("+"),
    arith.SubfOp: _binary("-"),
    arith.MulfOp: _binary("*"),
    arith.DivfOp: _binary("/"),
    arith.NegfOp: _negate,
    arith.MaximumfOp: _extremum(maximum=True),
    arith.MinimumfOp: _extremum(maximum=False),
    arith.MaxnumfOp: library("fmax"),
    arith.MinnumfOp: library("fmin"),
    RemFOp: library("fmod"),
}
