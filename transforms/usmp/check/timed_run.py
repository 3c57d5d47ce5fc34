"""One run of a called function with every access to its buffers timed, all iterations at once as numpy arrays.

Each element of a buffer learns when it is first and last written and last read. Nothing is approximated: all points of
all loops are enumerated, in pieces that fit into memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from .places import Place
from .points import Array, Points
from .points import Untimed as Untimed
from .reference import CONSTANT, Arguments, refer

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

    def record(self, elements: Array, times: Array, *, write: bool) -> None:
        """Note accesses to elements at times."""
        count = len(self._last_read)
        if elements.min(initial=0) < 0 or elements.max(initial=0) >= count:
            raise PassFailedException(f"an access leaves buffer '{self._place.name}' of {count} elements")
        if write:
            np.minimum.at(self._first_write, elements, times)
            np.maximum.at(self._last_write, elements, times)
        else:
            np.maximum.at(self._last_read, elements, times)

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


@dataclass(frozen=True)
class Event:
    """One load or store: for some points of a block which elements, and when since the block began."""

    number: int
    is_write: bool
    points: Array
    elements: Array
    times: Array


class TimedRun:
    """One run; `involved` are the buffers to watch."""

    def __init__(self, places: Sequence[Place], made: Mapping[Operation, int], involved: set[int]):
        self._places = places
        self._made = made
        self._arguments: Arguments = {}
        self._clock = 0
        self._points = 0
        self._busy: dict[Operation, bool] = {}
        self.accesses = {number: Accesses(places[number]) for number in involved}

    def run(self, function: func.FuncOp, arguments: Arguments) -> None:
        """Run the function.

        Raises:
            Untimed: when something happens depends on data, or on an operation nobody knows.
        """
        self._arguments = arguments
        self._alone(Points.start(function.body.block))

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

    def _alone(self, points: Points) -> None:
        """Run a block at a single point, by the clock."""
        for op in points.block.ops:
            if isinstance(op, scf.ForOp) and self._is_busy(op):
                self._pieces(op, points)
            elif isinstance(op, scf.IfOp):
                # Whichever branch runs: both may.
                for region in op.regions:
                    for block in region.blocks:
                        self._alone(points.branch(block))
            else:
                length, events = self._statement(op, points)
                self._record(events, length)

    def _pieces(self, loop: scf.ForOp, points: Points) -> None:
        """Run a loop: its first iteration alone, which tells how many of the others fit into memory together."""
        trips = int(points.trips(loop)[0])
        start, piece = 0, 1
        while start < trips:
            before = self._points
            inner = points.enter(loop, start, min(start + piece, trips))
            if piece == 1:
                self._alone(inner)
            else:
                length, events = self._block(inner)
                self._record([_shifted(event, event.points * length) for event in events], length * inner.count)
            if self._points > MOST:
                raise Untimed("too many iterations")
            start += piece
            piece = max(1, PIECE // max(1, (self._points - before) // piece))

    def _record(self, events: list[Event], length: int) -> None:
        for event in events:
            self.accesses[event.number].record(event.elements, event.times + self._clock, write=event.is_write)
        self._clock += length

    def _block(self, points: Points) -> tuple[int, list[Event]]:
        """Run a block at all points; gives its length in time and what happens, relative to its start."""
        time, happened = 0, list[Event]()
        for op in points.block.ops:
            length, events = self._statement(op, points)
            happened += [_shifted(event, time) for event in events]
            time += length
        return time, happened

    def _statement(self, op: Operation, points: Points) -> tuple[int, list[Event]]:
        match op:
            case memref.LoadOp() | memref.StoreOp():
                return 1, self._access(op, points)
            case _ if not self._is_busy(op):
                return 1, []
            case scf.ForOp():
                return self._loop(op, points)
            case scf.IfOp():
                return self._branches(op, points)
            case _:
                raise Untimed(f"{op.name} takes part")

    def _access(self, op: memref.LoadOp | memref.StoreOp, points: Points) -> list[Event]:
        reference = refer(op.memref, self._arguments, self._made)
        if reference is None:
            return []
        if reference.number == CONSTANT and isinstance(op, memref.StoreOp):
            raise PassFailedException("a constant is written to")
        if reference.number not in self.accesses:
            return []
        if not reference.is_whole:
            raise Untimed("a part of a buffer is accessed as a buffer of its own")
        type = op.memref.type
        assert isinstance(type, MemRefType), "accesses go to memrefs"
        elements = np.int64(0)
        for index, extent in zip(op.indices, type.get_shape(), strict=True):
            elements = elements * extent + points.value(index)
        self._points += points.count
        everywhere = np.arange(points.count)
        spread = np.broadcast_to(elements, everywhere.shape)
        is_write = isinstance(op, memref.StoreOp)
        return [Event(reference.number, is_write, everywhere, spread, np.zeros(points.count, np.int64))]

    def _loop(self, loop: scf.ForOp, points: Points) -> tuple[int, list[Event]]:
        trips = points.trips(loop)
        inner = points.enter(loop)
        if inner.count == 0:
            return 1, []
        length, events = self._block(inner)
        outer = [
            Event(
                e.number, e.is_write, inner.origin[e.points], e.elements, e.times + inner.iteration[e.points] * length
            )
            for e in events
        ]
        return int(trips.max()) * length, outer

    def _branches(self, op: scf.IfOp, points: Points) -> tuple[int, list[Event]]:
        time, happened = 0, list[Event]()
        for region in op.regions:
            for block in region.blocks:
                length, events = self._block(points.branch(block))
                happened += [_shifted(event, time) for event in events]
                time += length
        return time, happened

    def _is_busy(self, op: Operation) -> bool:
        """Whether the operation, or one in it, may touch a watched buffer or a constant."""
        if op not in self._busy:
            self._busy[op] = self._touches(op)
        return self._busy[op]

    def _touches(self, op: Operation) -> bool:
        for inner in op.walk():
            if inner in self._made or (not inner.operands and not isinstance(inner, func.CallOp)):
                continue
            if isinstance(inner, func.CallOp) and not _is_plain(inner):
                return True
            if any(isinstance(result.type, MemRefType) for result in inner.results):
                continue
            if any(self._names_buffer(operand) for operand in inner.operands):
                return True
        return False

    def _names_buffer(self, value: SSAValue) -> bool:
        if not isinstance(value.type, MemRefType):
            return False
        reference = refer(value, self._arguments, self._made)
        return reference is not None and (reference.number in self.accesses or reference.number == CONSTANT)


def _is_plain(call: func.CallOp) -> bool:
    """Whether a call passes numbers only, so that it can touch no buffer of its caller."""
    return not any(isinstance(operand.type, MemRefType) for operand in call.operands)


def _shifted(event: Event, by: int | Array) -> Event:
    return Event(event.number, event.is_write, event.points, event.elements, event.times + by)
