"""Whether a plan of a given height exists: branch and bound over canonical plans.

After Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning" (ASPLOS 2023):
in a canonical plan every buffer lies as low as those below it allow, and a plan is built by choosing the next lowest
buffer. Beyond the paper: children end at the highest start that the fullest section allows, a buffer whose place was
refuted has to rest on another one, and states that were refuted are not searched again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum, auto

from .tables import PLACED, Tables

MARGIN = 100
"""Part of the capacity below which differences in waste hardly matter to `Rule.DENSEST`, in half units."""


class Rule(Enum):
    """Which choice is tried first; ties go by the variable order."""

    LOWEST = auto()
    """The lowest start."""
    TIGHTEST = auto()
    """The lowest start, then the one with the fullest section."""
    FULLEST = auto()
    """The one with the fullest section, then the lowest start."""
    DENSEST = auto()
    """The one with most sections that have little to waste above its start."""
    STATIC = auto()
    """The variable order alone."""


class OutOfNodes(Exception):
    """The search was given up."""


class Search:
    """One search with one variable order.

    All offsets count half units: an odd lowest start says that the buffer cannot lie there, only anywhere above.
    """

    def __init__(
        self, tables: Tables, capacity: int, rank: Sequence[int], rule: Rule, nodes: int, width: int | None = None
    ):
        """`capacity`: bytes; `rank`: place of each in the variable order; `nodes`: placements until it gives up.

        `width`: choices that are tried at each step; None: all. Wrong decisions are mostly made early, where a narrow
        search of the same length comes back to sooner.
        """
        instance = tables.instance
        self.left = nodes
        self.failures = [0] * len(instance.sections)
        """How often each section could not be filled any more."""
        self._rank = rank
        self._rule = rule
        self._width = width
        self._is_complete = True
        self._tables = tables
        self._steps, self._above, self._below, self._in = tables.steps, tables.above, tables.below, tables.sections
        self._latest = tables.latest(capacity)
        self._starts = list(tables.starts)
        self._sizes = tables.sizes
        self._ends = [start + size for start, size in zip(self._starts, self._sizes, strict=True)]
        # How high the lowest unplaced member of each section may start, and one that can.
        unit = instance.unit
        self._room = [2 * ((capacity + s.slack) // unit - sum(s.weights.values())) for s in instance.sections]
        self._margin = 1 + capacity // (MARGIN * unit)
        self._watched = [members[0] for members in tables.members]
        self._refuted: set[tuple[int, ...]] = set()
        self._offsets = [0] * instance.count

    def run(self) -> dict[int, int] | None:
        """Offsets in units, or None if there is no plan of that height.

        Raises:
            OutOfNodes: neither was found within the nodes and the width.
        """
        if any(start > last for start, last in zip(self._starts, self._latest, strict=True)) or min(self._room) < 0:
            return None
        limit = sys.getrecursionlimit()
        count = len(self._starts)
        sys.setrecursionlimit(max(limit, 4 * count + 500))
        try:
            if not self._solve(list(range(count)), list(range(len(self._room)))):
                if not self._is_complete:
                    raise OutOfNodes
                return None
        finally:
            sys.setrecursionlimit(limit)
        return {i: at // 2 for i, at in enumerate(self._offsets)}

    def _solve(self, members: list[int], sections: list[int]) -> bool:
        """Place what is left: parts without conflicts between them one by one."""
        parts = self._parts(members)
        if len(parts) == 1:
            return self._solve_part(parts[0], members, sections)
        saved = [(m, self._starts[m], self._ends[m]) for m in members]
        rooms = [(s, self._room[s]) for s in sections]
        for part in sorted(parts, key=int.bit_count):
            inside = [m for m in members if part >> m & 1]
            chosen = set(inside)
            touched = [s for s in sections if not chosen.isdisjoint(self._tables.members[s])]
            if not self._solve_part(part, inside, touched):
                for m, start, end in saved:
                    self._starts[m] = start
                    self._ends[m] = end
                for s, room in rooms:
                    self._room[s] = room
                return False
        return True

    def _parts(self, members: Sequence[int]) -> list[int]:
        """The connected parts of the conflict graph, as bit masks."""
        masks = self._tables.masks
        rest = sum([1 << m for m in members])
        parts: list[int] = []
        while rest:
            seen = frontier = rest & -rest
            while frontier:
                low = frontier & -frontier
                new = masks[low.bit_length() - 1] & rest & ~seen
                seen |= new
                if seen == rest:
                    break
                frontier = (frontier ^ low) | new
            parts.append(seen)
            rest ^= seen
        return parts

    def _solve_part(self, part: int, members: list[int], sections: list[int]) -> bool:
        state = (part, *[self._starts[m] for m in members])
        if state in self._refuted:
            return False
        if self._choose(members, sections):
            return True
        self._refuted.add(state)
        return False

    def _choose(self, members: list[int], sections: list[int]) -> bool:
        """Try each buffer that can be the lowest of the part."""
        starts, ends = self._starts, self._ends
        if len(members) == 1:
            (only,) = members
            self._offsets[only] = starts[only]
            return not starts[only] & 1
        # The lowest of the fullest section lies no higher; and below an end, or its buffer could lie there, too.
        stop = min(min([self._room[s] for s in sections]), min([ends[m] for m in members]) - 1)
        choices = [m for m in members if starts[m] <= stop and not starts[m] & 1]
        lifted: list[tuple[int, int]] = []
        for i in self._sorted(choices):
            at = starts[i]
            if self.left <= 0:
                raise OutOfNodes
            self.left -= 1
            raised: list[tuple[int, int, int]] = []
            end = ends[i]
            if self._place(i, at, raised, sections):
                rest = [m for m in members if m != i]
                if self._solve(rest, sections):
                    self._offsets[i] = at
                    return True
            for s, weight in self._in[i]:
                self._room[s] -= weight
            for j, old, old_end in raised:
                starts[j] = old
                ends[j] = old_end
            starts[i] = at
            ends[i] = end
            lifted.append((i, at))
            if not self._lift(i):
                break
        for j, old in lifted:
            starts[j] = old
        return False

    def _sorted(self, choices: Sequence[int]) -> Sequence[int]:
        """The choices in the order in which they are tried, no more than the width allows."""
        if len(choices) < 2:
            return choices
        starts, room, rank, inside = self._starts, self._room, self._rank, self._in
        keys: list[tuple[float, ...]]
        match self._rule:
            case Rule.STATIC:
                keys = [(rank[i],) for i in choices]
            case Rule.LOWEST:
                keys = [(starts[i], rank[i]) for i in choices]
            case Rule.TIGHTEST:
                keys = [(starts[i], min([room[s] for s, _ in inside[i]]), rank[i]) for i in choices]
            case Rule.FULLEST:
                keys = [(min([room[s] for s, _ in inside[i]]), starts[i], rank[i]) for i in choices]
            case Rule.DENSEST:
                bases = [self._margin - starts[i] for i in choices]
                keys = [
                    (-sum([1 / (base + room[s]) for s, _ in inside[i]]), rank[i])
                    for i, base in zip(choices, bases, strict=True)
                ]
        ordered = [i for _, i in sorted(zip(keys, choices, strict=True))]
        if self._width is not None and len(ordered) > self._width:
            self._is_complete = False
            return ordered[: self._width]
        return ordered

    def _place(self, i: int, at: int, raised: list[tuple[int, int, int]], sections: Sequence[int]) -> bool:
        """Put a buffer at its start; says whether every section can still be filled. Notes what has to be undone."""
        starts, ends, room, watched = self._starts, self._ends, self._room, self._watched
        starts[i] = ends[i] = PLACED
        for s, weight in self._in[i]:
            room[s] += weight
        for j, gap in self._above[i]:
            start = at + gap
            step = self._steps[j]
            if step != 2:
                start = -(-start // step) * step
            # A buffer that rests on others has a start above its end here, which says where it could lie without them.
            if start + self._sizes[j] > ends[j]:
                raised.append((j, starts[j], ends[j]))
                ends[j] = start + self._sizes[j]
                if start > starts[j]:
                    starts[j] = start
                    if start > self._latest[j]:
                        return False
        return all(starts[watched[s]] <= room[s] or self._can_begin(s) for s in sections)

    def _can_begin(self, section: int) -> bool:
        """Whether one of the section's unplaced members can start low enough for the others to lie above."""
        starts, room = self._starts, self._room[section]
        is_done = True
        for m in self._tables.members[section]:
            if starts[m] <= room:
                self._watched[section] = m
                return True
            is_done = is_done and starts[m] == PLACED
        self.failures[section] += not is_done
        return is_done

    def _lift(self, i: int) -> bool:
        """A buffer cannot lie at its start: it rests on one of those in its way, wherever that goes."""
        start = PLACED
        for m, gap in self._below[i]:
            if self._starts[m] != PLACED:
                start = min(start, self._starts[m] + gap)
        start += start & 1
        step = self._steps[i]
        if step != 2:
            start = -(-start // step) * step
        if start > self._latest[i]:
            return False
        self._starts[i] = start - 1
        return all(start <= self._room[s] or self._can_begin(s) for s, _ in self._in[i] if self._watched[s] == i)
