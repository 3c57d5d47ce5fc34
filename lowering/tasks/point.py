"""The current point of a nest's loops: where it lies, which fold points are in range, and what has been read there.

A named index is computed in the innermost loop that it depends on, once; what has no name is computed where it is used.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from copy import copy
from itertools import product
from typing import Self, TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.task import IndexOp, JoinOp, NestOp, TapsOp
from ...dialects.task.clipping import Limit, limits
from ...dialects.task.domain import Linear
from ...dialects.task.loop import Loop
from ...dialects.task.syntax import Access
from ..builder import Loops, Value

Range: TypeAlias = tuple[Value, Value]
"""Fold points from the first up to the second (excluded)."""
Visit: TypeAlias = "Callable[[Point, Value], None]"
"""Receives a point and its number."""
Loaded: TypeAlias = MutableMapping[tuple[int, tuple[Value, ...]], SSAValue]
"""What a region has read, by number and place."""


class Point:
    """Grows as loops are entered: a child knows what its parent knows, and more."""

    def __init__(self, nest: NestOp, k: Loops, *, clips: bool = True, late: Collection[int] = ()):
        """A nest without fold reads as soon as a place is known, but what is read `late`, by number."""
        self.nest = nest
        self.k = k
        self._known: ChainMap[int, Value] = ChainMap()
        """What dimensions and named indices are, by position."""
        named = enumerate(nest.where.data.results, len(nest.extents))
        self._open = [(number, nest.form(expr).positions()) for number, expr in named]
        """Named indices that may not be known yet, each with the dimensions that it depends on."""
        self._limits = limits(nest) if clips else []
        """What shortens the ranges of fold dimensions."""
        self._ranges: dict[int, Range] = {}
        """Ranges of fold dimensions that are known: constant where no point is clipped."""
        reads = () if nest.fold.data else enumerate(nest.accesses("finish_reads"))
        self._early = [(number, access) for number, access in reads if number not in late]
        """What it reads as soon as it is known where, by number."""
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
        """The points of loops, in the order in which they run."""
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
        other._ranges = {dim: (0, self.nest.extents[dim]) for dim in self.nest.folds}
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
        waiting: list[tuple[int, tuple[int, ...]]] = []
        for number, needed in self._open:
            if self._knows(needed):
                self._at(number)
            else:
                waiting.append((number, needed))
        self._open = waiting
        for dim in self.nest.folds:
            if dim not in self._ranges:
                own = [limit for limit in self._limits if limit.dim == dim]
                if all(self._knows(limit.index.without(dim).positions()) for limit in own):
                    self._ranges[dim] = self._range(dim, own)
        for number, access in self._early:
            if number not in self._read and self._knows(self.nest.dims_of(access)):
                self._read[number] = self._load("finish_reads", number, access, {})

    def _knows(self, positions: Collection[int]) -> bool:
        return all(position in self._known for position in positions)

    def indices(self, exprs: Sequence[AffineExpr]) -> list[Value]:
        """Return the place of an access, in index arithmetic with the constant first."""
        found: list[Value] = []
        for form in map(Linear.of, exprs):
            total: Value = form.constant
            for position, factor in form.terms:
                total = self.k.add(total, self.k.mul(self._at(position), factor))
            found.append(total)
        return found

    def value(self, form: Linear, hint: str | None = None) -> Value:
        """An index in index arithmetic with the constant last."""
        k, total = self.k, 0
        for number, (position, factor) in enumerate(form.terms, 1):
            last = hint if number == len(form.terms) and not form.constant else None
            term = k.mul(self._at(position), abs(factor))
            total = k.sub(total, term, last) if factor < 0 else k.add(total, term, last)
        return k.add(total, form.constant, hint) if form.constant else total

    def _at(self, position: int) -> Value:
        """The value of a dimension or named index, which is computed where it is first used."""
        try:
            return self._known[position]
        except KeyError:
            nest, number = self.nest, position - len(self.nest.extents)
        name = nest.names.data[number].data
        form = Linear.of(nest.where.data.results[number])
        self._known[position] = found = self.value(form, None if name.startswith("_") else name)
        return found

    def _range(self, dim: int, limits: Sequence[Limit]) -> Range:
        """The range that limits leave of a fold dimension."""
        k, extent = self.k, self.nest.extents[dim]
        begin: Value = 0
        end: Value = extent
        for limit in limits:
            low, high = self._ends(limit)
            begin = low if isinstance(begin, int) and begin == 0 else k.max(begin, low)
            end = high if isinstance(end, int) and end == extent else k.min(end, high)
        return begin, end

    def _may_be_empty(self, dim: int) -> bool:
        """Whether no point of a fold dimension may be left: its window may lie outside of all."""
        own = [limit for limit in self._limits if limit.dim == dim]
        for limit in own:
            least, most = limit.form.without(dim).bounds(self.nest.extents)
            reach = limit.step * (self.nest.extents[dim] - 1)
            if least + max(reach, 0) < 0 or most + min(reach, 0) >= limit.extent:
                return True
        return len(own) > 1

    def _ends(self, limit: Limit) -> Range:
        """Begin and end of the range that one clipped index leaves."""
        k, extent, name = self.k, self.nest.extents[limit.dim], self.nest.index_names[limit.dim]
        rest = self.value(limit.index.without(limit.dim))
        least, most = limit.form.bounds(self.nest.extents)
        begin: Value = 0
        end: Value = extent
        if limit.step > 0:
            if least < 0:
                begin = k.max(_ceil(k, k.sub(0, rest), limit.step), 0, f"{name}_begin")
            if most >= limit.extent:
                end = k.min(_ceil(k, k.sub(limit.extent, rest), limit.step), extent, f"{name}_end")
            return begin, end
        # An index that counts down: it is low where the fold index is high.
        step = -limit.step
        if most >= limit.extent:
            begin = _ceil(k, k.max(k.sub(rest, limit.extent - 1), 0), step)
        end = k.add(k.div(rest, step), 1)
        if most // step >= extent:
            end = k.min(end, extent)
        return begin, end

    def range_of(self, loop: Loop) -> tuple[Value, Value]:
        """Begin and end (excluded) of a loop."""
        is_whole = loop.is_part or loop.dim not in self.nest.folds
        return (0, loop.extent) if is_whole else self._ranges[loop.dim]

    def asked(self, op: IndexOp | TapsOp) -> SSAValue:
        """The place along a dimension, or the number of fold points that are not clipped."""
        k = self.k
        if isinstance(op, IndexOp):
            return k.index(self._at(self.nest.index_names.index(op.dim.data)))
        counts = [k.sub(end, begin) for begin, end in map(self._ranges.__getitem__, self.nest.folds)]
        counts = [k.max(n, 0) if self._may_be_empty(d) else n for d, n in zip(self.nest.folds, counts, strict=True)]
        total: Value = 1
        for number, count in enumerate(counts, 1):
            total = k.mul(total, count, "taps" if number == len(counts) else None)
        return k.index(total)

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


def _ceil(k: Loops, value: Value, divisor: int) -> Value:
    """The quotient rounded up; for negative values only something not positive (division truncates)."""
    return k.div(k.add(value, divisor - 1), divisor)
