"""The current point of a nest's loops: where it lies, which fold points are in range, and what has been read there."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from copy import copy
from itertools import product
from typing import Self, TypeAlias

from xdsl.ir import SSAValue

from ...dialects.task import JoinOp, NestOp
from ...dialects.task.loop import Loop
from ...dialects.task.syntax import Access
from ..builder import Loops, Value
from .places import Place, Range, limits_of, range_of

Visit: TypeAlias = "Callable[[Point, Value], None]"
"""Receives a point and its number."""
Loaded: TypeAlias = MutableMapping[tuple[int, tuple[Value, ...]], SSAValue]
"""What a region has read, by number and place."""


class Point(Place):
    """Grows as loops are entered: a child knows what its parent knows, and more."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True, late: Collection[int] = ()):
        """A nest without fold reads as soon as a place is known, but what is read `late`, by number."""
        super().__init__(nest, k)
        self._limits = limits_of(nest, clips=clips)
        self._ranges: dict[int, Range] = {}
        """Ranges of fold dimensions that are known."""
        self._reads = not nest.fold.data
        self._late = late
        self._blocks: dict[int, Value] = {}
        """Beginning of the current block of a split, by dimension."""
        self._read: ChainMap[int, SSAValue] = ChainMap()
        """Values that a nest without fold has read on the way here."""

    def child(self) -> Point:
        """Return a child at the same point; what is added to the child is not seen outside."""
        return self._derived(self._known.new_child(), self._read.new_child())

    def entered(self, loop: Loop, i: Value) -> Point:
        """The point at index `i` of a loop."""
        return self.within([loop], [i])

    def within(self, loops: Sequence[Loop], indices: Sequence[Value]) -> Point:
        """The point at an index of each of some loops, all of them entered at once."""
        inner = self.child()
        for loop, i in zip(loops, indices, strict=True):
            inner.enter(loop, i)
        inner.advance()
        return inner

    def side_by_side(self, loops: Sequence[Loop]) -> list[Point]:
        """The points of loops, in the order in which they run: this one itself without loops."""
        if not loops:
            return [self]
        return [self.within(loops, indices) for indices in product(*(loop.sequence() for loop in loops))]

    def each(
        self, loops: Sequence[Loop], visit: Visit, number: Value = 0, strides: Mapping[int, int] | None = None
    ) -> None:
        """Visit the points of loops, in loops, each with how many of them came before it.

        `strides` may say by dimension how much further the number of the next point is.
        """
        if not loops:
            visit(self, number)
            return
        k, (loop, *rest) = self.k, loops
        for i in self.along(loop):
            inner = self.entered(loop, k.sub(loop.extent - 1, i) if loop.reverse else i)
            if strides is None:
                own = k.add(k.mul(number, loop.extent), i)
            else:
                own = k.add(number, k.mul(i, strides[loop.dim]))
            inner.each(rest, visit, own, strides)

    def at(self, places: Mapping[int, Value]) -> Point:
        """The point at places along some dimensions, further ones than those it is at."""
        inner = self.child()
        inner._known.update(places)
        inner.advance()
        return inner

    def loops(
        self, dims: Sequence[int], written_out: Collection[int] = (), extents: Sequence[int] | None = None
    ) -> list[Loop]:
        """The loops over dimensions, some of them written out.

        `extents` may say that they reach further than in the nest, by dimension.
        """
        names, extents = self.nest.index_names, extents or self.nest.extents
        return [Loop(names[d], d, extents[d], form="unroll" if d in written_out else "loop") for d in dims]

    def along(self, loop: Loop) -> Iterator[Value]:
        """What runs over a loop, which is open meanwhile; of one that is unrolled, numbers one after the other."""
        if loop.form == "unroll":
            yield from range(loop.extent)
            return
        with self.k.loop(loop.name, 0, loop.extent) as i:
            yield i

    def whole(self) -> Point:
        """Return the same point, as if no fold point were clipped here."""
        other = self.child()
        other._limits, other._ranges = limits_of(self.nest, clips=False), {}
        other.advance()
        return other

    def beside(self, own: Point) -> Point:
        """Return the same point of the fold, at one of the space points that run side by side."""
        return self._derived(ChainMap({}, own._known.maps[0], *self._known.maps), own._read)

    def _derived(self, known: ChainMap[int, Value], read: ChainMap[int, SSAValue]) -> Self:
        other = copy(self)
        other._known, other._read = known, read
        other._ranges, other._blocks = dict(self._ranges), dict(self._blocks)
        return other

    def enter(self, loop: Loop, i: Value) -> None:
        """Enter a loop at index `i`."""
        if loop.is_outer:
            self._blocks[loop.dim] = self.k.mul(i, loop.stride)
            return
        block = self._blocks.get(loop.dim)
        if block is None:
            self._known[loop.dim] = i
            return
        last = self.nest.extents[loop.dim] - 1
        # The first point of a block is always there.
        clamps = loop.clamped and i != 0
        place = self.k.add(block, i, None if clamps else loop.dim_name)
        self._known[loop.dim] = self.k.min(place, last, loop.dim_name) if clamps else place

    def advance(self) -> None:
        """Compute and read what is known since the last loop was entered."""
        super().advance()
        for dim, limits in self._limits.items():
            if dim not in self._ranges and (found := range_of(self, dim, limits)):
                self._ranges[dim] = found
        if self._reads:
            for number, access in enumerate(self.nest.accesses("finish_reads")):
                is_open = number not in self._read and number not in self._late
                if is_open and all(map(self.knows, access.indices)):
                    self._read[number] = self._load("finish_reads", number, access, {})

    def range_of(self, loop: Loop) -> tuple[Value, Value]:
        """Begin and end (excluded) of a loop."""
        is_whole = loop.is_part or loop.dim not in self.nest.folds
        return (0, loop.extent) if is_whole else self._ranges[loop.dim]

    def taps(self) -> Value:
        """The number of fold points that are not clipped."""
        counts = [self.k.sub(end, begin) for begin, end in map(self._ranges.__getitem__, self._limits)]
        total: Value = 1
        for number, count in enumerate(counts, 1):
            total = self.k.mul(total, count, "taps" if number == len(counts) else None)
        return total

    def element(self, access: Access) -> tuple[SSAValue, list[Value]]:
        """The memref that what an access reads here lies in, and its place there."""
        return part_of(access.buffer, self.indices(access.indices))

    def operands(self, access: Access) -> tuple[SSAValue, list[SSAValue]]:
        """Like `element`, with a place as operations take it."""
        buffer, indices = self.element(access)
        return buffer, [self.k.index(index) for index in indices]

    def write(self, values: Sequence[SSAValue]) -> None:
        """Store what the nest writes here."""
        for value, access in zip(values, self.nest.accesses("writes"), strict=True):
            self.k.store(value, access.buffer, self.indices(access.indices))

    def read(self, group: str, loaded: Loaded | None = None, only: Collection[int] | None = None) -> list[SSAValue]:
        """The elements that a region reads here.

        Args:
            group: of the region.
            loaded: keeps what has been read.
            only: the reads asked for, by number; all without it.
        """
        known, loaded = self._read if group == "finish_reads" else {}, {} if loaded is None else loaded
        return [
            known[number] if number in known else self._load(group, number, access, loaded)
            for number, access in enumerate(self.nest.accesses(group))
            if only is None or number in only
        ]

    def _load(self, group: str, number: int, access: Access, loaded: Loaded) -> SSAValue:
        at = self.indices(access.indices)
        if (number, tuple(at)) not in loaded:
            region = getattr(self.nest, group.removesuffix("_reads"))
            hint = region.block.args[number].name_hint
            loaded[number, tuple(at)] = self.k.load(*part_of(access.buffer, at), hint)
        return loaded[number, tuple(at)]


def part_of(buffer: SSAValue, at: list[Value]) -> tuple[SSAValue, list[Value]]:
    """The memref that an element really lies in, and its indices there."""
    if not isinstance(join := buffer.owner, JoinOp):
        return buffer, at
    axis = join.axis.value.data
    index = at[axis]
    assert isinstance(index, int), "legal: what says which part it is is written out"
    part, inside = join.part_at(index)
    return part, [*at[:axis], inside, *at[axis + 1 :]]
