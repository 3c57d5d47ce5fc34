"""Which operators run in bands, so that few bytes are live and few multiplications are made twice.

The graph is cut where little is live. Between two cuts operators run by rows, in one band or more, and a run of the
widest band in the abstract says how many bytes that takes. For a limit of bytes dynamic programming finds the parts
and bands with the fewest multiplications; the limits that are worth their multiplications are the offers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.interfaces import element_type_of, shape_of
from ...dialects.pool.extent import element_bytes
from ..nn.channel_bands import channels_of_product, is_by_channels
from ..nn.columns import (
    COLUMNS,
    ROWS,
    Bands,
    Chain,
    Columns,
    Reach,
    Region,
    is_by_columns,
    is_narrow,
    is_region,
    steps_of,
)
from .chains import HandedOver, Link, best_chains
from .layout import RowLayout
from .network import Network, Operator, Row, Tensor
from .order import best_segments, peak_of
from .run import Run, Segment

MOST_CUTS = 40
"""Places where the graph may be cut, those with the fewest live bytes."""

_MOST_TOGETHER = 8
"""Operators of a band that are estimated to run together; of more it is asked where the band is best cut."""

_STEP = 0.995
"""Limits of bytes differ by this factor at least."""

_FEWEST_CHANNELS = 8
"""Channels of a band."""

_CALL = 100
"""Multiplications that take as long as a call."""

_MOST_STEPS = 12_000
"""Rows that bands are made of: more of them are never planned."""

Cost: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Offer:
    """Bands for all parts of a graph, with what they are estimated to take."""

    bytes: int
    """Live bytes of the fullest part."""
    macs: int
    """Multiply-accumulates beyond those of the graph as it is."""
    columns: tuple[Chain, ...]
    """Chains with more than one band of columns."""
    channels: tuple[Bands, ...]
    """Parts with more than one band of channels."""


@dataclass(frozen=True)
class Inputs:
    """What pools have of the arguments of a graph; of others all."""

    outside: AbstractSet[SSAValue] = frozenset()
    """Those that take no bytes."""
    streamed: AbstractSet[SSAValue] = frozenset()
    """Those that come row by row, and take no bytes unless several bands need them."""


def offers(entry: func.FuncOp, most: int, inputs: Inputs) -> list[Offer]:
    """The ways to divide a graph into parts that run in bands, the fewest bytes first.

    Args:
        entry: the graph.
        most: multiply-accumulates that may be made twice.
        inputs: where its arguments lie.
    """
    graph = _Graph(entry, inputs)
    parts = list(graph.parts(most))
    found: list[Offer] = []
    for limit in _limits({part.bytes for part in parts}):
        best = _cheapest([part for part in parts if part.bytes <= limit], graph.cuts)
        if best is None or sum(part.macs for part in best) > most:
            break
        macs = sum(part.macs for part in best)
        if sum(part.steps for part in best) > _MOST_STEPS:
            continue
        while found and found[-1].macs >= macs:
            found.pop()
        columns = tuple(part.chain for part in best if part.is_banded and not part.by_channels)
        channels = tuple(bands for part in best if part.by_channels for bands in part.chain.parts)
        found.append(Offer(max(part.bytes for part in best), macs, columns, channels))
    return found[::-1]


def _limits(sizes: AbstractSet[int]) -> Iterator[int]:
    """Bytes to ask for, the most first, in steps that make a difference."""
    last = math.inf
    for size in sorted(sizes, reverse=True):
        if size < _STEP * last:
            last = size
            yield size


@dataclass(frozen=True)
class _Part:
    """Operators between two cuts."""

    chain: Chain
    bytes: int
    macs: int
    """Those that are made twice."""
    steps: int
    """Rows that are computed, those of several bands and of operators counted one by one."""
    by_channels: bool = False

    @property
    def is_banded(self) -> bool:
        """Whether there are several bands."""
        return any(bands.count > 1 for bands in self.chain.parts)

    @property
    def cost(self) -> Cost:
        """What is to be little: multiplications and calls, then bytes."""
        return self.macs + _CALL * self.steps, self.bytes


def _cheapest(parts: Sequence[_Part], cuts: Sequence[int]) -> list[_Part] | None:
    """The parts from the first cut to the last with the least cost in all."""
    by_end: dict[int, list[_Part]] = {}
    for part in parts:
        by_end.setdefault(part.chain.last + 1, []).append(part)
    best: dict[int, tuple[Cost, _Part | None]] = {cuts[0]: ((0, 0), None)}
    for cut in cuts[1:]:
        ways = [
            (_sum(best[part.chain.first][0], part.cost), part)
            for part in by_end.get(cut, ())
            if part.chain.first in best
        ]
        if ways:
            best[cut] = min(ways, key=lambda way: way[0])
    if cuts[-1] not in best:
        return None
    found: list[_Part] = []
    at = cuts[-1]
    while (part := best[at][1]) is not None:
        found.append(part)
        at = part.chain.first
    return found[::-1]


def _sum(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1]


class _Graph:
    """The operators of a graph, where it may be cut, and what parts take."""

    def __init__(self, entry: func.FuncOp, inputs: Inputs):
        self._entry = entry
        self._inputs = inputs
        self._outside = inputs.outside | inputs.streamed
        self._steps = steps_of(entry.body.block)
        self._operators: dict[Operation, Operator] = {}
        self._place = {op: n for n, op in enumerate(self._steps)}
        self._values: list[SSAValue] = [
            value
            for value in (*entry.body.block.args, *(value for op in self._steps for value in op.results))
            if isinstance(value.type, TensorType)
        ]
        self._ends = {value: self._last_use(value) for value in self._values}

    def _born(self, value: SSAValue) -> int:
        """The place behind what makes a value."""
        return self._place[value.owner] + 1 if isinstance(value.owner, Operation) else 0

    def _last_use(self, value: SSAValue) -> int:
        """The place of what uses a value last."""
        return max((self._place.get(use.operation, len(self._steps)) for use in value.uses), default=-1)

    def _live(self, place: int) -> list[SSAValue]:
        """What is there before an operator and needed from it on."""
        return [value for value in self._values if self._born(value) <= place <= self._ends[value]]

    def _bytes(self, value: SSAValue) -> int:
        if value in self._outside:
            return 0
        return math.prod(shape_of(value)) * _element_bytes(value)

    @cached_property
    def cuts(self) -> list[int]:
        """The begin, the end, and places between where no more is live than right before and after them."""
        live = [sum(map(self._bytes, self._live(place))) for place in range(len(self._steps) + 1)]
        inner = [
            place
            for place in range(1, len(self._steps))
            if live[place] <= min(live[place - 1], live[place + 1])
            or is_by_columns(self._steps[place]) != is_by_columns(self._steps[place - 1])
        ]
        kept = sorted(inner, key=lambda place: (live[place], place))[:MOST_CUTS]
        # What is no image by columns is a part of its own.
        others = {place + side for place, op in enumerate(self._steps) if not is_by_columns(op) for side in (0, 1)}
        return sorted({0, len(self._steps), *kept, *others})

    def parts(self, most: int) -> Iterator[_Part]:
        """All parts that make no more than so many multiplications twice."""
        links: dict[int, list[Link]] = {}
        for n, first in enumerate(self.cuts):
            yield from self._by_channels(first)
            if first < len(self._steps) and not is_by_columns(self._steps[first]):
                # No bands of columns change what it takes.
                yield _Part(Chain((Bands(first, first, 1),)), 0, 0, 1)
                continue
            for end in self.cuts[n + 1 :]:
                operators = self._steps[first:end]
                if not all(map(is_by_columns, operators)):
                    break
                least = self._peak(operators, None)
                steps = sum(shape_of(op.results[0])[ROWS] for op in operators)
                yield _Part(Chain((Bands(first, end - 1, 1),)), least, 0, steps)
                for link in self._in_bands(first, operators, most):
                    links.setdefault(end, []).append(link)
                    if link.bytes < least:
                        least = link.bytes
                        yield _Part(Chain((link.bands,)), link.bytes, link.macs, link.bands.count * steps)
        for start in self.cuts:
            for state in best_chains(links, self.cuts, start, most, self._handed):
                result = self._steps[state.chain[-1].last].results[0]
                fixed = sum(map(self._given_bytes, self._live(start))) + self._bytes(result)
                yield _Part(Chain(state.chain), fixed + state.peak(), state.macs, self._steps_of(state.chain))

    def _steps_of(self, chain: Sequence[Bands]) -> int:
        return sum(
            bands.count * shape_of(op.results[0])[ROWS]
            for bands in chain
            for op in self._steps[bands.first : bands.last + 1]
        )

    def _handed(self, start: int, cut: int, end: int) -> HandedOver | None:
        """What parts of a chain hand over at a cut: one tensor, made there and used up by the part up to `end`."""
        given = set(self._live(start))
        values = [value for value in self._live(cut) if value not in given]
        if len(values) != 1 or self._born(values[0]) != cut or self._ends[values[0]] >= end:
            return None
        return HandedOver(values[0], self._column_bytes(values[0]))

    def _by_channels(self, first: int) -> Iterator[_Part]:
        """A product and what follows until no image is left, some channels at a time."""
        for end in range(first + 2, len(self._steps) + 1):
            operators = self._steps[first:end]
            if end not in self.cuts or not is_by_channels(operators) or not all(map(_is_image, operators[:-1])):
                continue
            channels = channels_of_product(operators)
            # By rows: of the largest image one, and sums, which are wide.
            rows = (
                max(self._bytes(op.results[0]) // shape_of(op.results[0])[ROWS] for op in operators[:-1]) + channels * 4
            )
            whole = sum(map(self._bytes, self._live(first))) + self._bytes(operators[-1].results[0])
            bands = 1
            while channels % bands == 0 and channels // bands >= _FEWEST_CHANNELS:
                chain, steps = Chain((Bands(first, end - 1, bands),)), bands * (end - first)
                yield _Part(chain, whole + rows // bands, 0, steps, by_channels=bands > 1)
                bands *= 2

    def _in_bands(self, first: int, operators: Sequence[Operation], most: int) -> Iterator[Link]:
        if not is_region(operators):
            return
        region = Region(operators)
        once = region.macs(1)
        # More bands that are no narrower only compute more again.
        for count in {-(-region.width // width): None for width in reversed(range(1, region.width))}:
            twice = region.macs(count) - once
            if twice > most:
                return
            bands = region.bands(count)
            needed = [region.needed(band) for band in bands]
            band, widest = max(zip(bands, needed, strict=True), key=lambda each: sum(c.count for c in each[1].values()))
            bytes = self._peak(operators, band)
            given = [value for value in _used(operators) if value in widest and value.owner not in operators]
            inner = bytes - self._beside(operators, band) - self._column_bytes(region.result) * band.count
            inner -= sum(map(self._given_bytes, given))
            before = {value: [columns[value] for columns in needed] for value in given}
            yield Link(Bands(first, first + len(operators) - 1, count), bytes, twice, inner, bands, before)

    def _column_bytes(self, value: SSAValue) -> int:
        return self._bytes(value) // shape_of(value)[COLUMNS]

    def _given_bytes(self, value: SSAValue) -> int:
        """Bytes of what bands read where it lies."""
        return 0 if value in self._inputs.outside else math.prod(shape_of(value)) * _element_bytes(value)

    def _peak(self, operators: Sequence[Operation], band: Columns | None) -> int:
        """Live bytes of a part, in a band of its result or as a whole."""
        inside = set(operators)
        end = self._place[operators[-1]] + 1
        needed = {} if band is None else Region(operators).needed(band)
        outside = self._outside if band is None else self._inputs.outside
        tensors: dict[SSAValue, Tensor] = {}
        for value in _used(operators):
            is_given = value.owner not in inside
            # A band of what is there is read where it lies.
            width = None if is_given else needed.get(value)
            is_kept = self._is_kept(value, end, is_given and band is not None, band is not None)
            tensors[value] = _tensor(value, width, is_given, is_kept, value in outside)
        network = Network(self._entry, tensors, [self._operator(op) for op in operators])
        run, segment = Run(network), Segment(0, len(operators))
        peaks = [run.peak(one) for one in (segment, replace(segment, is_patient=True))]
        if band is not None and len(operators) > _MOST_TOGETHER:
            peaks.append(peak_of(network, best_segments(network)))
        return self._beside(operators, band) + min(peak for peak in peaks if peak is not None)

    def _beside(self, operators: Sequence[Operation], band: Columns | None) -> int:
        """Bytes that are live beside a part, or a band of it: what others need, and its other bands."""
        first, end = self._place[operators[0]], self._place[operators[-1]] + 1
        used = set(_used(operators))
        others = [value for value in self._live(first) if value not in used]
        beside = sum(self._bytes(value) for value in others if self._ends[value] >= end)
        if band is not None:
            result = operators[-1].results[0]
            beside += self._bytes(result) - self._column_bytes(result) * band.count
        elif (following := self._steps[end : end + 1]) and is_by_channels([operators[-1], *following]):
            # Each row is added to sums of all channels.
            beside += channels_of_product(operators[-1:]) * 4 + self._bytes(following[0].results[0])
        return beside

    def _operator(self, op: Operation) -> Operator:
        """An operator by rows, whose rows are those of the whole graph."""
        if op not in self._operators:
            result, images = op.results[0], list(dict.fromkeys(_images(op)))
            rows = shape_of(result)[ROWS]
            needs: list[list[Row]] = [[] for _ in range(rows)]
            for value in images:
                reach, height = Reach.of(op, value, ROWS), shape_of(value)[ROWS]
                for row, needed in enumerate(needs):
                    begin, last = (0, 1) if is_narrow(value) else reach.ends(row, row + 1)
                    needed += [(value, at) for at in range(max(0, begin), min(height, last))]
            makes: list[list[Row]] = [[(result, row)] for row in range(rows)]
            self._operators[op] = Operator(op, rows, reads=images, writes=[result], needs=needs, makes=makes)
        return self._operators[op]

    def _is_kept(self, value: SSAValue, end: int, is_shared: bool, is_band: bool) -> bool:
        """Whether a value is needed behind a part, or by other bands."""
        users = [use.operation for use in value.uses if self._place.get(use.operation, end) >= end]
        # What is no image by columns may take rows as they come.
        return is_shared or (bool(users) and (is_band or any(u not in self._place or is_by_columns(u) for u in users)))


def _element_bytes(value: SSAValue) -> int:
    return element_bytes(MemRefType(element_type_of(value), [1]))


def _is_image(op: Operation) -> bool:
    return len(shape_of(op.results[0])) == 4


def _used(operators: Sequence[Operation]) -> list[SSAValue]:
    """The images that operators read and make."""
    return list(dict.fromkeys(value for op in operators for value in (*_images(op), op.results[0])))


def _images(op: Operation) -> list[SSAValue]:
    return [value for value in op.operands if not isinstance(value.owner, ConstantOp) and len(shape_of(value)) == 4]


def _tensor(value: SSAValue, columns: Columns | None, is_given: bool, is_kept: bool, is_outside: bool) -> Tensor:
    """A tensor by rows, or some of its columns."""
    _, rows, width, channels = shape_of(value)
    layout = RowLayout(rows, (width if columns is None else columns.count) * channels)
    return Tensor(value, layout, _element_bytes(value), is_given, is_kept, is_outside=is_outside)
