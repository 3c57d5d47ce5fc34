"""How far an operator's output must begin below an input so that no byte is overwritten before its last read.

At every point of the loops around the stores the body has written up to some byte of the output, and will still read
from some byte of the input on; the largest difference is the distance. The idea is that of "Diagonal Memory
Optimisation" (Blacker et al., 2020); here it is derived from the index arithmetic of the loops, whatever they compute.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import FixedBitwidthType, MemRefType, NoneAttr, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ....dialects.accesses import Access, accesses
from .index_ranges import Array, NotUnderstood, Ranges, Truth
from .structure import element_size

MOST_POINTS = 1 << 22
"""Points of the loops around a store that are enumerated at most."""


@dataclass(frozen=True)
class _Access:
    """One load of the input or store of the output at all points; where it is not known exactly, bytes it may be at."""

    is_write: bool
    is_exact: bool
    time: Array
    first: Array
    end: Array
    """Bytes [first, end) of the buffer."""
    valid: Truth
    begins: Array
    """Where the elements of one access begin, in bytes from its first one."""

    def when(self, values: Array) -> Array:
        """The values at the points where the access happens."""
        spread, valid = np.broadcast_arrays(values, np.logical_and(self.valid, np.ones_like(self.time, np.bool_)))
        return spread[valid]


def distance(function: func.FuncOp, given: BlockArgument, output: BlockArgument, *, above: bool = False) -> int | None:
    """The least d >= 0 such that the output may lie d bytes or more below the input; None if it is not known.

    The input must be loaded, the output be stored, directly and in no other way; the input is never stored.

    Args:
        function: the operator.
        given: its argument that is the input.
        output: its argument that is the output.
        above: ask for the distance above the input instead: what a function needs whose loops run backwards.
    """
    if not _is_accessed_in_order(given) or not _is_accessed_in_order(output) or _writes(given):
        return None
    if not _may_share(given.type, output.type):
        return None
    try:
        found = _accesses(function, given, output)
    except NotUnderstood:
        return None
    # What is written last, or read first, seen from the side that the output lies on.
    writes = [(a.when(a.time), a.when(-a.first if above else a.end)) for a in found if a.is_write]
    reads = [(a.when(a.time), a.when(-a.end if above else a.first)) for a in found if not a.is_write]
    return _largest_lead(writes, reads)


def stores_each_once(function: func.FuncOp, output: BlockArgument) -> bool:
    """Whether the function stores no element of an argument twice, so that the order of its stores does not matter."""
    try:
        found = _accesses(function, None, output)
    except NotUnderstood:
        return False
    if not all(access.is_exact for access in found):
        return False
    stored = [np.add.outer(access.begins, access.when(access.first)).reshape(-1) for access in found]
    bytes_ = np.concatenate(stored) if stored else np.zeros(0, np.int64)
    if not len(bytes_):
        return True
    # Places are few and small numbers: marking them is much faster than sorting.
    is_stored = np.zeros(int(bytes_.max()) - int(bytes_.min()) + 1, np.bool_)
    is_stored[bytes_ - bytes_.min()] = True
    return int(is_stored.sum()) == len(bytes_)


def _is_accessed_in_order(buffer: BlockArgument) -> bool:
    """Whether all that uses a memref accesses elements at indices."""
    touching = [[a for a in accesses(op) if _whole(a.memref) is buffer] for op in _users(buffer)]
    return all(found and all(access.indices is not None for access in found) for found in touching)


def _whole(value: SSAValue) -> SSAValue:
    """The memref of which a value is all elements in their order, perhaps in fewer dimensions."""
    while isinstance(view := value.owner, memref.CollapseShapeOp):
        value = view.src
    return value


def _users(buffer: SSAValue) -> list[Operation]:
    """Uses of a memref, or of all its elements in fewer dimensions."""
    direct = [use.operation for use in buffer.uses]
    inside = [user for op in direct if isinstance(op, memref.CollapseShapeOp) for user in _users(op.result)]
    return [op for op in direct if not isinstance(op, memref.CollapseShapeOp)] + inside


def _reads(buffer: SSAValue) -> set[Operation]:
    return {op for op in _users(buffer) for a in accesses(op) if _whole(a.memref) is buffer and not a.is_write}


def _writes(buffer: SSAValue) -> set[Operation]:
    return {op for op in _users(buffer) for a in accesses(op) if _whole(a.memref) is buffer and a.is_write}


def _accesses(function: func.FuncOp, given: BlockArgument | None, output: BlockArgument) -> list[_Access]:
    depth = max((_depth(op) for op in _users(output)), default=0)
    return _Walk(given, output, Ranges(max(1, depth))).block(function.body.block, 0)[1]


def _may_share(a: Attribute, b: Attribute) -> bool:
    """Whether both are plain memrefs, of one element type or with characters in one.

    A C compiler may exchange accesses to other pairs of types, for it assumes that they do not share bytes (C99 6.5).
    """
    if not isinstance(a, MemRefType) or not isinstance(b, MemRefType):
        return False
    is_plain = all(isinstance(t.layout, NoneAttr) and isinstance(t.element_type, FixedBitwidthType) for t in (a, b))
    return is_plain and (a.element_type == b.element_type or i8 in (a.element_type, b.element_type))


def _largest_lead(writes: list[tuple[Array, Array]], reads: list[tuple[Array, Array]]) -> int:
    """The largest excess of a byte written over a byte that is read later."""
    if not writes or not reads:
        return 0
    time, byte = (np.concatenate(column) for column in zip(*reads, strict=True))
    order = np.argsort(time, kind="stable")
    time, lowest = time[order], np.minimum.accumulate(byte[order][::-1])[::-1]
    best = 0
    for written, end in writes:
        later = np.searchsorted(time, written, side="right")
        is_followed = later < len(time)
        leads = end[is_followed] - lowest[later[is_followed]]
        best = max(best, int(leads.max(initial=0)))
    return best


def _depth(op: Operation) -> int:
    """Number of loops around an operation."""
    parent = op.parent_op()
    return 0 if parent is None else _depth(parent) + isinstance(parent, scf.ForOp)


class _Walk:
    """Collects the accesses of a body, statement by statement; time counts statements."""

    def __init__(self, given: BlockArgument | None, output: BlockArgument, ranges: Ranges):
        self._ranges = ranges
        self._points = 1
        """Points of the loops around the current statement; more than `MOST_POINTS` where they are not told apart."""
        self._given, self._output = given, output
        self._stores = around(_writes(output))
        self._loads = set[Operation]() if given is None else around(_reads(given))

    def block(self, block: Block, depth: int) -> tuple[int, list[_Access]]:
        """The duration of a block, and what it accesses, in times from its start; `depth` loops are enumerated."""
        time, found = 0, list[_Access]()
        for op in block.ops:
            if op not in self._stores and op not in self._loads:
                continue
            length, accesses = self._statement(op, depth)
            found += [replace(access, time=access.time + time) for access in accesses]
            time += length
        return time, found

    def _statement(self, op: Operation, depth: int) -> tuple[int, list[_Access]]:
        match op:
            case _ if not op.regions:
                return self._plain(op)
            case scf.ForOp() if op in self._stores:
                return self._loop(op, depth)
            case scf.ForOp():
                self._ranges.span(op)
                _, accesses = self.block(op.body.block, depth)
                self._ranges.leave()
                return 1, [replace(access, time=np.zeros_like(access.time)) for access in accesses]
            case scf.IfOp():
                time, found = 0, list[_Access]()
                for region in op.regions:
                    for block in region.blocks:
                        self._ranges.branch(op.cond, taken=region is op.true_region)
                        length, accesses = self.block(block, depth)
                        self._ranges.leave()
                        found += [replace(access, time=access.time + time) for access in accesses]
                        time += length
                return time, found
            case _:
                raise NotUnderstood(f"accesses inside {op.name}")

    def _plain(self, op: Operation) -> tuple[int, list[_Access]]:
        """An operation that reads and writes may do so in any order: every read may follow every write."""
        reads = [self._access(a) for a in accesses(op) if _whole(a.memref) is self._given and not a.is_write]
        writes = [self._access(a) for a in accesses(op) if _whole(a.memref) is self._output and a.is_write]
        if not reads or not writes:
            return 1, [*reads, *writes]
        return 2, [*writes, *(replace(read, time=read.time + 1) for read in reads)]

    def _loop(self, loop: scf.ForOp, depth: int) -> tuple[int, list[_Access]]:
        """A loop with stores: iteration by iteration, or as one moment where that would be too many points."""
        if self._points > MOST_POINTS or self._points * self._ranges.trips(loop) > MOST_POINTS:
            return self._moment(loop, depth)
        outer, trips = self._points, self._ranges.trips(loop)
        self._points *= max(1, trips)
        self._ranges.enumerate(loop, depth)
        length, accesses = self.block(loop.body.block, depth + 1)
        self._ranges.leave()
        self._points = outer
        starts = self._ranges.along(np.arange(trips, dtype=np.int64) * length, depth)
        return trips * length, [replace(access, time=access.time + starts) for access in accesses]

    def _moment(self, loop: scf.ForOp, depth: int) -> tuple[int, list[_Access]]:
        """The order within is not looked at: every read may follow every write."""
        outer, self._points = self._points, MOST_POINTS + 1
        self._ranges.span(loop)
        _, accesses = self.block(loop.body.block, depth)
        self._ranges.leave()
        self._points = outer
        return 2, [replace(a, time=np.full_like(a.time, 0 if a.is_write else 1)) for a in accesses]

    def _access(self, access: Access) -> _Access:
        if access.indices is None:
            raise NotUnderstood("an access to all of a memref, in an order that is not known")
        zero = np.zeros([1] * self._ranges.axes, np.int64)
        least = most = zero
        extents = access.type.get_shape()
        for index, extent in zip(access.indices, extents, strict=True):
            range = self._ranges.value(index)
            least, most = least * extent + range.least, most * extent + range.most
        begins = np.zeros(1, np.int64)
        for count, extent in zip(access.shape, extents, strict=True):
            begins = np.add.outer(begins * extent, np.arange(count)).reshape(-1)
        valid: Truth = np.ones(zero.shape, np.bool_)
        for condition in self._ranges.valid:
            valid = np.logical_and(valid, condition)
        size, is_exact = element_size(access.type), bool((least == most).all())
        end = (most + int(begins.max(initial=0)) + 1) * size
        return _Access(access.is_write, is_exact, zero, least * size, end, valid, begins * size)


def around(ops: Iterable[Operation]) -> set[Operation]:
    """Operations, and all operations around them."""
    found: set[Operation] = set()
    for one in ops:
        op: Operation | None = one
        while op is not None and op not in found:
            found.add(op)
            op = op.parent_op()
    return found
