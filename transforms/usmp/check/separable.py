"""Accesses whose dimensions move with loops of their own: looked at one dimension after the other, exactly.

A window of a convolution reads row `y + ky`, column `x + kx`, channel `c`: the rows depend on the loops over `y` and
`ky` alone, the columns on those over `x` and `kx`. Time is a sum over all loops, so that the last moment at which an
element is read is the sum of the last moments of its row, its column and its channel. That takes as many points as the
dimensions have together, where all iterations are their product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from .behind import bounds
from .conditions import truth
from .points import Array, Points, Untimed
from .run import PIECE, Run, around, blocks_of

MOST_ELEMENTS = 1 << 24
"""Elements that one access may reach."""


@dataclass(frozen=True)
class Reached:
    """Elements of a memref, each once for each way to reach it, and when that happens for the first and last time."""

    elements: Array
    first: Array
    last: Array

    def beside(self, other: Reached) -> Reached:
        """All pairs of the two, which move apart from each other."""
        return Reached(
            np.add.outer(self.elements, other.elements).reshape(-1),
            np.add.outer(self.first, other.first).reshape(-1),
            np.add.outer(self.last, other.last).reshape(-1),
        )


@dataclass(frozen=True)
class Index:
    """One index of an access."""

    value: SSAValue
    stride: int
    """Elements between its places."""
    count: int
    """Places that the access takes from there on."""
    extent: int | None = None
    """Places that there are, where it leaves out what lies behind them."""

    def leaves(self, values: Array) -> bool:
        """Whether any of its places are left out, of values of the index."""
        return self.extent is not None and bool(values.max(initial=0) + self.count > self.extent)

    @property
    def offsets(self) -> Array:
        """Elements of its places from the first one on."""
        return np.arange(self.count, dtype=np.int64) * self.stride


def reached(run: Run, op: Operation, indices: Sequence[Index]) -> Reached | None:
    """When `op` accesses which elements; None if its dimensions do not move apart, or too much is to be looked at.

    It is None as well where an index leaves out some of its places.

    Raises:
        Untimed: as `Run.runs`.
        Scattered: an index depends on data.
    """
    path = [*reversed(around(op)), op]
    loops: set[Operation] = {o for o in path if isinstance(o, scf.ForOp)}
    behind = [loops & run.behind.of([index.value]) for index in indices]
    groups = _groups([*behind, *({loop} | (loops & run.behind.of(bounds(loop))) for loop in path if loop in loops)])
    if sum(any(group & dimension for dimension in behind) for group in groups) < 2:
        return None
    # What a condition on several dimensions says needs their loops together; but those may be too many points.
    together = _groups([*groups, *(loops & run.behind.of([condition]) for condition in _conditions(run, path))])
    found = None if together == groups else _apart(run, path, behind, together, indices)
    return _apart(run, path, behind, groups, indices) if found is None else found


def _conditions(run: Run, path: Sequence[Operation]) -> list[SSAValue]:
    """Conditions that hold, or do not, wherever the last operation of a path runs."""
    branches = ((op, inner.parent) for op, inner in pairwise(path) if isinstance(op, scf.IfOp))
    return [condition for op, block in branches if block is not None for condition, _ in run.required(op, block)]


def _apart(
    run: Run,
    path: Sequence[Operation],
    behind: Sequence[set[Operation]],
    groups: Sequence[set[Operation]],
    indices: Sequence[Index],
) -> Reached | None:
    """Find points as `reached` does, loops group by group; `behind` are those that each index depends on."""
    start = np.full(1, _start(run, path), np.int64)
    found = Reached(np.zeros(1, np.int64), start, start)
    for index, dimension in zip(indices, behind, strict=True):
        if not dimension:
            nowhere = _points(run, path, set())
            assert nowhere is not None, "no loop is entered"
            value, now = nowhere.value(index.value), np.zeros(index.count, np.int64)
            if index.leaves(value):
                return None
            found = found.beside(Reached(value * index.stride + index.offsets, now, now))
    for group in groups:
        moved = [index for index, own in zip(indices, behind, strict=True) if own & group]
        part = _part(run, path, group, moved)
        if part is None or len(found.elements) * len(part.elements) > MOST_ELEMENTS:
            return None
        found = found.beside(part)
    return found


def _groups(sets: Sequence[set[Operation]]) -> list[set[Operation]]:
    """The sets, those that share a loop united."""
    found: list[set[Operation]] = []
    for one in sets:
        united = set[Operation]().union(one, *(other for other in found if other & one))
        found = [other for other in found if not other & one]
        if united:
            found.append(united)
    return found


def _part(run: Run, path: Sequence[Operation], group: set[Operation], moved: Sequence[Index]) -> Reached | None:
    """What the loops of a group add to element and time; None if these are too many points, or leave some out."""
    points = _points(run, path, group)
    if points is None:
        return None
    times = _times(run, points, group)
    elements = np.zeros(points.count, np.int64)
    for index in moved:
        value = points.value(index.value)
        if index.leaves(value):
            return None
        elements = elements + value * index.stride
    beside = _sums(index.offsets for index in moved)
    elements, times = np.add.outer(elements, beside).reshape(-1), np.repeat(times, len(beside))
    distinct, number = np.unique(elements, return_inverse=True)
    first = np.full(len(distinct), np.iinfo(np.int64).max)
    last = np.full(len(distinct), -1, np.int64)
    np.minimum.at(first, number, times)
    np.maximum.at(last, number, times)
    return Reached(distinct, first, last)


def _sums(offsets: Iterable[Array]) -> Array:
    """All sums of one of each."""
    return reduce(lambda sums, own: np.add.outer(sums, own).reshape(-1), offsets, np.zeros(1, np.int64))


def _points(run: Run, path: Sequence[Operation], group: set[Operation]) -> Points | None:
    """All iterations of the loops of a group; nothing asks where the others are. None if they are too many."""
    block = path[-1].parent
    assert block is not None, "it stands in a block"
    key = block, frozenset(group)
    if key not in run.points:
        run.points[key] = _entered(run, path, group)
    return run.points[key]


def _entered(run: Run, path: Sequence[Operation], group: set[Operation]) -> Points | None:
    outermost = path[0].parent
    assert outermost is not None, "the function's body is around it"
    points = Points.start(outermost)
    for op, inner in pairwise(path):
        if not isinstance(op, scf.ForOp | scf.IfOp):
            raise Untimed(f"{op.name} takes part")
        assert inner.parent is not None, "it stands in the operation around it"
        if isinstance(op, scf.IfOp):
            points = points.branch(inner.parent, _taken(run, points, op, inner.parent, group))
            continue
        if op not in group:
            points = points.branch(inner.parent)
            continue
        if points.trips(op).sum() > PIECE:
            return None
        points = points.enter(op)
    return points


def _taken(run: Run, points: Points, op: scf.IfOp, block: Block, group: set[Operation]) -> NDArray[np.bool_] | None:
    """Where a branch may run as far as the loops of a group decide; None if they say nothing."""
    found: list[NDArray[np.bool_]] = []
    for condition, holds in run.required(op, block):
        if (behind := run.behind.of([condition])) and behind <= group:
            found.append(np.broadcast_to(truth(condition, points.value) == holds, (points.count,)))
    return np.logical_and.reduce(found) if found else None


def _times(run: Run, points: Points, group: set[Operation]) -> Array:
    """Number that the iterations of a group add to the time."""
    if points.outer is None:
        return np.zeros(points.count, np.int64)
    times = _times(run, points.outer, group)[points.origin]
    return times + points.iteration * run.length(points.block) if points.block.parent_op() in group else times


def _start(run: Run, path: Sequence[Operation]) -> int:
    """When the operation runs in the first iterations of all loops."""
    start = run.since_start(path[0])
    for op, inner in pairwise(path):
        blocks = blocks_of(op)
        assert inner.parent is not None, "it stands in the operation around it"
        start += sum(run.length(block) for block in blocks[: blocks.index(inner.parent)]) + run.since_start(inner)
    return start
