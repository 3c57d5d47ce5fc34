"""Steps that make other nests of a nest, before there are loops.

They come first in a schedule. The pass `apply-steps` carries them out one after the other: what each makes is a module
that can be read and edited, without the step. Which dimensions there are after one, the steps behind it already name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.parser import AttrParser

from .layouts import ADDED as LAYOUTS
from .loop import Loop
from .loop_steps import OfOneDim, find
from .step import INNER, OUTER, Count, Domain, Step, parse_count, parse_dims


class Rewrite(Step):
    """Base of such steps."""


@dataclass(frozen=True)
class Block(OfOneDim, Rewrite):
    """The dimension `d` becomes two, `d_o` of blocks and `d_i` of the `size` points of each."""

    size: Count

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        if self.size < 1 or loop.extent % self.size:
            raise ValueError(f"{self}: {self.dim} has {loop.extent} points, no multiple of {self.size}")
        outer = replace(loop, name=self.dim + OUTER, extent=loop.extent // self.size)
        return outer, replace(loop, name=self.dim + INNER, extent=self.size)


class OfDim(OfOneDim, Rewrite):
    """A step that says one thing of one dimension, which stays."""

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        return (loop,)


class Peel(OfDim):
    """Points of a space dimension at which a read is clipped along it become nests of their own, without a schedule.

    The other steps are for the nest that is left. What is never clipped there is no longer marked.
    """


@dataclass(frozen=True)
class OfRead(Rewrite):
    """A step that lays what the step of the nest reads in another order; base of those that say which of it."""

    read: int
    """Number among what the step reads."""
    dims: tuple[str, ...]
    """The dimensions in the order in which elements lie, outermost first: all on which their place depends."""
    layout: str = ""
    """Name that a package gives this order; none where it is empty."""

    @classmethod
    def parse(cls, parser: AttrParser) -> OfRead:
        read, position = parse_count(parser), parser.pos
        name = parser.parse_optional_str_literal()
        if name is None:
            return cls(read, parse_dims(parser))
        try:
            return cls(read, LAYOUTS.required(name, "layout").dims, name)
        except ValueError as error:
            parser.raise_error(str(error), position, parser.pos)

    def renamed(self, name: Callable[[str], str]) -> OfRead:
        dims = tuple(map(name, self.dims))
        return replace(self, dims=dims, layout=self.layout if dims == self.dims else "")

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        for dim in self.dims:
            find(loops, dim)
        return list(loops)

    def __str__(self) -> str:
        order = f'"{self.layout}"' if self.layout else f"({', '.join(self.dims)})"
        return f"{self.keyword} {self.read} {order}"


class Pack(OfRead):
    """A constant lies in memory in the order in which it is read."""


class Stage(OfRead):
    """What is read is copied first, in the order in which it is read, into scratch memory."""


@dataclass(frozen=True)
class FoldZeroPoint(Rewrite):
    """A zero point of a factor of products is taken off what the sums start from, not off each element.

    The other factor is a constant, and so is what the sums start from.
    """

    read: Count
    """Number of the factor among what the step reads."""
