"""Steps of schedules that say which loops there are and in which order; they compute nothing otherwise.

The vocabulary is Halide's and Exo's (Ragan-Kelley et al., PLDI 2013; Ikarashi et al., PLDI 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .loop import Form, Loop
from .step import INNER, OUTER, Count, Dim, Dims, Domain, Flag, Step


@dataclass(frozen=True)
class Order(Step):
    """The loops, outermost first; fold dimensions stay inside all space dimensions but jammed ones."""

    dims: Dims

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        by_name = {loop.name: loop for loop in loops}
        if sorted(self.dims) != sorted(by_name):
            raise ValueError(f"order names {', '.join(self.dims)}: it must name each of {', '.join(by_name)} once")
        return [by_name[name] for name in self.dims]


@dataclass(frozen=True)
class OfOneDim(Step):
    """A step that says one thing of one dimension."""

    dim: Dim

    def planned(self, domain: Domain, loops: Sequence[Loop]) -> list[Loop]:
        at = find(loops, self.dim)
        made, others = self.made_of(domain, loops[at]), {loop.name for loop in loops if loop is not loops[at]}
        for loop in made:
            if loop.name in others:
                raise ValueError(f"{self}: there is a loop {loop.name} already")
        return [*loops[:at], *made, *loops[at + 1 :]]

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        """What becomes of the loop: it stays unless a step says otherwise."""
        return (loop,)


@dataclass(frozen=True)
class Split(OfOneDim):
    """`d` becomes blocks `d_o` of `size` points `d_i`; what remains at the end runs after the blocks.

    Clamped, it is one more block, whose points beyond the end are the last point again: less code for a few points that
    are computed twice, side by side.
    """

    size: Count
    clamped: Flag = False

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        if self.clamped and loop.is_fold:
            raise ValueError(f"{self}: it is a fold dimension, whose points count once")
        if self.clamped and not domain.repeats:
            raise ValueError(f"{self}: the nest reads what it writes, so that its last points would count twice")
        if loop.is_part:
            raise ValueError(f"split {loop.name}: it is a part of a split already")
        if loop.form != "loop" or loop.reverse:
            raise ValueError(f"split {loop.name}: split it before it is jammed, unrolled or reversed")
        if not 2 <= self.size <= max(2, loop.extent):
            raise ValueError(f"split {loop.name} {self.size}: blocks have from 2 to {loop.extent} points")
        part = replace(loop, dim_name=loop.name, clamped=self.clamped and loop.extent % self.size > 0)
        blocks = loop.extent // self.size + part.clamped
        outer = replace(part, name=loop.name + OUTER, extent=blocks, stride=self.size)
        return outer, replace(part, name=loop.name + INNER, extent=self.size)


class Jam(OfOneDim):
    """All points of a space dimension run side by side in one body, with an accumulator each: a register tile."""

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        if loop.is_fold:
            raise ValueError(f"jam {self.dim}: it is a fold dimension, whose points share one accumulator")
        return _formed(loop, "jam")


class Unroll(OfOneDim):
    """One body after the other instead of a loop."""

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        return _formed(loop, "unroll")


class Reverse(OfOneDim):
    """From the last point to the first."""

    def made_of(self, domain: Domain, loop: Loop) -> tuple[Loop, ...]:
        return (replace(loop, reverse=not loop.reverse),)


def find(loops: Sequence[Loop], name: str) -> int:
    """The place of a loop.

    Raises:
        ValueError: there is none of that name.
    """
    for at, loop in enumerate(loops):
        if loop.name == name:
            return at
    raise ValueError(f"schedule: there is no dimension {name} (there are {', '.join(loop.name for loop in loops)})")


def _formed(loop: Loop, form: Form) -> tuple[Loop]:
    if loop.form != "loop":
        raise ValueError(f"{form} {loop.name}: it is {loop.form}med already".replace("unrollmed", "unrolled"))
    return (replace(loop, form=form),)
