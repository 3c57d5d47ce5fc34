"""A timed run of functions with too many iterations, or buffers with too many elements, to look at each of them.

Outer loops are enumerated as far as that stays quick; what is inside happens at one moment, over all bytes between the
least and the largest that it may access. So whatever this accepts is right; what it refuses may be right as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from xdsl.dialects import scf
from xdsl.ir import Operation

from ....dialects.accesses import Access
from .behind import bounds
from .places import Place
from .points import Array, Points, Scattered, Untimed
from .reference import Reference, width
from .run import Overwrite, Run, around, span_of, strides_of
from .spans import Spans
from .timed_run import NEVER

MOMENTS = 1 << 22
"""Iterations that are told apart for each access, at most: no fewer than `usmp-overlap` looks at."""


class Moments:
    """When ranges of bytes of one buffer may be accessed: each in some time from `begin` on, before `end`."""

    def __init__(self) -> None:
        self._reads: list[tuple[Array, ...]] = []
        self._writes: list[tuple[Array, ...]] = []

    @property
    def is_read(self) -> bool:
        """Whether any byte is."""
        return bool(self._reads)

    @property
    def is_written(self) -> bool:
        """Whether any byte is."""
        return bool(self._writes)

    def record(self, first: Array, end: Array, begins: Array, ends: Array, *, write: bool) -> None:
        """Note accesses to the bytes [first, end) of the pool."""
        if len(first):
            (self._writes if write else self._reads).append((first, end, begins, ends))

    def edges(self, *, write: bool) -> Array:
        """Where ranges begin and end."""
        ranges = self._writes if write else self._reads
        return np.concatenate([np.zeros(0, np.int64), *(column for row in ranges for column in row[:2])])

    def earliest_write(self, edges: Array) -> Array:
        """For the bytes from each edge to the next the first time at which one may be written."""
        return -_largest(edges, [(first, end, -begins) for first, end, begins, _ in self._writes], -NEVER)

    def latest(self, edges: Array, *, write: bool) -> Array:
        """For the bytes from each edge to the next when the last access is over; -1 if there is none."""
        ranges = self._writes if write else self._reads
        return _largest(edges, [(first, end, ends) for first, end, _, ends in ranges], -1)


def _largest(edges: Array, ranges: Sequence[tuple[Array, Array, Array]], least: int) -> Array:
    """For each piece between edges the largest value of a range [first, end) over it.

    A range is two of a power of two of pieces that may overlap; from the longest on these are halved.
    """
    low, high, values = (
        np.concatenate([np.zeros(0, np.int64), *column])
        for column in (
            [np.searchsorted(edges, first) for first, _, _ in ranges],
            [np.searchsorted(edges, end) for _, end, _ in ranges],
            [value for _, _, value in ranges],
        )
    )
    is_there = low < high
    low, high, values = low[is_there], high[is_there], values[is_there]
    level = np.frexp(high - low)[1] - 1
    found = np.full(len(edges), least, np.int64)
    for number in range(int(level.max(initial=0)), -1, -1):
        chosen, length = level == number, 1 << number
        np.maximum.at(found, low[chosen], values[chosen])
        np.maximum.at(found, high[chosen] - length, values[chosen])
        if number:
            half = length // 2
            whole = found.copy()
            np.maximum(found[half:], whole[:-half], out=found[half:])
    return found


class CoarseRun(Run):
    """One run; `involved` are the buffers to watch."""

    def __init__(
        self,
        places: Sequence[Place],
        made: Mapping[Operation, int],
        involved: set[int],
        born: Collection[int] = (),
    ):
        super().__init__(places, made, involved, born)
        self.accesses = {number: Moments() for number in involved}

    def overwrite(self) -> Overwrite | None:
        """A byte that may be read from one buffer after another was written to it."""
        for a, b, first, end in self.shared():
            own, other = self.accesses[a], self.accesses[b]
            own_edges = [own.edges(write=write) for write in (False, True)]
            edges = self._edges(first, end, *own_edges, other.edges(write=True))
            late = other.earliest_write(edges) < own.latest(edges, write=False)
            if a in self.born:
                # What is over before the buffer's own first write was another's time.
                begun = own.earliest_write(edges)
                late &= (other.latest(edges, write=True) > begun) | (begun == NEVER)
            if late.any():
                return Overwrite(a, b, int(edges[np.argmax(late)]))
        return None

    def is_destroyed(self, number: int, *, by: int, was_there: bool) -> bool:
        """Whether after the run bytes of a buffer may be another's; as of `TimedRun`."""
        for a, b, first, end in self.shared():
            if (a, b) == (number, by):
                own, other = self.accesses[a], self.accesses[b]
                edges = self._edges(first, end, own.edges(write=True), other.edges(write=True))
                last = other.latest(edges, write=True)
                # No byte is surely written: what was there before may be what the other destroyed.
                return bool(((last >= 0) & (was_there | (last > own.earliest_write(edges)))).any())
        return False

    def _edges(self, first: int, end: int, *columns: Array) -> Array:
        """Where bytes in [first, end) may begin to differ."""
        return np.unique(np.concatenate([np.array([first]), *(c[(c > first) & (c < end)] for c in columns)]))

    def record(self, op: Operation, access: Access, reference: Reference) -> None:
        """Note when the operation may access which bytes."""
        path = [*reversed(around(op)), op]
        cut = self._cut(path)
        needed = self.behind.of([*(access.indices or ()), *(bound for o in path for bound in bounds(o))])
        outer = around(path[cut])
        is_free = any(isinstance(o, scf.ForOp) and o not in needed for o in outer)
        for last in (False, True) if access.is_write and is_free else (True,):
            for points in self.runs(path[cut], needed, last=last):
                self._note(access, path[cut:], points, reference)

    def _cut(self, path: Sequence[Operation]) -> int:
        """How many of the operations around an access are enumerated, from outside."""
        count = 1
        for number, op in enumerate(path[:-1]):
            if isinstance(op, scf.ForOp):
                count *= max(1, self.trips(op))
            if count > MOMENTS:
                return number
        return len(path) - 1

    def _note(self, access: Access, inner: Sequence[Operation], points: Points, reference: Reference) -> None:
        if not points.count:
            return
        type, place = access.type, self.places[reference.number]
        least, most = np.int64(0), np.int64(span_of(type) - 1)
        try:
            spans = Spans(points, [block for o in inner[1:] if (block := o.parent) is not None])
            found = [spans.value(index) for index in access.indices or ()]
            reached = [(span[0], span[1] + count - 1) for span, count in zip(found, access.shape, strict=True)]
            # That accesses keep to their memref is the program's affair; here spans are wider than what happens.
            clipped = [np.clip(span, 0, extent - 1) for span, extent in zip(reached, type.get_shape(), strict=True)]
            strides = strides_of(type)
            least = sum((c[0] * s for c, s in zip(clipped, strides, strict=True)), np.int64(0))
            most = sum((c[1] * s for c, s in zip(clipped, strides, strict=True)), np.int64(0))
        except Scattered:
            pass
        begins = self.times(points) + self.since_start(inner[0])
        start = place.first + (reference.start or 0)
        first = np.broadcast_to(start + least * width(type), (points.count,))
        end = np.broadcast_to(start + (most + 1) * width(type), (points.count,))
        ends = begins + self.duration(inner[0])
        self.accesses[reference.number].record(first, end, begins, ends, write=access.is_write)

    def trips(self, loop: Operation) -> int:
        """At least as many iterations as a loop can have; 1 for what is no loop."""
        if not isinstance(loop, scf.ForOp):
            return 1
        if loop not in self.most_trips:
            try:
                spans = Spans(None, [])
                lower, upper, step = (spans.value(bound) for bound in (loop.lb, loop.ub, loop.step))
            except Scattered as reason:
                raise Untimed(str(reason)) from reason
            if (step.least <= 0).any():
                raise Untimed("a loop's step is not positive")
            self.most_trips[loop] = max(0, int(-((lower.least - upper.most) // step.least)))
        return self.most_trips[loop]
