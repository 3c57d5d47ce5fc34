"""Which operators run in bands of columns, so that few bytes are live and few multiplications are made twice.

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

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.interfaces import element_type_of, shape_of
from ...dialects.pool.extent import element_bytes
from ..nn.columns import COLUMNS, ROWS, Bands, Columns, Reach, Region, is_by_columns, is_narrow, is_region, steps_of
from .layout import RowLayout
from .network import Network, Operator, Row, Tensor
from .order import Run, Segment, best_segments, peak_of

MOST_CUTS = 40
"""Places where the graph may be cut, those with the fewest live bytes."""

_MOST_TOGETHER = 8
"""Operators of a band that are estimated to run together; of more it is asked where the band is best cut."""


@dataclass(frozen=True)
class Offer:
    """Bands for all parts of a graph, with what they are estimated to take."""

    bytes: int
    """Live bytes of the fullest part that is an image by columns."""
    macs: int
    """Multiply-accumulates beyond those of the graph as it is."""
    bands: tuple[Bands, ...]
    """Parts with more than one band."""


@dataclass(frozen=True)
class Inputs:
    """What pools have of the arguments of a graph; of others all."""

    outside: AbstractSet[SSAValue] = frozenset()
    """Those that take no bytes."""
    streamed: AbstractSet[SSAValue] = frozenset()
    """Those that come row by row, and take no bytes unless several bands need them."""


def offers(entry: func.FuncOp, most: int, inputs: Inputs) -> list[Offer]:
    """The ways to divide a graph into parts that run in bands of columns, the fewest bytes first.

    Args:
        entry: the graph.
        most: multiply-accumulates that may be made twice.
        inputs: where its arguments lie.
    """
    graph = _Graph(entry, inputs)
    parts = list(graph.parts(most))
    found: list[Offer] = []
    for limit in sorted({part.bytes for part in parts}, reverse=True):
        best = _cheapest([part for part in parts if part.bytes <= limit], graph.cuts)
        if best is None or sum(part.macs for part in best) > most:
            break
        macs = sum(part.macs for part in best)
        if found and found[-1].macs == macs:
            found.pop()
        bands = tuple(part.bands for part in best if part.bands.count > 1)
        found.append(Offer(max(part.bytes for part in best), macs, bands))
    return found[::-1]


@dataclass(frozen=True)
class _Part:
    """Operators between two cuts."""

    bands: Bands
    bytes: int
    macs: int
    """Those that are made twice."""


def _cheapest(parts: Sequence[_Part], cuts: Sequence[int]) -> list[_Part] | None:
    """The parts from the first cut to the last with the fewest multiplications; of these the fewest bytes in all."""
    by_end: dict[int, list[_Part]] = {}
    for part in parts:
        by_end.setdefault(part.bands.last + 1, []).append(part)
    best: dict[int, tuple[tuple[int, int], _Part | None]] = {cuts[0]: ((0, 0), None)}
    for cut in cuts[1:]:
        ways = [
            ((best[part.bands.first][0][0] + part.macs, best[part.bands.first][0][1] + part.bytes), part)
            for part in by_end.get(cut, ())
            if part.bands.first in best
        ]
        if ways:
            best[cut] = min(ways, key=lambda way: way[0])
    if cuts[-1] not in best:
        return None
    found: list[_Part] = []
    at = cuts[-1]
    while (part := best[at][1]) is not None:
        found.append(part)
        at = part.bands.first
    return found[::-1]


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
        for n, first in enumerate(self.cuts):
            if first < len(self._steps) and not is_by_columns(self._steps[first]):
                # No bands change what it takes.
                yield _Part(Bands(first, first, 1), 0, 0)
                continue
            for end in self.cuts[n + 1 :]:
                operators = self._steps[first:end]
                if not all(map(is_by_columns, operators)):
                    break
                yield _Part(Bands(first, end - 1, 1), self._peak(operators, None), 0)
                yield from self._in_bands(first, operators, most)

    def _in_bands(self, first: int, operators: Sequence[Operation], most: int) -> Iterator[_Part]:
        if not is_region(operators):
            return
        region = Region(operators)
        once = region.macs(1)
        least = self._peak(operators, None)
        # More bands that are no narrower only compute more again.
        for count in {-(-region.width // width): None for width in reversed(range(1, region.width))}:
            twice = region.macs(count) - once
            if twice > most:
                return
            widest = max(region.bands(count), key=lambda band: sum(c.count for c in region.needed(band).values()))
            bytes = self._peak(operators, widest)
            if bytes < least:
                least = bytes
                yield _Part(Bands(first, first + len(operators) - 1, count), bytes, twice)

    def _peak(self, operators: Sequence[Operation], band: Columns | None) -> int:
        """Live bytes of a part, in a band of its result or as a whole."""
        inside = set(operators)
        first, end = self._place[operators[0]], self._place[operators[-1]] + 1
        needed = {} if band is None else Region(operators).needed(band)
        outside = self._outside if band is None else self._inputs.outside
        tensors: dict[SSAValue, Tensor] = {}
        used: list[SSAValue] = [value for op in operators for value in (*_images(op), op.results[0])]
        for value in dict.fromkeys(used):
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
        others = [value for value in self._live(first) if value not in tensors]
        beside = sum(self._bytes(value) for value in others if self._ends[value] >= end)
        if band is not None:
            # The other bands of the result.
            width = shape_of(operators[-1].results[0])[COLUMNS]
            beside += self._bytes(operators[-1].results[0]) // width * (width - band.count)
        return beside + min(peak for peak in peaks if peak is not None)

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


def _images(op: Operation) -> list[SSAValue]:
    return [value for value in op.operands if not isinstance(value.owner, ConstantOp) and len(shape_of(value)) == 4]


def _tensor(value: SSAValue, columns: Columns | None, is_given: bool, is_kept: bool, is_outside: bool) -> Tensor:
    """A tensor by rows, or some of its columns."""
    _, rows, width, channels = shape_of(value)
    layout = RowLayout(rows, (width if columns is None else columns.count) * channels)
    return Tensor(value, layout, _element_bytes(value), is_given, is_kept, is_outside=is_outside)
