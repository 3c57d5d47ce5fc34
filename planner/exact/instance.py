"""A pool's placement problem relaxed to plain numbers: what the search works on.

Offsets count in units, the greatest step that all of them are multiples of. In any plan the buffers can be visited in
the order of their offsets, so a pair needs only a gap for each of the two directions: how far the later one must start
above the earlier one. Alignments, overlaps (leads) and fixed places thereby become gaps, steps and latest starts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from ..problem import Problem
from .cliques import cliques


@dataclass(frozen=True)
class Section:
    """Buffers that are all in each other's way."""

    weights: Mapping[int, int]
    """Units that each member takes for itself: those of any subset add up to no more than what it needs."""
    slack: int
    """Bytes by which the topmost member can be smaller than its weight says."""


@dataclass(frozen=True)
class Instance:
    """Buffers 0 to n - 1 of one pool."""

    unit: int
    """Bytes."""
    sizes: tuple[int, ...]
    """Bytes."""
    units: tuple[int, ...]
    """Sizes in units, rounded up."""
    steps: tuple[int, ...]
    """Units that the offset must be a multiple of."""
    fixed: tuple[int | None, ...]
    """Offsets that are given, in units."""
    gaps: tuple[Mapping[int, int], ...]
    """`gaps[a][b]`: units from a's offset to b's at least, if b lies no lower than a; for all b in a's way."""
    sections: tuple[Section, ...]
    spans: tuple[int, ...]
    """How long each buffer lives, in any unit; ordering only."""
    births: tuple[int, ...]
    """When each buffer is first live; ordering only."""
    is_complete: bool
    """Whether every plan is a plan of the instance: only then what the search refutes is impossible."""

    @property
    def count(self) -> int:
        """Number of buffers."""
        return len(self.sizes)

    @cached_property
    def memberships(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each buffer its sections and what it weighs there."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.sizes]
        for number, section in enumerate(self.sections):
            for member, weight in section.weights.items():
                found[member].append((number, weight))
        return tuple(map(tuple, found))

    @cached_property
    def bound(self) -> int:
        """Bytes that no plan can do without."""
        whole = (sum(s.weights.values()) * self.unit - s.slack for s in self.sections)
        ends = (at * self.unit + size for at, size in zip(self.fixed, self.sizes, strict=True) if at is not None)
        return max([*self.sizes, *whole, *ends], default=0)


def relax(problem: Problem, members: Sequence[int]) -> Instance:
    """The instance for `members`, numbered as they come."""
    buffers = [problem.buffers[i] for i in members]
    place = {i: number for number, i in enumerate(members)}
    fixed = [None if b.fixed is None else b.fixed[1] for b in buffers]
    steps = [b.alignment if at is None else 1 for b, at in zip(buffers, fixed, strict=True)]
    given = [at for at in fixed if at is not None]
    # All offsets are multiples of this, so sizes may be rounded up to it.
    grain = math.gcd(*(s for s, at in zip(steps, fixed, strict=True) if at is None), *given) or 1
    sizes = [b.size for b in buffers]
    rounded = [-(-size // grain) * grain for size in sizes]
    gaps: list[dict[int, int]] = [{} for _ in members]
    is_complete = True
    for a, i in enumerate(members):
        for j in problem.neighbours[i]:
            b = place.get(j)
            if b is None:
                continue
            gaps[a][b] = rounded[a]
            lead = problem.leads.get((i, j))
            if lead is not None:
                # An output that may begin above its input is only tried from below.
                is_complete &= lead >= 0
                gaps[a][b] = min(rounded[a], -(-max(lead, 0) // grain) * grain)
    unit = math.gcd(*rounded, *given, *(gap for row in gaps for gap in row.values())) or 1
    for step in steps:
        if unit % step:
            unit = math.gcd(unit, step)
    unit = math.gcd(unit, *(step for step in steps if unit % step)) or 1
    steps = [step // math.gcd(step, unit) for step in steps]
    units = [size // unit for size in rounded]
    for row in gaps:
        for b in row:
            row[b] //= unit
    linked = [{b for b in row if _shared(a, b, units, gaps)} for a, row in enumerate(gaps)]
    sections = tuple(_section(group, sizes, units, unit, gaps, linked) for group in cliques(problem, members, gaps))
    return Instance(
        unit,
        tuple(sizes),
        tuple(units),
        tuple(steps),
        tuple(None if at is None else at // unit for at in fixed),
        tuple(gaps),
        sections,
        tuple(sum(last - first for first, last in b.ranges) for b in buffers),
        tuple(min((first for first, _ in b.ranges), default=0) for b in buffers),
        is_complete,
    )


def _section(
    group: Sequence[int],
    sizes: Sequence[int],
    units: Sequence[int],
    unit: int,
    gaps: Sequence[Mapping[int, int]],
    linked: Sequence[Set[int]],
) -> Section:
    """Weights that count no byte twice that two members may share.

    The bytes of a union are at least the sum over its members of what each adds to those before it. `linked` holds the
    buffers that each can have bytes in common with.
    """
    weights: dict[int, int] = {}
    partners = {a: [b for b in group if b in linked[a]] if linked[a] else [] for a in group}
    apart = [a for a in group if not partners[a]]
    for a in apart:
        weights[a] = units[a]
    led = sorted((a for a in group if partners[a]), key=lambda a: (len(partners[a]), -units[a], a))
    # A large set of members that share nothing first: they count in full.
    free = [a for n, a in enumerate(led) if not any(b in partners[a] for b in led[:n])]
    for a in [*free, *(a for a in led if a not in free)]:
        shared = sum(_shared(a, b, units, gaps) for b in partners[a] if b in weights)
        weights[a] = max(0, units[a] - shared)
    slack = max((units[a] * unit - sizes[a] for a in group), default=0)
    return Section(weights, slack)


def _shared(a: int, b: int, units: Sequence[int], gaps: Sequence[Mapping[int, int]]) -> int:
    """Units that two buffers can have in common at most."""
    return max(min(units[b], units[a] - gaps[a][b]), min(units[a], units[b] - gaps[b][a]), 0)
