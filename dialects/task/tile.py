"""The macro `tile`: points of some dimensions side by side, inside of the loops over blocks of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from xdsl.parser import AttrParser

from .loop import Loop
from .loop_steps import Jam, Order, Split, find
from .step import INNER, OUTER, Domain, Macro, Spelling, Step, parse_count, parse_dims

Points: TypeAlias = tuple[tuple[str, int], ...]
"""Points side by side, by the name of a dimension."""


@dataclass(frozen=True)
class Tiling:
    """The steps of a tile."""

    splits: tuple[Split, ...]
    order: Order
    inner: tuple[str, ...]
    """The loops over the points of a block."""
    loops: tuple[Step, ...]
    """The steps that make the loops; none where they stay as they are."""

    @staticmethod
    def of(
        loops: Sequence[Loop], points: Points, outside: Sequence[str] = (), fold: Sequence[str] | None = None
    ) -> Tiling:
        """Return the steps that make a tile.

        Args:
            loops: those before it.
            points: points of a block, by loops over space; one that has no more is inside as a whole.
            outside: loops over space that come first, in order; the others follow as they are.
            fold: the loops over the fold, if not as they are.
        """
        sizes = dict(points)
        blocked = [loop.name for loop in loops if loop.name in sizes and loop.extent > sizes[loop.name]]
        space, folds = ([loop.name for loop in loops if loop.is_fold == is_fold] for is_fold in (False, True))
        first = (*outside, *(name for name in space if name not in outside))
        around = (name + OUTER if name in blocked else name for name in first if name in blocked or name not in sizes)
        inner = tuple(name + INNER if name in blocked else name for name in sizes)
        order = Order((*around, *inner, *(folds if fold is None else fold)))
        splits = tuple(Split(name, size) for name, size in points if name in blocked)
        is_plain = not splits and order.dims == (*space, *folds)
        return Tiling(splits, order, inner, () if is_plain else (*splits, order))

    @property
    def jams(self) -> tuple[Step, ...]:
        """Return the steps that put the points of a block into one body."""
        return tuple(map(Jam, self.inner))


def _points(parser: AttrParser) -> Points:
    def one() -> tuple[str, int]:
        return parser.parse_identifier("name of a dimension"), parse_count(parser)

    return tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, one))


def _outside(parser: AttrParser) -> tuple[str, ...]:
    return parse_dims(parser) if parser.parse_optional_keyword("outside") is not None else ()


@dataclass(frozen=True)
class Tile(Macro):
    """Points of some dimensions of the space run side by side, inside of the loops over blocks of them.

    Short for `split`, `order` and `jam`: a register tile.
    """

    points: Annotated[
        Points, Spelling(_points, lambda points: f"({', '.join(f'{name} {size}' for name, size in points)})")
    ]
    outside: Annotated[
        tuple[str, ...], Spelling(_outside, lambda dims: f"outside ({', '.join(dims)})" if dims else "")
    ] = ()
    """Dimensions that come first, in order; the others follow as they are."""

    def steps(self, domain: Domain, loops: Sequence[Loop]) -> tuple[Step, ...]:
        names = [name for name, _ in self.points]
        for name in (*names, *self.outside):
            if loops[find(loops, name)].is_fold:
                raise ValueError(f"{self}: {name} is a dimension of the fold")
            if names.count(name) > 1 or self.outside.count(name) > 1:
                raise ValueError(f"{self}: {name} is named twice")
        tiling = Tiling.of(loops, self.points, self.outside)
        return *tiling.loops, *tiling.jams

    def renamed(self, name: Callable[[str], str]) -> Tile:
        points = tuple((name(dim), size) for dim, size in self.points)
        return replace(self, points=points, outside=tuple(map(name, self.outside)))
