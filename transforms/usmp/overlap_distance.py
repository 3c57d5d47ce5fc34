"""How far an operator's output must begin below an input so that no byte is overwritten before its last read.

At every point of the loops around the stores the body has written up to some byte of the output, and will still read
from some byte of the input on; the largest difference is the distance. The idea is that of "Diagonal Memory
Optimisation" (Blacker et al., 2020); here it is derived from the index arithmetic of the loops, whatever they compute.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import FixedBitwidthType, MemRefType, NoneAttr, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

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
    for use in given.uses:
        if not isinstance(use.operation, memref.LoadOp):
            return None
    for use in output.uses:
        if not isinstance(use.operation, memref.LoadOp | memref.StoreOp):
            return None
    if not _may_share(given.type, output.type):
        return None
    try:
        accesses = _accesses(function, given, output)
    except NotUnderstood:
        return None
    # What is written last, or read first, seen from the side that the output lies on.
    writes = [(a.when(a.time), a.when(-a.first if above else a.end)) for a in accesses if a.is_write]
    reads = [(a.when(a.time), a.when(-a.end if above else a.first)) for a in accesses if not a.is_write]
    return _largest_lead(writes, reads)


def stores_each_once(function: func.FuncOp, output: BlockArgument) -> bool:
    """Whether the function stores no element of an argument twice, so that the order of its stores does not matter."""
    try:
        accesses = _accesses(function, None, output)
    except NotUnderstood:
        return False
    if not all(access.is_exact for access in accesses):
        return False
    stored = [access.when(access.first) for access in accesses]
    bytes_ = np.concatenate(stored) if stored else np.zeros(0, np.int64)
    if not len(bytes_):
        return True
    # Places are few and small numbers: marking them is much faster than sorting.
    is_stored = np.zeros(int(bytes_.max()) - int(bytes_.min()) + 1, np.bool_)
    is_stored[bytes_ - bytes_.min()] = True
    return int(is_stored.sum()) == len(bytes_)


def _accesses(function: func.FuncOp, given: BlockArgument | None, output: BlockArgument) -> list[_Access]:
    depth = max((_depth(use.operation) for use in output.uses), default=0)
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
        self._stores = _around(output, memref.StoreOp)
        self._loads = set[Operation]() if given is None else _around(given, memref.LoadOp)

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
            case memref.LoadOp():
                return 1, [self._access(op.memref, list(op.indices), is_write=False)]
            case memref.StoreOp():
                return 1, [self._access(op.memref, list(op.indices), is_write=True)]
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
                        length, accesses = self.block(block, depth)
                        found += [replace(access, time=access.time + time) for access in accesses]
                        time += length
                return time, found
            case _:
                raise NotUnderstood(f"accesses inside {op.name}")

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

    def _access(self, base: SSAValue, indices: list[SSAValue], *, is_write: bool) -> _Access:
        type = base.type
        assert isinstance(type, MemRefType), "accesses go to memrefs"
        zero = np.zeros([1] * self._ranges.axes, np.int64)
        least = most = zero
        for index, extent in zip(indices, type.get_shape(), strict=True):
            range = self._ranges.value(index)
            least, most = least * extent + range.least, most * extent + range.most
        valid: Truth = np.ones(zero.shape, np.bool_)
        for condition in self._ranges.valid:
            valid = np.logical_and(valid, condition)
        size = element_size(type)
        return _Access(is_write, bool((least == most).all()), zero, least * size, (most + 1) * size, valid)


def _around(buffer: BlockArgument, kind: type[Operation]) -> set[Operation]:
    """The accesses of a kind to a buffer, and all operations around them."""
    found: set[Operation] = set()
    for use in buffer.uses:
        op: Operation | None = use.operation if isinstance(use.operation, kind) else None
        while op is not None:
            found.add(op)
            op = op.parent_op()
    return found
