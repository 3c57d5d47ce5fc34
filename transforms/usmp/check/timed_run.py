"""One run of a called function with every access to its buffers timed, all iterations at once as numpy arrays.

Each element of a buffer learns when it is first and last written and last read. For each load and store all iterations
of the loops are enumerated that its element depends on, in pieces that fit into memory. Of a loop that it does not
depend on the first and the last iteration tell the first and the last time. Where an index depends on data the access
may go to any element at any time: nothing else is approximated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from .places import Place
from .points import Array, Points, Scattered
from .points import Untimed as Untimed
from .reference import CONSTANT, Arguments, Reference, refer, width

PIECE = 1 << 20
"""Points that are enumerated at once, about; each takes some tens of bytes."""
MOST = 1 << 31
"""Points that are enumerated at most, in all."""
NEVER = np.iinfo(np.int64).max
"""First write of what is not written; not read and not written last is -1."""


class Accesses:
    """When the elements of one buffer are accessed."""

    def __init__(self, place: Place):
        count = (place.end - place.first) // place.element
        self._place = place
        self._first_write = np.full(count, NEVER, np.int64)
        self._last_write = np.full(count, -1, np.int64)
        self._last_read = np.full(count, -1, np.int64)

    @property
    def is_read(self) -> bool:
        """Whether any element is."""
        return bool((self._last_read >= 0).any())

    @property
    def is_written(self) -> bool:
        """Whether any element is."""
        return bool((self._last_write >= 0).any())

    def record_bytes(self, begins: Array, width: int, times: Array, *, write: bool) -> None:
        """Note accesses to `width` bytes each, at times as for `record`.

        Raises:
            Untimed: they are parts of elements.
        """
        unit = self._place.element
        if width % unit or (begins % unit).any():
            raise Untimed("a part of an element is accessed")
        for number in range(width // unit):
            self.record(begins // unit + number, times, write=write)

    def record(self, elements: Array, times: Array, *, write: bool) -> None:
        """Note accesses to elements at times, among which are the first and the last one of each."""
        count = len(self._last_read)
        if elements.min(initial=0) < 0 or elements.max(initial=0) >= count:
            raise PassFailedException(f"an access leaves buffer '{self._place.name}' of {count} elements")
        if write:
            np.minimum.at(self._first_write, elements, times)
        np.maximum.at(self._last_write if write else self._last_read, elements, times)

    def record_all(self, begin: int, end: int, time: np.int64, *, write: bool) -> None:
        """Note that each element in the bytes [begin, end) of the buffer is accessed at a time."""
        elements = np.arange(begin // self._place.element, -(-end // self._place.element))
        self.record(elements, np.full(len(elements), time), write=write)

    def within(self, first: int, end: int) -> tuple[Array, Array, Array]:
        """First write, last write and last read of each byte in [first, end) of the pool."""
        at = (np.arange(first, end) - self._place.first) // self._place.element
        return self._first_write[at], self._last_write[at], self._last_read[at]


@dataclass(frozen=True)
class Overwrite:
    """A byte that a buffer is read from after another was written to it."""

    read: int
    written: int
    byte: int


class TimedRun:
    """One run; `involved` are the buffers to watch."""

    def __init__(self, places: Sequence[Place], made: Mapping[Operation, int], involved: set[int]):
        self._places = places
        self._made = made
        self._arguments: Arguments = {}
        self._points = 0
        self._durations: dict[Operation, int] = {}
        self._most_trips: dict[Operation, int] = {}
        self._watched: dict[Operation, Reference] = {}
        """Loads and stores of watched buffers."""
        self._busy: set[Operation] = set()
        """Them, and all operations around them."""
        self.accesses = {number: Accesses(places[number]) for number in involved}

    def run(self, function: func.FuncOp, arguments: Arguments) -> None:
        """Run the function.

        Raises:
            Untimed: when something happens depends on data, or on an operation nobody knows.
        """
        self._arguments = arguments
        for op in function.walk():
            if op is not function and (reference := self._reference(op)) is not None:
                self._watched[op] = reference
                self._busy |= {op, *_around(op)}
        for op, reference in self._watched.items():
            assert isinstance(op, memref.LoadOp | memref.StoreOp), "others are refused"
            try:
                self._record(op, reference)
            except Scattered:
                self._record_anywhere(op, reference)

    def overwrite(self) -> Overwrite | None:
        """A byte that is read from one buffer after another was written to it."""
        for a, b, first, end in self._shared():
            _, _, read = self.accesses[a].within(first, end)
            written, _, _ = self.accesses[b].within(first, end)
            late = written < read
            if late.any():
                return Overwrite(a, b, first + int(np.argmax(late)))
        return None

    def is_destroyed(self, number: int, *, by: int) -> bool:
        """Whether after the run bytes of a buffer are another's, which was written later."""
        for a, b, first, end in self._shared():
            if (a, b) == (number, by):
                own, _, _ = self.accesses[a].within(first, end)
                _, other, _ = self.accesses[b].within(first, end)
                return bool(((other >= 0) & ((own == NEVER) | (other > own))).any())
        return False

    def _shared(self) -> list[tuple[int, int, int, int]]:
        """All ordered pairs of watched buffers that share bytes [first, end)."""
        return [
            (a, b, max(self._places[a].first, self._places[b].first), min(self._places[a].end, self._places[b].end))
            for a in sorted(self.accesses)
            for b in sorted(self.accesses)
            if a != b and self._places[a].overlaps(self._places[b])
        ]

    def _reference(self, op: Operation) -> Reference | None:
        """The watched buffer that an operation loads from or stores to."""
        if op in self._made or any(isinstance(result.type, MemRefType) for result in op.results):
            return None
        named = [v for v in op.operands if isinstance(v.type, MemRefType)]
        references = [r for value in named if (r := refer(value, self._arguments, self._made)) is not None]
        for reference in references:
            if isinstance(op, memref.LoadOp | memref.StoreOp):
                if reference.number == CONSTANT and isinstance(op, memref.StoreOp):
                    raise PassFailedException("a constant is written to")
                if reference.number in self.accesses:
                    if reference.start is None:
                        raise Untimed("where a part of a buffer lies is not known")
                    return reference
            elif reference.number in self.accesses or reference.number == CONSTANT:
                raise Untimed(f"{op.name} takes part")
        return None

    def _record(self, op: memref.LoadOp | memref.StoreOp, reference: Reference) -> None:
        path = _around(op)
        needed = _loops_behind([op.indices, *(_bounds(o) for o in path)])
        type = op.memref.type
        assert isinstance(type, MemRefType), "accesses go to memrefs"
        is_write = isinstance(op, memref.StoreOp)
        free = any(isinstance(o, scf.ForOp) and o not in needed for o in path)
        for last in (False, True) if is_write and free else (True,):
            for points in self._runs(op, needed, last=last):
                elements = np.int64(0)
                for index, stride in zip(op.indices, _strides(type), strict=True):
                    elements = elements + points.value(index) * stride
                self._points += points.count
                if self._points > MOST:
                    raise Untimed("too many iterations")
                spread = np.broadcast_to(elements, (points.count,))
                times = self._times(points) + self._since_start(op)
                size, start = width(type), reference.start or 0
                if spread.min(initial=0) < 0 or spread.max(initial=0) >= _span(type):
                    raise PassFailedException(f"an access leaves its {type}")
                self.accesses[reference.number].record_bytes(start + spread * size, size, times, write=is_write)

    def _record_anywhere(self, op: memref.LoadOp | memref.StoreOp, reference: Reference) -> None:
        """Every element is accessed whenever the operation runs."""
        type = op.memref.type
        assert isinstance(type, MemRefType), "accesses go to memrefs"
        begin = reference.start or 0
        end = begin + _span(type) * width(type)
        needed = _loops_behind(_bounds(o) for o in _around(op))
        is_write = isinstance(op, memref.StoreOp)
        for last in (False, True) if is_write else (True,):
            for points in self._runs(op, needed, last=last):
                if points.count:
                    times = self._times(points) + self._since_start(op)
                    time = times.max() if last else times.min()
                    self.accesses[reference.number].record_all(begin, end, time, write=is_write)

    def _runs(self, op: Operation, needed: set[Operation], *, last: bool) -> Iterator[Points]:
        """The points at which an operation runs: all iterations of the loops that are `needed`, one of each other."""
        path = [*reversed(_around(op)), op]
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
                inside = prod(self._trips(loop) for loop in rest[:-1] if loop in needed)
                piece = max(1, PIECE // max(1, inside))
                parts = [outer.enter(op, n, min(n + piece, trips)) for n in range(0, trips, piece)]
            case scf.ForOp() if op in needed:
                parts = [outer.enter(op)]
            case scf.ForOp():
                parts = [outer.enter_once(op, last=last)]
            case scf.IfOp():
                # Whichever branch runs: both may, one after the other.
                parts = [outer.branch(block)]
            case _:
                raise Untimed(f"{op.name} takes part")
        for points in parts:
            yield from self._inside(points, rest, needed, last=last)

    def _times(self, points: Points) -> Array:
        """When the block begins to run at each point."""
        if points.outer is None:
            return np.zeros(1, np.int64)
        around = points.block.parent_op()
        assert around is not None, "only a function's body is outermost"
        before = [self._length(block) for block in _blocks(around)[: _blocks(around).index(points.block)]]
        start = self._times(points.outer) + self._since_start(around) + sum(before)
        return start[points.origin] + points.iteration * self._length(points.block)

    def _since_start(self, op: Operation) -> int:
        """The time from the beginning of a block to an operation in it."""
        time, other = 0, op.prev_op
        while other is not None:
            time += self._duration(other)
            other = other.prev_op
        return time

    def _length(self, block: Block) -> int:
        return sum(self._duration(op) for op in block.ops)

    def _duration(self, op: Operation) -> int:
        if op not in self._busy:
            return 0
        if op not in self._durations:
            inside = sum(self._length(block) for block in _blocks(op))
            self._durations[op] = self._trips(op) * inside if isinstance(op, scf.ForOp) else max(1, inside)
        return self._durations[op]

    def _trips(self, loop: Operation) -> int:
        """The most iterations that a loop has, whenever it runs; 1 for what is no loop."""
        if not isinstance(loop, scf.ForOp):
            return 1
        if loop not in self._most_trips:
            needed = _loops_behind(_bounds(o) for o in (loop, *_around(loop)))
            self._most_trips[loop] = max(
                (int(points.trips(loop).max(initial=0)) for points in self._runs(loop, needed, last=True)), default=0
            )
        return self._most_trips[loop]


def _strides(type: MemRefType) -> list[int]:
    """Strides in elements.

    Raises:
        Untimed: the type does not say.
    """
    strides = type.get_strides()
    if strides is None or None in strides:
        raise Untimed(f"the strides of {type} are not known")
    return [stride for stride in strides if stride is not None]


def _span(type: MemRefType) -> int:
    """Elements from the first to behind the last one."""
    return 1 + sum((extent - 1) * stride for extent, stride in zip(type.get_shape(), _strides(type), strict=True))


def _around(op: Operation) -> list[Operation]:
    """The operations around one, up to the function's body, innermost first."""
    found: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        found.append(parent)
        parent = parent.parent_op()
    return found


def _blocks(op: Operation) -> list[Block]:
    return [block for region in op.regions for block in region.blocks]


def _bounds(op: Operation) -> list[SSAValue]:
    return [op.lb, op.ub, op.step] if isinstance(op, scf.ForOp) else []


def _loops_behind(values: Iterable[Iterable[SSAValue]]) -> set[Operation]:
    """The loops whose variables the values are computed from."""
    found: set[Operation] = set()
    seen: set[SSAValue] = set()
    waiting = [value for several in values for value in several]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(owner, Operation):
            waiting += owner.operands
        elif (parent := owner.parent_op()) is not None:
            found.add(parent)
            waiting += parent.operands
    return found
