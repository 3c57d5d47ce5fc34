"""Passes of a loop, where constants say them: a counter that starts, moves and is compared by constants."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.nn import AddOp, BinaryOp, CompareOp, ConstantOp, WhileLoopOp, YieldOp
from ...dialects.nn.element_functions import Binary
from ...dialects.nn.integers import integer_range
from ...dialects.nn.interfaces import element_type_of, shape_of

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
    plain = (ConstantOp, CompareOp, YieldOp)
    if not all(isinstance(inner, plain) for inner in op.condition.block.ops):
        return None
    return _rounds(op, _yielded(op.condition.block)[0])


def most_rounds(op: WhileLoopOp) -> int | None:
    """The most rounds that one of the conditions of every round allows; None if none says it."""
    joint, found = [_yielded(op.condition.block)[0]], list[int]()
    while joint:
        condition = joint.pop()
        if isinstance(condition.owner, BinaryOp) and condition.owner.function.data is Binary.LOGICAL_AND:
            joint += condition.owner.operands
        elif (rounds := _rounds(op, condition)) is not None:
            found.append(rounds)
    return min(found, default=None)


def _yielded(block: Block) -> Sequence[SSAValue]:
    assert isinstance(block.last_op, YieldOp), "verified: regions end with what they yield"
    return block.last_op.values


def _rounds(op: WhileLoopOp, condition: SSAValue) -> int | None:
    """The rounds for which a comparison of a counter holds; None if it is none."""
    compare = condition.owner
    if not isinstance(compare, CompareOp):
        return None
    counter = next((a for a in op.condition.block.args if a in compare.operands), None)
    if counter is None or element_type_of(counter) not in (i32, i64) or any(e != 1 for e in shape_of(counter)):
        return None
    limit = _constant(compare, counter)
    start = _number(op.inputs[counter.index])
    following = _yielded(op.body.block)[counter.index].owner
    step = _constant(following, op.body.block.args[counter.index]) if isinstance(following, AddOp) else None
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
