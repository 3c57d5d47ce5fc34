"""One run of a called function with every access to its buffers timed, all iterations at once as numpy arrays.

Each element of a buffer learns when it is first and last written and last read. For each load and store all iterations
of the loops are enumerated that its element depends on, in pieces that fit into memory. Of a loop that it does not
depend on the first and the last iteration tell the first and the last time. Where an index depends on data the access
may go to any element at any time, and in a branch it may not happen at all: such stores destroy what they may reach,
but give no element a value for sure. Nothing else is approximated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, scf
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import Access
from .behind import bounds
from .places import Place
from .points import Array, Points, Scattered, Untimed
from .reference import Reference, width
from .run import Overwrite, Run, around, span_of, strides_of
from .separable import Index, reached

MOST_POINTS = 1 << 26
"""Points that are enumerated at most, in all."""
MOST_ELEMENTS = 1 << 23
"""Elements of all buffers that are watched."""
NEVER = np.iinfo(np.int64).max
"""First write of what is not written; not read and not written last is -1."""


class TooMuch(Exception):
    """There are too many iterations or elements to look at each of them."""


class Accesses:
    """When the elements of one buffer are accessed."""

    def __init__(self, place: Place):
        count = (place.end - place.first) // place.element
        self._place = place
        self._first_write = np.full(count, NEVER, np.int64)
        self._is_surely_written = np.zeros(count, np.bool_)
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

    def record_bytes(self, begins: Array, width: int, first: Array, last: Array, *, write: bool, surely: bool) -> None:
        """Note accesses to `width` bytes each, otherwise as `record`.

        Raises:
            Untimed: they are parts of elements.
        """
        unit = self._place.element
        if width % unit or (unit > 1 and (begins % unit).any()):
            raise Untimed("a part of an element is accessed")
        elements = begins if unit == 1 else begins // unit
        for number in range(width // unit):
            self.record(elements + number if number else elements, first, last, write=write, surely=surely)

    def record(self, elements: Array, first: Array, last: Array, *, write: bool, surely: bool) -> None:
        """Note accesses to elements: among the times `first` is the first one of each, among `last` the last one.

        `surely`: whether each of them happens, and may not just happen.
        """
        count = len(self._last_read)
        if elements.min(initial=0) < 0 or elements.max(initial=0) >= count:
            raise PassFailedException(f"an access leaves buffer '{self._place.name}' of {count} elements")
        if write:
            np.minimum.at(self._first_write, elements, first)
            if surely:
                self._is_surely_written[elements] = True
        np.maximum.at(self._last_write if write else self._last_read, elements, last)

    def record_all(self, begin: int, end: int, time: np.int64, *, write: bool) -> None:
        """Note that each element in the bytes [begin, end) of the buffer may be accessed at a time."""
        elements = np.arange(begin // self._place.element, -(-end // self._place.element))
        times = np.full(len(elements), time)
        self.record(elements, times, times, write=write, surely=False)

    def within(self, first: int, end: int) -> tuple[Array, Array, Array]:
        """First write, last write and last read of each byte in [first, end) of the pool."""
        at = self._elements(first, end)
        return self._first_write[at], self._last_write[at], self._last_read[at]

    def surely_written(self, first: int, end: int) -> NDArray[np.bool_]:
        """For each byte in [first, end) of the pool, whether its element is written, whatever the data."""
        return self._is_surely_written[self._elements(first, end)]

    def _elements(self, first: int, end: int) -> Array:
        return (np.arange(first, end) - self._place.first) // self._place.element


class TimedRun(Run):
    """One run; `involved` are the buffers to watch.

    Raises:
        TooMuch: they have too many elements.
    """

    def __init__(
        self,
        places: Sequence[Place],
        made: Mapping[Operation, int],
        involved: set[int],
        born: Collection[int] = (),
    ):
        super().__init__(places, made, involved, born)
        if sum((places[i].end - places[i].first) // places[i].element for i in involved) > MOST_ELEMENTS:
            raise TooMuch
        self._points = 0
        self.accesses = {number: Accesses(places[number]) for number in involved}

    def overwrite(self) -> Overwrite | None:
        """A byte that is read from one buffer after another was written to it."""
        for a, b, first, end in self.shared():
            begun, _, read = self.accesses[a].within(first, end)
            written, done, _ = self.accesses[b].within(first, end)
            late = written < read
            if a in self.born:
                # What is written before the buffer's own first write was another's time.
                late &= (done >= begun) | (begun == NEVER)
            if late.any():
                return Overwrite(a, b, first + int(np.argmax(late)))
        return None

    def is_destroyed(self, number: int, *, by: int, was_there: bool) -> bool:
        """Whether after the run bytes of a buffer are another's, which was written later.

        `was_there`: whether it held anything before the run. If so, only a sure write renews what another destroyed.
        If not, what the run never wrote to it is nothing that another could destroy.
        """
        for a, b, first, end in self.shared():
            if (a, b) == (number, by):
                own, _, _ = self.accesses[a].within(first, end)
                _, other, _ = self.accesses[b].within(first, end)
                is_lost = other > own
                if was_there:
                    is_lost |= (other >= 0) & ~self.accesses[a].surely_written(first, end)
                return bool(is_lost.any())
        return False

    def record(self, op: Operation, access: Access, reference: Reference) -> None:
        """Note when the operation accesses which elements.

        Raises:
            TooMuch: that are too many.
        """
        try:
            if not self._record_by_dimension(op, access, reference):
                self._record(op, access, reference)
        except Scattered:
            self._record_anywhere(op, access, reference)

    def _record_by_dimension(self, op: Operation, access: Access, reference: Reference) -> bool:
        """Note what is quickly known; says whether that is all."""
        if access.indices is None:
            return False
        extents = [None] * len(access.shape) if access.is_sure else access.type.get_shape()
        sides = zip(access.indices, strides_of(access.type), access.shape, extents, strict=True)
        found = reached(self, op, [Index(*side) for side in sides])
        if found is None:
            return False
        surely = _is_sure(access, op)
        is_inside = _is_inside(found.elements, span_of(access.type))
        if not surely and not is_inside:
            # A condition on several dimensions may keep it inside.
            return False
        _require(is_inside, access)
        size = width(access.type)
        begins = (reference.start or 0) + found.elements * size
        watched = self.accesses[reference.number]
        watched.record_bytes(begins, size, found.first, found.last, write=access.is_write, surely=surely)
        return True

    def _record(self, op: Operation, access: Access, reference: Reference) -> None:
        path, indices = around(op), access.indices or ()
        needed = self.behind.of([*indices, *(bound for o in path for bound in bounds(o))])
        surely = _is_sure(access, op)
        free = any(isinstance(o, scf.ForOp) and o not in needed for o in path)
        size, begin, span = width(access.type), reference.start or 0, span_of(access.type)
        self._expect(path, needed, access.count)
        for last in (False, True) if access.is_write and free else (True,):
            for points in self.runs(op, needed, last=last):
                times = self.times(points) + self.since_start(op)
                for elements, is_there in _elements(access, [points.value(index) for index in indices]):
                    spread, at = np.broadcast_to(elements, (points.count,)), times
                    if is_there is not None:
                        there = np.broadcast_to(is_there, (points.count,))
                        spread, at = spread[there], times[there]
                    _require(_is_inside(spread, span), access)
                    watched = self.accesses[reference.number]
                    watched.record_bytes(begin + spread * size, size, at, at, write=access.is_write, surely=surely)

    def _record_anywhere(self, op: Operation, access: Access, reference: Reference) -> None:
        """Every element may be accessed whenever the operation runs."""
        begin = reference.start or 0
        end = begin + span_of(access.type) * width(access.type)
        needed = self.behind.of(bound for o in around(op) for bound in bounds(o))
        self._expect(around(op), needed, 1)
        for last in (False, True) if access.is_write else (True,):
            for points in self.runs(op, needed, last=last):
                if points.count:
                    times = self.times(points) + self.since_start(op)
                    time = times.max() if last else times.min()
                    self.accesses[reference.number].record_all(begin, end, time, write=access.is_write)

    def _expect(self, path: Sequence[Operation], needed: set[Operation], count: int) -> None:
        """Count the iterations of the loops of a path that are enumerated, and the elements in each."""
        self._points += count * prod(self.trips(loop) for loop in path if loop in needed)
        if self._points > MOST_POINTS:
            raise TooMuch

    def trips(self, loop: Operation) -> int:
        """The most iterations that a loop has, whenever it runs; 1 for what is no loop."""
        if not isinstance(loop, scf.ForOp):
            return 1
        if loop not in self.most_trips:
            found = (points.trips(loop).max(initial=0) for points in self._different(loop))
            self.most_trips[loop] = int(max(found, default=0))
        return self.most_trips[loop]

    def _different(self, loop: scf.ForOp) -> Iterable[Points]:
        """Points at which a loop has all bounds that it can have."""
        if loop.parent is not None and all(isinstance(bound.owner, arith.ConstantOp) for bound in bounds(loop)):
            return [Points.start(loop.parent)]
        needed = self.behind.of(bound for o in (loop, *around(loop)) for bound in bounds(o))
        self._expect(around(loop), needed, 1)
        return self.runs(loop, needed, last=True)


def _is_inside(elements: Array, span: int) -> bool:
    return bool(elements.min(initial=0) >= 0 and elements.max(initial=0) < span)


def _require(is_inside: bool, access: Access) -> None:
    if not is_inside:
        raise PassFailedException(f"an access leaves its {access.type}")


def _is_sure(access: Access, op: Operation) -> bool:
    """Whether an access happens whatever the data."""
    return access.is_sure and not any(isinstance(o, scf.IfOp) for o in around(op))


def _elements(access: Access, indices: Sequence[Array]) -> Iterator[tuple[Array, NDArray[np.bool_] | None]]:
    """Each element of an access at all points: where it lies in the memref; if that is not sure, whether it has it."""
    strides, extents = strides_of(access.type), access.type.get_shape()
    for apart in product(*(range(count) for count in access.shape)):
        at = [index + step if step else index for index, step in zip(indices, apart, strict=True)]
        elements = sum((index * stride for index, stride in zip(at, strides, strict=True)), np.int64(0))
        if access.is_sure:
            yield np.asarray(elements), None
            continue
        is_there = [index < extent for index, extent in zip(at, extents, strict=True)]
        yield np.asarray(elements), np.logical_and.reduce(np.broadcast_arrays(np.True_, *is_there))
