"""How often a loop runs, where constants say it: a counter that starts, moves and is compared by constants."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue

from ...dialects.nn import AddOp, CompareOp, ConstantOp, WhileLoopOp, YieldOp
from ...dialects.nn.interfaces import element_type_of, shape_of
from ...dialects.nn.quantised import integer_range

MOST_ROUNDS = 1 << 20
"""Rounds that are counted; nobody waits for more."""

_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def trip_count(op: WhileLoopOp) -> int | None:
    """The number of rounds; None if it is not known, or depends on data."""
    condition, body = op.condition.block, op.body.block
    last, ahead = condition.last_op, body.last_op
    assert isinstance(last, YieldOp), "verified: regions end with what they yield"
    assert isinstance(ahead, YieldOp), "verified: regions end with what they yield"
    compare = last.values[0].owner
    plain = (ConstantOp, CompareOp, YieldOp)
    if not isinstance(compare, CompareOp) or not all(isinstance(inner, plain) for inner in condition.ops):
        return None
    counter = next((a for a in condition.args if a in compare.operands), None)
    if counter is None or element_type_of(counter) not in (i32, i64) or any(e != 1 for e in shape_of(counter)):
        return None
    limit = _constant(compare, counter)
    start = _number(op.inputs[counter.index])
    following = ahead.values[counter.index].owner
    step = _constant(following, body.args[counter.index]) if isinstance(following, AddOp) else None
    if limit is None or start is None or step is None:
        return None
    holds, is_left = _HOLDS[str(compare.predicate.data)], compare.lhs is counter
    lowest, highest = integer_range(element_type_of(counter))
    rounds, value = 0, start
    while holds(value, limit) if is_left else holds(limit, value):
        rounds, value = rounds + 1, value + step
        if rounds > MOST_ROUNDS or not lowest <= value <= highest:
            return None
    return rounds


def _constant(op: Operation, other: SSAValue) -> int | None:
    """The operand beside `other`, if it is one number known at compile time."""
    rest = [operand for operand in op.operands if operand is not other]
    return _number(rest[0]) if len(rest) == 1 and len(op.operands) == 2 else None


def _number(value: SSAValue) -> int | None:
    if not isinstance(value.owner, ConstantOp) or value.owner.array.size != 1:
        return None
    return int(value.owner.array.reshape(-1)[0])
