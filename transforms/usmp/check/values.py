"""The values of index arithmetic at an operation, at all points at which it runs.

Only loops that the values depend on are enumerated. Of a branch whose condition compares indices, the points count at
which it is taken; where the condition depends on data, all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from .behind import Behind, bounds
from .calls import calls_by_name
from .conditions import is_followed, truth
from .points import Array, Points, Untimed
from .run import around
from .spans import Spans, Unbounded

MOST_POINTS = 1 << 20
"""Points that are enumerated at most; where there are more, spans bound the values."""

Number = SSAValue | int


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
    path = [o for o in around(op) if isinstance(o, scf.ForOp | scf.IfOp)]
    if not values and not any(isinstance(o, scf.IfOp) for o in path):
        return [np.array([number], np.int64) for number in known if isinstance(number, int)]
    needed = Behind().of([*values, *(bound for o in path for bound in bounds(o))])
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
    if isinstance(parent, func.FuncOp) and parent in needed:
        return _calls(parent)
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
            if not is_followed(parent.cond):
                return outer.branch(block)
            is_true = truth(parent.cond, outer.value)
            is_taken = is_true if block in parent.true_region.blocks else ~is_true
            return outer.branch(block, np.broadcast_to(is_taken, (outer.count,)))
        case _:
            return outer.branch(block)


def _calls(function: func.FuncOp) -> Points:
    """Indices that the calls of a function pass; those that depend on data are left out."""
    block, module = function.body.block, function.parent_op()
    assert isinstance(module, ModuleOp), "functions stand in a module"
    indices = [argument for argument in block.args if isinstance(argument.type, IndexType)]
    columns: list[list[Array]] = []
    for call in calls_by_name(module).get(function.sym_name.data, ()):
        try:
            columns.append(values_at(call, [call.operands[argument.index] for argument in indices]))
        except Unbounded:
            raise
        except Untimed:
            continue
    if not indices or not columns:
        # No call decides anything: what depends on arguments is found to depend on data.
        return Points.start(block)
    passed: dict[SSAValue, Array] = {
        argument: np.concatenate(parts) for argument, parts in zip(indices, zip(*columns, strict=True), strict=True)
    }
    return Points.calls(block, passed)


def _corners(numbers: Sequence[Number]) -> list[Array]:
    spans = Spans(None, [])
    ends = [sorted({int(end) for end in spans.value(n)}) if isinstance(n, SSAValue) else [n] for n in numbers]
    return [np.array(column, np.int64) for column in zip(*product(*ends), strict=True)]
