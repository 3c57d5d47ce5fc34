"""How far an operator's output must begin below an input so that no byte is overwritten before its last read.

At every point of the loops around the stores the body has written up to some byte of the output, and will still read
from some byte of the input on; the largest difference is the distance. The idea is that of "Diagonal Memory
Optimisation" (Blacker et al., 2020); here it is derived from the index arithmetic of the loops, whatever they compute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import FixedBitwidthType, IndexType, MemRefType, NoneAttr, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ....dialects.accesses import Access, accesses
from .index_ranges import Array, NotUnderstood, Ranges, Truth
from .structure import element_size

MOST_POINTS = 1 << 22
"""Points of the loops around a store that are enumerated at most."""


@dataclass
class _Round:
    """A loop whose iterations are told apart."""

    loop: scf.ForOp
    starts: Array
    """When each iteration begins, in times from the first one's start, along the loop's axis."""

    def begins(self, turned: Collection[Operation]) -> Array:
        """The same if some loops run from the last iteration to the first."""
        return np.flip(self.starts) if self.loop in turned else self.starts


@dataclass(frozen=True)
class _Access:
    """One load of the input or store of the output at all points; where it is not known exactly, bytes it may be at."""

    is_write: bool
    is_exact: bool
    since: int
    """The time in the first iterations of all loops."""
    rounds: Sequence[_Round]
    """The loops around it whose iterations are told apart, outermost first."""
    first: Array
    end: Array
    """Bytes [first, end) of the buffer."""
    valid: Truth
    begins: Array
    """Where the elements of one access begin, in bytes from its first one."""

    def time(self, turned: Collection[Operation] = ()) -> Array:
        """When it happens at all points, if some loops run backwards."""
        time = np.full([1] * self.valid.ndim, self.since, np.int64)
        for one in reversed(self.rounds):
            time = time + one.begins(turned)
        return time

    def outermost(self, above: bool) -> Array:
        """What is written last, or read first, seen from the side that the output lies on."""
        if above:
            return -(self.first if self.is_write else self.end)
        return self.end if self.is_write else self.first

    def when(self, *values: Array) -> list[Array]:
        """Each of the values at the points where the access happens."""
        shapes = [one.shape for one in (self.valid, *values, *(one.starts for one in self.rounds))]
        points = np.broadcast_shapes(*shapes)
        spread = [np.broadcast_to(each, points) for each in values]
        if self.valid.all():
            return [each.reshape(-1) for each in spread]
        valid = np.broadcast_to(self.valid, points)
        return [each[valid] for each in spread]


class Walks:
    """The accesses of a function, found once for each pair of an input and an output."""

    def __init__(self, function: func.FuncOp):
        self._function = function
        self._touched: dict[SSAValue, Mapping[Operation, Sequence[Access]]] = {}
        self._walks: dict[tuple[BlockArgument | None, BlockArgument], _Walk | None] = {}

    def distance(
        self, given: BlockArgument, output: BlockArgument, *, above: bool = False, turned: Collection[Operation] = ()
    ) -> int | None:
        """The least d >= 0 such that the output may lie d bytes or more below the input; None if it is not known.

        The input must be loaded, the output be stored, directly and in no other way; the input is never stored.

        Args:
            given: the argument that is the input.
            output: the argument that is the output.
            above: ask for the distance above the input instead: what a function needs whose loops run backwards.
            turned: loops that are to run the other way, `are_told_apart`.
        """
        if not self._is_accessed_in_order(given) or not self._is_accessed_in_order(output):
            return None
        if _writing(self._uses(given)) or not _may_share(given.type, output.type):
            return None
        walk = self._walk(given, output)
        if walk is None:
            return None
        writes, reads = (
            [one.when(one.time(turned), one.outermost(above)) for one in walk.found if one.is_write is kind]
            for kind in (True, False)
        )
        return _largest_lead(writes, reads)

    def are_told_apart(self, given: BlockArgument, output: BlockArgument, loops: Collection[Operation]) -> bool:
        """Whether loops may be taken for turned: of none is the order of its iterations left open."""
        walk = self._walk(given, output)
        is_index = all(isinstance(loop.regions[0].block.args[0].type, IndexType) for loop in loops)
        return is_index and (walk is None or walk.spanned.isdisjoint(loops))

    def stores_each_once(self, output: BlockArgument) -> bool:
        """Whether no element of an argument is stored twice, so that the order of the stores does not matter."""
        walks = (walk for (_, stored), walk in self._walks.items() if stored is output and walk is not None)
        walk = next(walks, None) or self._walk(None, output)
        if walk is None:
            return False
        writes = [access for access in walk.found if access.is_write]
        if not all(access.is_exact for access in writes):
            return False
        stored = [np.add.outer(access.begins, *access.when(access.first)).reshape(-1) for access in writes]
        bytes_ = np.concatenate(stored) if stored else np.zeros(0, np.int64)
        if not len(bytes_):
            return True
        # Places are few and small numbers: marking them is much faster than sorting.
        is_stored = np.zeros(int(bytes_.max()) - int(bytes_.min()) + 1, np.bool_)
        is_stored[bytes_ - bytes_.min()] = True
        return int(is_stored.sum()) == len(bytes_)

    def _walk(self, given: BlockArgument | None, output: BlockArgument) -> _Walk | None:
        """All accesses to both; None where they are not understood."""
        if (given, output) not in self._walks:
            uses = ({} if given is None else self._uses(given)), self._uses(output)
            try:
                self._walks[given, output] = _Walk(self._function, *uses)
            except NotUnderstood:
                self._walks[given, output] = None
        return self._walks[given, output]

    def _uses(self, buffer: SSAValue) -> Mapping[Operation, Sequence[Access]]:
        """All that uses a memref, or all its elements in fewer dimensions, and how."""
        if buffer not in self._touched:
            self._touched[buffer] = {
                op: [access for access in accesses(op) if _whole(access.memref) is buffer] for op in _users(buffer)
            }
        return self._touched[buffer]

    def _is_accessed_in_order(self, buffer: BlockArgument) -> bool:
        """Whether all that uses a memref accesses elements at indices."""
        touching = self._uses(buffer).values()
        return all(found and all(access.indices is not None for access in found) for found in touching)


def _writing(uses: Mapping[Operation, Sequence[Access]]) -> set[Operation]:
    return {op for op, found in uses.items() if any(access.is_write for access in found)}


def _reading(uses: Mapping[Operation, Sequence[Access]]) -> set[Operation]:
    return {op for op, found in uses.items() if not all(access.is_write for access in found)}


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


def _may_share(a: Attribute, b: Attribute) -> bool:
    """Whether both are plain memrefs, of one element type or with characters in one.

    A C compiler may exchange accesses to other pairs of types, for it assumes that they do not share bytes (C99 6.5).
    """
    if not isinstance(a, MemRefType) or not isinstance(b, MemRefType):
        return False
    is_plain = all(isinstance(t.layout, NoneAttr) and isinstance(t.element_type, FixedBitwidthType) for t in (a, b))
    return is_plain and (a.element_type == b.element_type or i8 in (a.element_type, b.element_type))


def _largest_lead(writes: list[list[Array]], reads: list[list[Array]]) -> int:
    """The largest excess of a byte written over a byte that is read later; each a list of times and one of bytes."""
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
    """Collects the accesses of a body, statement by statement; time counts statements.

    Raises:
        NotUnderstood: the body does something that is not followed.
    """

    def __init__(
        self,
        function: func.FuncOp,
        loads: Mapping[Operation, Sequence[Access]],
        stores: Mapping[Operation, Sequence[Access]],
    ):
        self.found: list[_Access] = []
        self.spanned: set[Operation] = set()
        """Loops whose iterations are not told apart."""
        self._ranges = Ranges(max(1, max(map(_depth, stores), default=0)))
        self._points = 1
        """Points of the loops around the current statement; more than `MOST_POINTS` where they are not told apart."""
        self._rounds: list[_Round] = []
        """The loops around the current statement whose iterations are told apart."""
        self._moment: tuple[int, int] | None = None
        """When all writes and all reads happen at the current place, where their order is not looked at."""
        self._given, self._output = loads, stores
        self._stores, self._loads = around(_writing(stores)), around(_reading(loads))
        self._block(function.body.block, 0)

    def _block(self, block: Block, time: int) -> int:
        """Collect what a block accesses that begins at a time; returns when it ends."""
        for op in block.ops:
            if op in self._stores or op in self._loads:
                time = self._statement(op, time)
        return time

    def _statement(self, op: Operation, time: int) -> int:
        match op:
            case _ if not op.regions:
                return self._plain(op, time)
            case scf.ForOp() if op in self._stores:
                return self._loop(op, time)
            case scf.ForOp():
                self._span(op, time, time)
                return time + 1
            case scf.IfOp():
                for region in op.regions:
                    for block in region.blocks:
                        self._ranges.branch(op.cond, taken=region is op.true_region)
                        time = self._block(block, time)
                        self._ranges.leave()
                return time
            case _:
                raise NotUnderstood(f"accesses inside {op.name}")

    def _plain(self, op: Operation, time: int) -> int:
        """An operation that reads and writes may do so in any order: every read may follow every write."""
        reads = [access for access in self._given.get(op, ()) if not access.is_write]
        writes = [access for access in self._output.get(op, ()) if access.is_write]
        last = time + 1 if reads and writes else time
        begin, end = self._moment or (time, last)
        for access in reads:
            self._access(access, end)
        for access in writes:
            self._access(access, begin)
        return last + 1

    def _loop(self, loop: scf.ForOp, time: int) -> int:
        """A loop with stores: iteration by iteration, or as one moment where that would be too many points."""
        trips = 0 if self._points > MOST_POINTS else self._ranges.trips(loop)
        if self._points > MOST_POINTS or self._points * trips > MOST_POINTS:
            # The order within is not looked at: every read may follow every write.
            outer, self._points = self._points, MOST_POINTS + 1
            self._span(loop, time, time + 1)
            self._points = outer
            return time + 2
        depth, outer = len(self._rounds), self._points
        self._points *= max(1, trips)
        self._ranges.enumerate(loop, trips, depth)
        self._rounds.append(_Round(loop, np.zeros(0, np.int64)))
        length = self._block(loop.body.block, time) - time
        self._rounds.pop().starts = self._ranges.along(np.arange(trips, dtype=np.int64) * length, depth)
        self._ranges.leave()
        self._points = outer
        return time + trips * length

    def _span(self, loop: scf.ForOp, begin: int, end: int) -> None:
        """Collect what a loop accesses in no order: all writes at one time, all reads at another."""
        outer, self._moment = self._moment, self._moment or (begin, end)
        self.spanned.add(loop)
        self._ranges.span(loop)
        self._block(loop.body.block, begin)
        self._ranges.leave()
        self._moment = outer

    def _access(self, access: Access, time: int) -> None:
        if access.indices is None:
            raise NotUnderstood("an access to all of a memref, in an order that is not known")
        zero = np.zeros([1] * self._ranges.axes, np.int64)
        least = most = zero
        extents = access.type.get_shape()
        for index, extent in zip(access.indices, extents, strict=True):
            range = self._ranges.value(index)
            is_one = least is most and range.least is range.most
            least = least * extent + range.least
            most = least if is_one else most * extent + range.most
        begins = np.zeros(1, np.int64)
        for count, extent in zip(access.shape, extents, strict=True):
            begins = np.add.outer(begins * extent, np.arange(count)).reshape(-1)
        valid: Truth = np.ones(zero.shape, np.bool_)
        for condition in self._ranges.valid:
            if not condition.all():
                valid = np.logical_and(valid, condition)
        size, is_exact = element_size(access.type), least is most or bool((least == most).all())
        end = (most + int(begins.max(initial=0)) + 1) * size
        rounds = list(self._rounds)
        self.found.append(_Access(access.is_write, is_exact, time, rounds, least * size, end, valid, begins * size))


def around(ops: Iterable[Operation]) -> set[Operation]:
    """Operations, and all operations around them."""
    found: set[Operation] = set()
    for one in ops:
        op: Operation | None = one
        while op is not None and op not in found:
            found.add(op)
            op = op.parent_op()
    return found
