"""Whether a plan of a given height exists: branch and bound over canonical plans.

After Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning" (ASPLOS 2023): in a
canonical plan buffers are visited by ascending offset, and each lies as low as those before it allow.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .instance import Instance

PLACED = 1 << 62
"""Lowest start of a buffer that has its place: above every bound, so that no test asks whether it is placed."""


class OutOfNodes(Exception):
    """The search was given up."""


class Search:
    """One search with one variable order."""

    def __init__(self, instance: Instance, capacity: int, order: Sequence[int], nodes: int):
        """`capacity`: bytes; `order`: buffers, those to try first at the front; `nodes`: placements until it gives up."""
        self.left = nodes
        self.memo={}; self.hits=0
        self._order = order
        rank = {buffer: n for n, buffer in enumerate(order)}
        unit = instance.unit
        self._sizes = [2 * instance.units[i] for i in order]
        self._steps = [2 * instance.steps[i] for i in order]
        self._gaps = [sorted((rank[b], 2 * gap) for b, gap in instance.gaps[i].items()) for i in order]
        self._latest = [
            2 * ((capacity - instance.sizes[i]) // unit if instance.fixed[i] is None else instance.fixed[i]) for i in order
        ]
        self._starts = [2 * (instance.fixed[i] or 0) for i in order]
        self._incoming = [[(m, dict(self._gaps[m])[n]) for m, _ in row] for n, row in enumerate(self._gaps)]
        self._has_fixed = any(at is not None for at in instance.fixed)
        self._in = [[(s, 2 * w) for s, w in instance.memberships[i]] for i in order]
        self._sections = [sorted(rank[i] for i in s.weights) for s in instance.sections]
        # How high the lowest unplaced member of each section may start.
        self._room = [2 * ((capacity + s.slack) // unit - sum(s.weights.values())) for s in instance.sections]
        self._watched = [members[0] for members in self._sections]
        self._ends = [start + size for start, size in zip(self._starts, self._sizes)]
        for n, i in enumerate(order):
            if any(instance.fixed[b] is not None for b in instance.gaps[i]) or instance.fixed[i] is not None:
                self._sizes[n] = PLACED
                self._ends[n] = PLACED
        self._masks = [sum(1 << b for b, _ in row) for row in self._gaps]
        self._offsets = [0] * len(order)

    def run(self) -> dict[int, int] | None:
        """Offsets in units, or None if there is no plan of that height.

        Raises:
            OutOfNodes: neither was found within the nodes.
        """
        if any(s > l for s, l in zip(self._starts, self._latest)) or any(room < 0 for room in self._room):
            return None
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 4 * len(self._order) + 500))
        try:
            if not self._split(list(range(len(self._order))), list(range(len(self._sections)))):
                return None
        finally:
            sys.setrecursionlimit(limit)
        return {buffer: self._offsets[n] // 2 for n, buffer in enumerate(self._order)}

    def _split(self, members, sections, ) -> bool:
        masks = self._masks
        rest = 0
        for m in members:
            rest |= 1 << m
        parts = []
        while rest:
            low = rest & -rest
            seen = frontier = low
            while frontier:
                low = frontier & -frontier
                new = masks[low.bit_length() - 1] & rest & ~seen
                seen |= new
                if seen == rest:
                    break
                frontier = (frontier ^ low) | new
            parts.append(seen)
            rest ^= seen
        if len(parts) == 1:
            return self._memo(parts[0], members, sections)
        parts.sort(key=int.bit_count)
        for part in parts:
            inside = [m for m in members if part >> m & 1]
            chosen = set(inside)
            secs = [s for s in sections if not chosen.isdisjoint(self._sections[s])]
            if not self._memo(part, inside, secs):
                return False
        return True

    def _memo(self, part, members, sections):
        starts = self._starts
        key = (part, *[starts[m] for m in members])
        if key in self.memo:
            self.hits += 1
            return False
        if self._descend(members, sections):
            return True
        self.memo[key] = 1
        return False

    def _descend(self, members: list[int], sections: list[int]) -> bool:
        starts, ends, room, watched, latest, sizes = self._starts, self._ends, self._room, self._watched, self._latest, self._sizes
        if len(members) == 1:
            i = members[0]
            if starts[i] & 1: return False
            self._offsets[i] = starts[i]
            return True
        stop = min([room[s] for s in sections])
        lim = min([ends[m] for m in members]) - 1
        if lim < stop: stop = lim
        choices = [(starts[m], m) for m in members if starts[m] <= stop]
        choices.sort()
        skipped = []
        prev = -1
        for at, i in choices:
            if at & 1:
                continue
            if prev >= 0:
                # refuted: prev at its start
                eff = PLACED
                for m, gap in self._incoming[prev]:
                    v = starts[m]
                    if v != PLACED:
                        if v < at: v = at
                        v += gap
                        if v < eff: eff = v
                eff += eff & 1
                step = self._steps[prev]
                if step != 2: eff = -(-eff // step) * step
                skipped.append((prev, starts[prev]))
                if eff > latest[prev]:
                    break
                starts[prev] = eff - 1
                bad = False
                for s, _ in self._in[prev]:
                    if watched[s] == prev and eff > room[s]:
                        r = room[s]
                        for m in self._sections[s]:
                            if starts[m] <= r:
                                watched[s] = m
                                break
                        else:
                            bad = True
                            break
                if bad: break
            prev = i
            if self.left <= 0:
                raise OutOfNodes
            self.left -= 1
            trail = [(i, at)]
            starts[i] = PLACED
            changed = []
            ends_old = ends[i]
            ends[i] = PLACED
            ok = True
            for j, gap in self._gaps[i]:
                v = at + gap
                if v > starts[j]:
                    step = self._steps[j]
                    if step != 2:
                        v = -(-v // step) * step
                    changed.append((j, starts[j], ends[j]))
                    starts[j] = v
                    ends[j] = v + sizes[j]
                    if v > latest[j]:
                        ok = False
                        break
            for s, w in self._in[i]:
                room[s] += w
            if ok:
                for s in sections:
                    r = room[s]
                    if starts[watched[s]] > r:
                        for m in self._sections[s]:
                            if starts[m] <= r:
                                watched[s] = m
                                break
                        else:
                            for m in self._sections[s]:
                                if starts[m] != PLACED:
                                    ok = False
                                    break
                            if not ok: break
            if ok:
                rest = [m for m in members if m != i]
                if self._split(rest, sections):
                    self._offsets[i] = at
                    return True
            for s, w in self._in[i]:
                room[s] -= w
            for j, old, end in changed:
                starts[j] = old
                ends[j] = end
            starts[i] = at
            ends[i] = ends_old
        for j, old in skipped:
            starts[j] = old
        return False
