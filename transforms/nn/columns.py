"""Columns of images: which of an operand columns of a result need, and parts of graphs that run in bands of them.

Parts one behind the other may be a chain. They hand over columns then: a band is computed when the next part needs it,
and is there until nothing needs it any more, so that no tensor between two parts is ever whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...dialects.nn.attributes import ints
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.conv import Convolution
from ...dialects.nn.interfaces import Elementwise, HasMacs, element_type_of, shape_of
from ...dialects.nn.joining import ConcatOp
from ...dialects.nn.pooling import Pool2D
from ...dialects.nn.slicing import SliceOp
from ...dialects.nn.window import effective_kernel

ROWS, COLUMNS = 1, 2
"""The dimensions of an image along which its rows and columns lie."""


@dataclass(frozen=True)
class Columns:
    """Columns of an image, `begin` up to `end` (excluded)."""

    begin: int
    end: int

    @property
    def count(self) -> int:
        """How many."""
        return self.end - self.begin

    def meets(self, other: Columns) -> bool:
        """Whether both have a column."""
        return self.begin < other.end and other.begin < self.end

    def __or__(self, other: Columns) -> Columns:
        """The least range that holds both."""
        return Columns(min(self.begin, other.begin), max(self.end, other.end))


@dataclass(frozen=True)
class Bands:
    """Operators `first` to `last` of a graph, without constants, and in how many bands they run."""

    first: int
    last: int
    count: int

    @staticmethod
    def parsed(text: str) -> Bands:
        """Read them as they are written, such as "2-9:3".

        Raises:
            ValueError: the text is something else.
        """
        operators, _, count = text.partition(":")
        first, _, last = operators.partition("-")
        return Bands(int(first), int(last), int(count))

    def __str__(self) -> str:
        return f"{self.first}-{self.last}:{self.count}"


@dataclass(frozen=True)
class Chain:
    """Parts one behind the other that hand over columns; one part alone is a chain, too."""

    parts: tuple[Bands, ...]

    @staticmethod
    def parsed(text: str) -> Chain:
        """Read one as it is written, such as "2-5:6+6-9:3".

        Raises:
            ValueError: the text is something else, or parts do not follow each other.
        """
        parts = tuple(map(Bands.parsed, text.split("+")))
        if any(after.first != before.last + 1 for before, after in pairwise(parts)):
            raise ValueError(text)
        return Chain(parts)

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))

    @property
    def first(self) -> int:
        """The first operator."""
        return self.parts[0].first

    @property
    def last(self) -> int:
        """The last operator."""
        return self.parts[-1].last


def steps_of(block: Block) -> list[Operation]:
    """The operators of a graph, without constants and the end."""
    return [op for op in block.ops if not isinstance(op, ConstantOp | func.ReturnOp)]


def is_by_columns(op: Operation) -> bool:
    """Whether columns of an operator's image need columns of its operands only."""
    if len(op.results) != 1 or op.regions or not _is_image(op.results[0]):
        return False
    if isinstance(op, Convolution | Pool2D):
        return all(isinstance(value.owner, ConstantOp) for value in op.operands[1:])
    _, rows, width, _ = shape_of(op.results[0])
    return isinstance(op, Elementwise) and all(
        is_narrow(value) or (_is_image(value) and shape_of(value)[ROWS : COLUMNS + 1] == (rows, width))
        for value in op.operands
    )


def _is_image(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and len(shape := shape_of(value)) == 4 and shape[0] == 1


def is_narrow(value: SSAValue) -> bool:
    """Whether all places of a result take the same of an operand."""
    return isinstance(value.type, TensorType) and all(extent == 1 for extent in shape_of(value)[:-1])


@dataclass(frozen=True)
class Reach:
    """Which places of an operand along a dimension places of a result need."""

    stride: int = 1
    before: int = 0
    """Places before the first one of the operand that the first one of the result needs."""
    extent: int = 1
    """Places that one place of the result needs."""

    @staticmethod
    def of(op: Operation, operand: SSAValue, along: int) -> Reach:
        """Read an operator that is by columns, for one of its images, along the dimension of rows or of columns."""
        if not isinstance(op, Convolution | Pool2D) or operand is not op.operands[0]:
            return Reach()
        d = along - ROWS
        kernel = shape_of(op.filter)[along] if isinstance(op, Convolution) else ints(op.kernel)[d]
        dilation = ints(op.dilations)[d] if isinstance(op, Convolution) else 1
        return Reach(ints(op.strides)[d], ints(op.pads)[2 * d], effective_kernel(kernel, dilation))

    def ends(self, begin: int, end: int) -> tuple[int, int]:
        """The first place that `begin` up to `end` (excluded) need and the one behind the last, beyond edges too."""
        return begin * self.stride - self.before, (end - 1) * self.stride - self.before + self.extent

    def columns(self, operand: SSAValue, columns: Columns) -> Columns:
        """The columns of the operand that some of the result need."""
        begin, end = self.ends(columns.begin, columns.end)
        return Columns(max(0, begin), min(shape_of(operand)[COLUMNS], end))


def _reaches(op: Operation) -> dict[SSAValue, Reach]:
    """For the operands of which columns of the result need columns, which; of others all columns need the same."""
    images = op.operands[:1] if isinstance(op, Convolution | Pool2D) else [v for v in op.operands if not is_narrow(v)]
    return {value: Reach.of(op, value, COLUMNS) for value in images}


def is_region(operators: Sequence[Operation]) -> bool:
    """Whether neighbouring operators can run in bands: of their results others use the last one's alone."""
    inside = set(operators)
    return (
        bool(operators)
        and all(map(is_by_columns, operators))
        and all(use.operation in inside for op in operators[:-1] for use in op.results[0].uses)
        and all(op.results[0].first_use is not None for op in operators)
    )


class Region:
    """Neighbouring operators that can run in bands."""

    def __init__(self, operators: Sequence[Operation]):
        assert is_region(operators), "asked before"
        self.operators = operators
        self.result = operators[-1].results[0]
        self._reaches = [(op, _reaches(op)) for op in operators]

    @property
    def width(self) -> int:
        """Columns of the result."""
        return shape_of(self.result)[COLUMNS]

    def bands(self, count: int) -> list[Columns]:
        """Columns of the result, divided as evenly as it goes."""
        ends = [self.width * n // count for n in range(count + 1)]
        return [Columns(begin, end) for begin, end in pairwise(ends)]

    def needed(self, wanted: Columns) -> dict[SSAValue, Columns]:
        """The columns of each value that some of the result need."""
        found: dict[SSAValue, Columns] = {self.result: wanted}
        for op, reaches in reversed(self._reaches):
            for value, reach in reaches.items():
                given = reach.columns(value, found[op.results[0]])
                found[value] = found.get(value, given) | given
        return found

    def macs(self, count: int) -> int:
        """Multiply-accumulates in so many bands."""
        per_column = {
            op.results[0]: op.macs() // shape_of(op.results[0])[COLUMNS]
            for op in self.operators
            if isinstance(op, HasMacs)
        }
        needed = [self.needed(band) for band in self.bands(count)]
        return sum(of_band[value].count * macs for of_band in needed for value, macs in per_column.items())

    def made(self, needed: Mapping[SSAValue, Columns], parts: _Parts) -> SSAValue:
        """The columns of the result, computed of those that are needed of each value."""
        for op, reaches in self._reaches:
            value = op.results[0]
            columns = needed[value]
            operands = {each: parts.part(each, reach.columns(each, columns)) for each, reach in reaches.items()}
            clone = op.clone(operands)
            Rewriter.replace_value_with_new_type(clone.results[0], _narrowed(value, columns))
            if isinstance(clone, Convolution | Pool2D):
                begin, end = reaches[op.operands[0]].ends(columns.begin, columns.end)
                outside = max(0, -begin), max(0, end - shape_of(op.operands[0])[COLUMNS])
                clone.properties["pads"] = DenseArrayBase.from_list(i64, [*ints(clone.pads)[:2], *outside])
            parts.insert(clone)
            parts.there[value] = clone.results[0], columns
        return parts.there[self.result][0]


def split(regions: Sequence[tuple[Region, int]], numbers: Iterator[int]) -> None:
    """Compute regions one behind the other in so many bands each, which hand over columns and are numbered."""
    operators = [op for region, _ in regions for op in region.operators]
    chain: dict[SSAValue, _Pieces] = {}
    for region, count in regions:
        chain[region.result] = _Pieces(region, count, operators[-1], chain, numbers)
    inside = set(operators)
    for value, pieces in chain.items():
        if any(use.operation not in inside for use in value.uses):
            value.replace_uses_with_if(pieces.whole(), lambda use: use.operation not in inside)
    for op in reversed(operators):
        Rewriter.erase_op(op)


class _Pieces:
    """The result of a region, band by band, each computed when it is needed first."""

    def __init__(
        self, region: Region, count: int, at: Operation, chain: Mapping[SSAValue, _Pieces], numbers: Iterator[int]
    ):
        """Computed before an operation, of other results in pieces."""
        self._region, self._bands = region, region.bands(count)
        self._at, self._chain, self._numbers = at, chain, numbers
        self._made: dict[Columns, SSAValue] = {}

    def over(self, columns: Columns) -> list[tuple[SSAValue, Columns]]:
        """The bands that have some of these columns."""
        bands = [band for band in self._bands if band.meets(columns)]
        for band in bands:
            if band not in self._made:
                parts = _Parts(self._at, self._chain, next(self._numbers))
                self._made[band] = self._region.made(self._region.needed(band), parts)
        return [(self._made[band], band) for band in bands]

    def whole(self) -> SSAValue:
        """All columns."""
        value = self._region.result
        pieces = [piece for piece, _ in self.over(Columns(0, self._region.width))]
        made = ConcatOp(pieces, COLUMNS, TensorType(element_type_of(value), shape_of(value)))
        made.output.name_hint = value.name_hint
        Rewriter.insert_op(made, InsertPoint.before(self._at))
        return made.output


class _Parts:
    """The values of a band, and what is cut out of them."""

    def __init__(self, at: Operation, chain: Mapping[SSAValue, _Pieces], number: int):
        self._at, self._chain, self._number = at, chain, number
        self.there: dict[SSAValue, tuple[SSAValue, Columns]] = {}
        """What values of the graph are in the band, and which columns of them."""
        self._made: dict[tuple[SSAValue, Columns], SSAValue] = {}

    def insert(self, op: Operation) -> None:
        """Add an operation."""
        nn_keys.BAND.put(op.attributes, self._number)
        Rewriter.insert_op(op, InsertPoint.before(self._at))

    def part(self, value: SSAValue, columns: Columns) -> SSAValue:
        """These columns of a value."""
        if (value, columns) not in self._made:
            own = self.there.get(value, (value, Columns(0, shape_of(value)[COLUMNS])))
            pieces = [own] if value in self.there or value not in self._chain else self._chain[value].over(columns)
            cuts = [self._cut(piece, has, columns) for piece, has in pieces]
            if len(cuts) > 1:
                joined = ConcatOp(cuts, COLUMNS, _narrowed(value, columns))
                self.insert(joined)
                cuts = [joined.output]
            (self._made[value, columns],) = cuts
        return self._made[value, columns]

    def _cut(self, own: SSAValue, has: Columns, columns: Columns) -> SSAValue:
        """What a piece has of some columns."""
        wanted = Columns(max(has.begin, columns.begin), min(has.end, columns.end))
        if has == wanted:
            return own
        begin = [wanted.begin - has.begin if d == COLUMNS else 0 for d in range(4)]
        cut = SliceOp(own, begin, [1] * 4, _narrowed(own, wanted).get_shape())
        self.insert(cut)
        return cut.output


def _narrowed(value: SSAValue, columns: Columns) -> TensorType:
    shape = [columns.count if d == COLUMNS else extent for d, extent in enumerate(shape_of(value))]
    return TensorType(element_type_of(value), shape)
