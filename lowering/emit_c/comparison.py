"""Comparisons of integers whose outcome is known, of which compilers warn."""

from __future__ import annotations

import operator
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Attribute, SSAValue

from ...dialects import emitc
from .literals import known
from .types import unsigned

COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Meaning of C's comparison symbols."""

NAMES = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
"""Meaning of comparisons by the names that `emitc.cmp` has for them."""


def outcome(symbol: str, lhs: SSAValue, rhs: SSAValue) -> bool | None:
    """Return what `lhs symbol rhs` is for all values that the operands can have; None if that depends on them."""
    if not isinstance(lhs.type, IntegerType):
        return None
    if lhs is rhs:
        return COMPARISONS[symbol](0, 0)
    (a, b), (c, d) = _range(lhs), _range(rhs)
    if symbol in ("==", "!="):
        if b < c or d < a:
            return symbol == "!="
        return symbol == "==" if a == b == c == d else None
    # Both ends of the difference decide an order.
    answers = {COMPARISONS[symbol](a, d), COMPARISONS[symbol](b, c)}
    return answers.pop() if len(answers) == 1 else None


def joint_outcome(join: Callable[[bool, bool], bool], lhs: SSAValue, rhs: SSAValue) -> bool | None:
    """Return the result of two comparisons of one value with literals, as in `x < 5 || 3 < x`; None if open."""
    found = [_against_literal(side) for side in (lhs, rhs)]
    if found[0] is None or found[1] is None or found[0][0] is not found[1][0]:
        return None
    (value, first, one), (_, second, other) = found[0], found[1]
    least, most = _limits(value.type)
    # Between neighbours of the literals nothing changes.
    points = {literal + step for literal in (one, other) for step in (-1, 0, 1)}
    answers = {join(first(x, one), second(x, other)) for x in points if least <= x <= most}
    return answers.pop() if len(answers) == 1 else None


def _against_literal(truth: SSAValue) -> tuple[SSAValue, Callable[[int, int], bool], int] | None:
    """The value, the comparison and the literal of `value < literal` and the like, turned if need be."""
    op = truth.owner
    if not isinstance(op, emitc.CmpOp) or not isinstance(op.lhs.type, IntegerType):
        return None
    meaning = NAMES[op.predicate_name]
    if (literal := known(op.rhs)) is not None:
        return op.lhs, meaning, literal
    if (literal := known(op.lhs)) is not None:
        return op.rhs, lambda x, y: meaning(y, x), literal
    return None


def _range(value: SSAValue) -> tuple[int, int]:
    """Least and largest number: of a literal, of its type, or of the narrower type that it is converted from."""
    number = known(value)
    if number is not None:
        return number, number
    limits = _limits(value.type)
    if isinstance(value.owner, emitc.CastOp) and isinstance(value.owner.source.type, IntegerType):
        inner = _range(value.owner.source)
        if limits[0] <= inner[0] and inner[1] <= limits[1]:
            return inner
    return limits


def _limits(type: Attribute) -> tuple[int, int]:
    assert isinstance(type, IntegerType), "only integers are compared so"
    if type == i1 or unsigned(type) == type:
        return 0, (1 << type.width.data) - 1
    return -(1 << (type.width.data - 1)), (1 << (type.width.data - 1)) - 1
