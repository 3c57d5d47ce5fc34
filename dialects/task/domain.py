"""Iteration domains: named dimensions with constant extents, and affine indices over them.

Loop schedules, lowering and whoever asks which elements a task touches read the same two things: `DimsAttr` and
`Linear`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.ir import Data
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class DimsAttr(Data[tuple[tuple[str, int], ...]]):
    """Dimensions of a domain, in order: names and extents. Example: `#task.dims<oy = 8, ox = 8>`."""

    name = "task.dims"

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(name for name, _ in self.data)

    @property
    def text(self) -> str:
        """Return `name = extent` with commas."""
        return ", ".join(f"{name} = {extent}" for name, extent in self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[str, int], ...]:
        return parse_dims(parser, parser.Delimiter.ANGLE)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.text)


def parse_dims(parser: AttrParser, delimiter: AttrParser.Delimiter) -> tuple[tuple[str, int], ...]:
    """Parse `name = extent` with commas."""

    def dim() -> tuple[str, int]:
        name = parser.parse_identifier("name of a dimension")
        parser.parse_punctuation("=")
        return name, parser.parse_integer(allow_boolean=False, allow_negative=False)

    return tuple(parser.parse_comma_separated_list(delimiter, dim))


@dataclass(frozen=True)
class Linear:
    """An affine expression: the sum of `coefficient * dimension` and a constant."""

    terms: tuple[tuple[int, int], ...]
    """(position of a dimension, coefficient), each dimension once, in the order of writing."""
    constant: int

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(expr: AffineExpr) -> Linear:
        """The linear form of an expression without division and remainder.

        Raises:
            ValueError: it has them.
        """
        terms, constant, summands = dict[int, int](), 0, [(expr, 1)]
        while summands:
            expr, factor = summands.pop()
            match expr:
                case AffineConstantExpr(value):
                    constant += factor * value
                case AffineDimExpr(position):
                    terms[position] = terms.get(position, 0) + factor
                case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
                    summands += [(rhs, factor), (lhs, factor)]
                case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, AffineConstantExpr(value)):
                    summands.append((lhs, factor * value))
                case _:
                    raise ValueError("an index is a sum of dimensions times constants")
        return Linear(tuple((position, factor) for position, factor in terms.items() if factor), constant)

    def expression(self, dimension: Callable[[int], AffineExpr] = AffineExpr.dimension) -> AffineExpr:
        """Return the form as an affine expression; `dimension` says what stands for each of its dimensions."""
        terms = (dimension(position) * factor for position, factor in self.terms)
        return sum(terms, start=AffineExpr.constant(self.constant))

    def coefficient(self, position: int) -> int:
        """The coefficient of a dimension; 0 if it does not occur."""
        for dimension, factor in self.terms:
            if dimension == position:
                return factor
        return 0

    def positions(self) -> tuple[int, ...]:
        """The dimensions that occur."""
        return tuple([position for position, _ in self.terms])

    def without(self, position: int) -> Linear:
        """The other terms."""
        return Linear(tuple(term for term in self.terms if term[0] != position), self.constant)

    def at(self, places: Mapping[int, int]) -> int:
        """The value at places of all dimensions that occur."""
        return self.constant + sum(factor * places[position] for position, factor in self.terms)

    def bounds(self, extents: Sequence[int]) -> tuple[int, int]:
        """Least and largest value where every dimension runs from 0 up to its extent (excluded)."""
        least = most = self.constant
        for position, factor in self.terms:
            reach = factor * (extents[position] - 1)
            least, most = least + min(reach, 0), most + max(reach, 0)
        return least, most


@lru_cache(maxsize=4096)
def composed(dims: int, named: tuple[AffineExpr, ...]) -> tuple[AffineExpr, ...]:
    """The dimensions, then each named index over them alone; an index may use those before it."""
    known: list[AffineExpr] = [AffineExpr.dimension(d) for d in range(dims)]
    for expr in named:
        known.append(expr.replace_dims_and_symbols(known, []))
    return tuple(known)
