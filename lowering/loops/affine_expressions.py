"""Affine maps and sets as `arith` operations on `index`.

xDSL's `lower-affine` ignores the symbols of maps and the operands of bounds, and takes `arith.remsi` for `mod`, which
differs below zero; hence these.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)


def constant(build: Builder, value: int) -> SSAValue:
    """An `index` constant."""
    return build.insert(arith.ConstantOp(IntegerAttr.from_index_int_value(value))).result


def results(build: Builder, map: AffineMap, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """Return the results of a map for its dimensions, then symbols."""
    return [_value(build, result, operands[: map.num_dims], operands[map.num_dims :]) for result in map.results]


def smallest(build: Builder, values: Sequence[SSAValue]) -> SSAValue:
    """The least of some values."""

    def least(a: SSAValue, b: SSAValue) -> SSAValue:
        return build.insert(arith.MinSIOp(a, b)).result

    return reduce(least, values)


def largest(build: Builder, values: Sequence[SSAValue]) -> SSAValue:
    """The greatest of some values."""

    def greatest(a: SSAValue, b: SSAValue) -> SSAValue:
        return build.insert(arith.MaxSIOp(a, b)).result

    return reduce(greatest, values)


def holds(build: Builder, set: AffineSet, operands: Sequence[SSAValue]) -> SSAValue:
    """Whether all constraints of a set hold."""
    tests: list[SSAValue] = []
    for constraint in set.constraints:
        left, right = (
            _value(build, side, operands[: set.num_dims], operands[set.num_dims :])
            for side in (constraint.lhs, constraint.rhs)
        )
        word = {AffineConstraintKind.ge: "sge", AffineConstraintKind.le: "sle", AffineConstraintKind.eq: "eq"}
        tests.append(build.insert(arith.CmpiOp(left, right, word[constraint.kind])).result)
    if not tests:
        return build.insert(arith.ConstantOp.from_int_and_width(1, 1)).result

    def both(a: SSAValue, b: SSAValue) -> SSAValue:
        return build.insert(arith.AndIOp(a, b)).result

    return reduce(both, tests)


def _value(build: Builder, expression: AffineExpr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]) -> SSAValue:
    match expression:
        case AffineConstantExpr():
            return constant(build, expression.value)
        case AffineDimExpr():
            return dims[expression.position]
        case AffineSymExpr():
            return symbols[expression.position]
        case AffineBinaryOpExpr():
            return _binary(build, expression, dims, symbols)
        case _:
            raise AssertionError(f"affine expressions are of four kinds, {expression} is none of them")


def _binary(
    build: Builder, expression: AffineBinaryOpExpr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> SSAValue:
    left = _value(build, expression.lhs, dims, symbols)
    if expression.kind is AffineBinaryOpKind.Add and (negative := _negated(expression.rhs)) is not None:
        return build.insert(arith.SubiOp(left, _value(build, negative, dims, symbols))).result
    right = _value(build, expression.rhs, dims, symbols)
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return build.insert(arith.AddiOp(left, right)).result
        case AffineBinaryOpKind.Mul:
            return build.insert(arith.MuliOp(left, right)).result
        case AffineBinaryOpKind.FloorDiv:
            return build.insert(arith.FloorDivSIOp(left, right)).result
        case AffineBinaryOpKind.CeilDiv:
            return build.insert(arith.CeilDivSIOp(left, right)).result
        case AffineBinaryOpKind.Mod:
            if _is_natural(left):
                return build.insert(arith.RemSIOp(left, right)).result
            whole = build.insert(arith.MuliOp(build.insert(arith.FloorDivSIOp(left, right)).result, right)).result
            return build.insert(arith.SubiOp(left, whole)).result


def _negated(expression: AffineExpr) -> AffineExpr | None:
    """X of `x * -n` with n left in it; -n as n; None if the expression is not written as a negative."""
    match expression:
        case AffineConstantExpr() if expression.value < 0:
            return AffineConstantExpr(-expression.value)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, rhs=AffineConstantExpr(value=value)) if value < 0:
            return expression.lhs if value == -1 else expression.lhs * -value
        case _:
            return None


def _is_natural(value: SSAValue) -> bool:
    """Whether a value is known not to be negative."""
    match value:
        case BlockArgument() if value.index == 0 and isinstance(loop := value.block.parent_op(), scf.ForOp):
            return _is_natural(loop.lb)
        case BlockArgument():
            return False
        case _:
            pass
    match owner := value.owner:
        case arith.ConstantOp():
            return isinstance(owner.value, IntegerAttr) and owner.value.value.data >= 0
        case arith.AddiOp() | arith.MuliOp() | arith.MinSIOp() | arith.FloorDivSIOp() | arith.RemSIOp():
            return isinstance(value.type, IndexType) and all(map(_is_natural, owner.operands))
        case arith.MaxSIOp():
            return any(map(_is_natural, owner.operands))
        case _:
            return False
