"""The values of index arithmetic at an operation, at all points at which it runs.

Only loops that the values depend on are enumerated. Of a branch whose condition compares indices, the points count at
which it is taken; where the condition depends on data, all of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from .points import Array, Points, Untimed
from .run import around, bounds, loops_behind
from .spans import Spans

MOST_POINTS = 1 << 20
"""Points that are enumerated at most; where there are more, spans bound the values."""

Number = SSAValue | int

_COMPARISONS: dict[int, Callable[[Array, Array], NDArray[np.bool_]]] = {
    0: operator.eq,
    1: operator.ne,
    2: operator.lt,
    3: operator.le,
    4: operator.gt,
    5: operator.ge,
}
"""Predicates of `arith.cmpi` on signed numbers."""


class _TooMany(Exception):
    """More than `MOST_POINTS`."""


def values_at(op: Operation, numbers: Sequence[Number]) -> list[Array]:
    """Each number at all points at which `op` runs, as arrays of one length; empty if it never runs.

    Where there are too many points, all corners of the box that the numbers keep to: more than happens, never less.

    Raises:
        Unbounded: they do not depend on data, but too much is to be enumerated.
        Untimed: one of them depends on data, or on arithmetic that is not followed.
    """
    known = [_folded(number) for number in numbers]
    values = [number for number in known if isinstance(number, SSAValue)]
    if not values:
        return [np.array([number], np.int64) for number in known if isinstance(number, int)]
    path = [o for o in around(op) if isinstance(o, scf.ForOp | scf.IfOp)]
    conditions = [o.cond for o in path if isinstance(o, scf.IfOp)]
    needed = loops_behind([values, conditions, *(bounds(o) for o in path)])
    assert op.parent is not None, "it stands in a function"
    try:
        points = _points(op.parent, needed)
    except _TooMany:
        return _corners(known)
    exact = [points.value(n) if isinstance(n, SSAValue) else np.asarray(n, np.int64) for n in known]
    return [np.broadcast_to(column, (points.count,)) for column in exact]


def _folded(number: Number) -> Number:
    """The number itself where it is a constant."""
    owner = number.owner if isinstance(number, SSAValue) else None
    constant = owner.value if isinstance(owner, arith.ConstantOp) else None
    return constant.value.data if isinstance(constant, IntegerAttr) else number


def _points(block: Block, needed: set[Operation]) -> Points:
    """The points at which a block runs, or may run."""
    parent = block.parent_op()
    if parent is None or isinstance(parent, func.FuncOp):
        return Points.start(block)
    assert parent.parent is not None, "it stands in a function"
    outer = _points(parent.parent, needed)
    match parent:
        case scf.ForOp() if parent in needed:
            if outer.trips(parent).sum() > MOST_POINTS:
                raise _TooMany
            return outer.enter(parent)
        case scf.ForOp():
            try:
                return outer.enter_once(parent, last=True)
            except Untimed:
                return outer.branch(block)
        case scf.IfOp():
            is_true = _truth(outer, parent.cond)
            if is_true is None:
                return outer.branch(block)
            is_taken = is_true if block in parent.true_region.blocks else ~is_true
            return outer.branch(block, np.broadcast_to(is_taken, (outer.count,)))
        case _:
            return outer.branch(block)


def _truth(points: Points, condition: SSAValue) -> NDArray[np.bool_] | None:
    """Where a condition holds; None if it depends on data."""
    match condition.owner:
        case arith.CmpiOp() as op if op.predicate.value.data in _COMPARISONS:
            try:
                return np.asarray(_COMPARISONS[op.predicate.value.data](points.value(op.lhs), points.value(op.rhs)))
            except Untimed:
                return None
        case arith.AndIOp() as op:
            sides = [side for side in (_truth(points, op.lhs), _truth(points, op.rhs)) if side is not None]
            return np.logical_and.reduce(np.broadcast_arrays(*sides)) if len(sides) == 2 else None
        case _:
            return None


def _corners(numbers: Sequence[Number]) -> list[Array]:
    spans = Spans(None, [])
    ends = [sorted({int(end) for end in spans.value(n)}) if isinstance(n, SSAValue) else [n] for n in numbers]
    return [np.array(column, np.int64) for column in zip(*product(*ends), strict=True)]
