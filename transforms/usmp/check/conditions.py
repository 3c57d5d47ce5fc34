"""Where the branches of an `scf.if` run, if that depends on nothing but the places of the loops around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue

from .points import BINARY, Array

Truth = NDArray[np.bool_]


def _unsigned(compare: Callable[[Any, Any], Any]) -> Callable[[Array, Array], Truth]:
    return lambda a, b: compare(a.astype(np.uint32), b.astype(np.uint32))


_COMPARE: tuple[Callable[[Array, Array], Truth], ...] = (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    _unsigned(np.less),
    _unsigned(np.less_equal),
    _unsigned(np.greater),
    _unsigned(np.greater_equal),
)
"""By predicate of `arith.cmpi`; an `index` has 32 bits."""

_LOGIC: dict[type[Operation], Callable[[Truth, Truth], Truth]] = {
    arith.AndIOp: np.logical_and,
    arith.OrIOp: np.logical_or,
    arith.XOrIOp: np.logical_xor,
}


def is_followed(condition: SSAValue) -> bool:
    """Whether a condition is made of comparisons of index arithmetic on the variables of loops."""
    owner = condition.owner
    if isinstance(condition.type, IndexType):
        if isinstance(owner, Block):
            return isinstance(owner.parent_op(), scf.ForOp)
        return isinstance(owner, arith.ConstantOp) or (type(owner) in BINARY and all(map(is_followed, owner.operands)))
    if condition.type != i1 or isinstance(owner, Block):
        return False
    if isinstance(owner, arith.CmpiOp):
        return all(isinstance(o.type, IndexType) and is_followed(o) for o in owner.operands)
    return isinstance(owner, arith.ConstantOp) or (type(owner) in _LOGIC and all(map(is_followed, owner.operands)))


def truth(condition: SSAValue, value: Callable[[SSAValue], Array]) -> Truth:
    """Whether a condition that is followed holds at each point; `value` gives index arithmetic there."""
    owner = condition.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(number := owner.value, IntegerAttr):
        return np.asarray(bool(number.value.data))
    assert isinstance(owner, Operation), "asked of conditions that are followed"
    if isinstance(owner, arith.CmpiOp):
        return _COMPARE[owner.predicate.value.data](value(owner.lhs), value(owner.rhs))
    left, right = (truth(operand, value) for operand in owner.operands)
    return _LOGIC[type(owner)](left, right)


def conditions(op: Operation) -> list[SSAValue]:
    """The condition of an `scf.if`, where it is followed."""
    return [op.cond] if isinstance(op, scf.IfOp) and is_followed(op.cond) else []


def required(op: scf.IfOp, block: Block) -> list[tuple[SSAValue, bool]]:
    """Conditions that are followed and what each of them is wherever a branch runs; not all that is known."""
    is_true = block is op.true_region.block
    found, waiting = list[tuple[SSAValue, bool]](), [op.cond]
    while waiting:
        condition = waiting.pop()
        if isinstance(condition.owner, arith.AndIOp if is_true else arith.OrIOp):
            waiting += condition.owner.operands
        elif is_followed(condition):
            found.append((condition, is_true))
    return found
