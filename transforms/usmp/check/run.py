"""Base of timed runs of called functions: which accesses they watch, and the time of each of them.

Time counts the watched operations as they run; loops take the most iterations that they can have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import Access, accesses
from ....dialects.operations import operations
from .behind import Behind
from .conditions import is_followed, required, truth
from .places import Place
from .points import Array, Points, Untimed
from .reference import CONSTANT, Arguments, Reference, refer

PIECE = 1 << 20
"""Points that are enumerated at once, about; each takes some tens of bytes."""


@dataclass(frozen=True)
class Overwrite:
    """A byte that a buffer is read from after another was written to it."""

    read: int
    written: int
    byte: int


class Run(ABC):
    """One run."""

    def __init__(
        self,
        places: Sequence[Place],
        made: Mapping[Operation, int],
        involved: set[int],
        born: Collection[int] = (),
    ):
        """`involved`: the buffers to watch; `born`: those of them that begin in the run with nothing in them."""
        self.places = places
        self.born = frozenset(born)
        self.most_trips: dict[Operation, int] = {}
        self._made = made
        self._involved = involved
        self._arguments: Arguments = {}
        self._durations: dict[Operation, int] = {}
        self._starts: dict[Operation, int] = {}
        self._lengths: dict[Block, int] = {}
        self.behind = Behind()
        self.points: dict[tuple[Block, frozenset[Operation]], Points | None] = {}
        """All iterations of some loops around a block, as `separable` finds them."""
        self._required: dict[Block, list[tuple[SSAValue, bool]]] = {}
        self._busy: set[Operation] = set()
        """Operations that access watched buffers, and all operations around them."""

    def run(self, function: func.FuncOp, arguments: Arguments) -> None:
        """Run the function.

        Raises:
            Untimed: when something happens depends on data, or on an operation nobody knows.
        """
        self._arguments = arguments
        watched = [
            (op, access, reference)
            for op in operations(function)
            if op is not function and op not in self._made
            for access, reference in self._watched(op)
        ]
        for op, _, _ in watched:
            self._busy |= {op, *around(op)}
        for op, access, reference in watched:
            self.record(op, access, reference)

    @abstractmethod
    def record(self, op: Operation, access: Access, reference: Reference) -> None:
        """Note when the operation accesses which bytes."""

    @abstractmethod
    def trips(self, loop: Operation) -> int:
        """At least as many iterations as a loop can have, whenever it runs; 1 for what is no loop."""

    def shared(self) -> list[tuple[int, int, int, int]]:
        """All ordered pairs of watched buffers that share bytes [first, end)."""
        return [
            (a, b, max(self.places[a].first, self.places[b].first), min(self.places[a].end, self.places[b].end))
            for a in sorted(self._involved)
            for b in sorted(self._involved)
            if a != b and self.places[a].overlaps(self.places[b])
        ]

    def _watched(self, op: Operation) -> list[tuple[Access, Reference]]:
        """The accesses of an operation to watched buffers: it reads them, or it writes them."""
        found: list[tuple[Access, Reference]] = []
        for access in accesses(op):
            reference = refer(access.memref, self._arguments, self._made)
            if reference is None:
                continue
            if reference.number == CONSTANT and access.is_write and not access.is_assumed:
                raise PassFailedException("a constant is written to")
            if access.indices is None and (reference.number in self._involved or reference.number == CONSTANT):
                raise Untimed(f"{op.name} takes part")
            if reference.number in self._involved:
                if reference.start is None:
                    raise Untimed("where a part of a buffer lies is not known")
                found.append((access, reference))
        read, written = (
            [self.places[reference.number] for access, reference in found if access.is_write is is_write]
            for is_write in (False, True)
        )
        # Between what lies apart the order makes no difference.
        if any(one.overlaps(other) for one in read for other in written):
            raise Untimed(f"{op.name} reads and writes in an order that nobody knows")
        return found

    def runs(self, op: Operation, needed: set[Operation], *, last: bool) -> Iterator[Points]:
        """The points at which an operation runs: all iterations of the loops that are `needed`, one of each other."""
        path = [*reversed(around(op)), op]
        assert path[0].parent is not None, "the function's body is around it"
        return self._inside(Points.start(path[0].parent), path, needed, last=last)

    def _inside(self, outer: Points, path: list[Operation], needed: set[Operation], *, last: bool) -> Iterator[Points]:
        """The points of the last operation of a path, at those of the block that the first one stands in."""
        op, *rest = path
        if not rest:
            yield outer
            return
        block = rest[0].parent
        assert block is not None, "it stands in the operation around it"
        match op:
            case scf.ForOp() if op in needed and outer.count == 1:
                trips = int(outer.trips(op)[0])
                inside = prod(self.trips(loop) for loop in rest[:-1] if loop in needed)
                piece = max(1, PIECE // max(1, inside))
                parts = [outer.enter(op, n, min(n + piece, trips)) for n in range(0, trips, piece)]
            case scf.ForOp() if op in needed:
                parts = [outer.enter(op)]
            case scf.ForOp():
                parts = [outer.enter_once(op, last=last)]
            case scf.IfOp():
                # One branch runs or the other; where that is not known both do, one after the other.
                parts = [_branch(outer, op, block)]
            case _:
                raise Untimed(f"{op.name} takes part")
        for points in parts:
            yield from self._inside(points, rest, needed, last=last)

    def times(self, points: Points) -> Array:
        """When the block begins to run at each point."""
        if points.outer is None:
            return np.zeros(1, np.int64)
        around = points.block.parent_op()
        assert around is not None, "only a function's body is outermost"
        before = [self.length(block) for block in blocks_of(around)[: blocks_of(around).index(points.block)]]
        start = self.times(points.outer) + self.since_start(around) + sum(before)
        return start[points.origin] + points.iteration * self.length(points.block)

    def required(self, op: scf.IfOp, block: Block) -> list[tuple[SSAValue, bool]]:
        """Conditions of a branch, as `conditions.required` finds them."""
        if block not in self._required:
            self._required[block] = required(op, block)
        return self._required[block]

    def since_start(self, op: Operation) -> int:
        """The time from the beginning of a block to an operation in it."""
        if op not in self._starts:
            assert op.parent is not None, "it stands in a block"
            self._measure(op.parent)
        return self._starts[op]

    def length(self, block: Block) -> int:
        """The time that a block takes."""
        if block not in self._lengths:
            self._measure(block)
        return self._lengths[block]

    def _measure(self, block: Block) -> None:
        """Note when each operation of a block begins, and how long all take."""
        time = 0
        for op in block.ops:
            self._starts[op] = time
            time += self.duration(op)
        self._lengths[block] = time

    def duration(self, op: Operation) -> int:
        if op not in self._busy:
            return 0
        if op not in self._durations:
            inside = sum(self.length(block) for block in blocks_of(op))
            self._durations[op] = self.trips(op) * inside if isinstance(op, scf.ForOp) else max(1, inside)
        return self._durations[op]


def strides_of(type: MemRefType) -> list[int]:
    """Strides in elements.

    Raises:
        Untimed: the type does not say.
    """
    strides = type.get_strides()
    if strides is None or None in strides:
        raise Untimed(f"the strides of {type} are not known")
    return [stride for stride in strides if stride is not None]


def span_of(type: MemRefType) -> int:
    """Elements from the first to behind the last one."""
    return 1 + sum((extent - 1) * stride for extent, stride in zip(type.get_shape(), strides_of(type), strict=True))


def around(op: Operation) -> list[Operation]:
    """The operations around one, up to the function's body, innermost first."""
    found: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        found.append(parent)
        parent = parent.parent_op()
    return found


def blocks_of(op: Operation) -> list[Block]:
    return [block for region in op.regions for block in region.blocks]


def _branch(outer: Points, op: scf.IfOp, block: Block) -> Points:
    """The points at which a branch runs, or may."""
    if not is_followed(op.cond):
        return outer.branch(block)
    is_true = np.broadcast_to(truth(op.cond, outer.value), (outer.count,))
    return outer.branch(block, is_true if block is op.true_region.block else ~is_true)
