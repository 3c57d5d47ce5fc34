"""Ever lower plans by ejection: what does not fit below a capacity takes the place of those that are easiest to move.

After Nagata and Bräysy's guided ejection search for vehicle routing (Operations Research Letters, 2009): a buffer that
fits nowhere goes where those in its way have been the least trouble so far; they are taken out and wait in turn, and it
counts as more trouble from then on. It proves nothing, and it finds what a search from below misses among hundreds of
buffers: leads and blocks cost it nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import cycle

from .first_fit import align_up, forbidden
from .problem import Problem

EVENTS_PER_SECOND = 3_000_000
"""Ends of buffers that are looked at in a second of `Effort`."""
EVENTS_PER_PIECE = 20_000
"""The same for each piece: of few pieces there are not so many plans that more would help."""
INSERTION = 15
"""What an insertion costs besides, in such events."""
SHORTEST = 20
"""Insertions for each buffer in a short attempt at a capacity."""
FIXED = 1 << 60
"""Trouble of moving a buffer whose place is given: more than that of all others."""


class Ejection:
    """The buffers of one pool, those of a block as one piece."""

    def __init__(self, problem: Problem, members: Sequence[int], seconds: float):
        chosen = set(members)
        blocks = [block.offsets for block in problem.blocks if block.offsets.keys() <= chosen]
        inside = {i for block in blocks for i in block}
        self._pieces: list[Mapping[int, int]] = [*blocks, *({i: 0} for i in members if i not in inside)]
        self.left = int(seconds * min(EVENTS_PER_SECOND, EVENTS_PER_PIECE * len(self._pieces)))
        """Ends of buffers that may still be looked at."""
        self._sizes = [max(at + problem.buffers[i].size for i, at in piece.items()) for piece in self._pieces]
        firsts = [next(i for i, at in piece.items() if at == 0) for piece in self._pieces]
        self._is_fixed = [problem.buffers[i].fixed is not None for i in firsts]
        self._steps = [problem.buffers[i].alignment for i in firsts]
        self._forbidden = _forbidden(problem, self._pieces)
        self._places: list[int | None] = []
        self._trouble: list[int] = []

    def lower(self, offsets: Mapping[int, int], bound: int, limit: int | None = None) -> dict[int, int]:
        """The lowest plan found, no higher than `offsets`; it ends at the bound, or when nothing is left to spend.

        Args:
            offsets: a plan, bytes by buffer.
            bound: bytes that no plan can do without.
            limit: bytes that matter more than the least size.
        """
        best = [offsets[next(i for i, at in piece.items() if at == 0)] for piece in self._pieces]
        size = self._height(best)
        parts, patience = 8, SHORTEST
        source = random.Random(0)
        for is_newest_first, is_lowest in cycle(((False, True), (False, False), (True, True), (True, False))):
            if size <= bound or self.left <= 0:
                break
            target = size - max(1, (size - bound) // parts)
            if limit is not None and bound <= limit < size:
                target = limit
            self._places, self._trouble = list(best), [FIXED if fixed else 1 for fixed in self._is_fixed]
            if self._meet(target, patience * len(best), source, is_newest_first, is_lowest):
                best = [at for at in self._places if at is not None]
                size = self._height(best)
                parts, patience = max(4, parts // 2), SHORTEST
            else:
                parts, patience = 2 * parts, 2 * patience
        return {i: start + at for start, piece in zip(best, self._pieces, strict=True) for i, at in piece.items()}

    def _height(self, places: Sequence[int]) -> int:
        return max(at + size for at, size in zip(places, self._sizes, strict=True))

    def _meet(
        self, capacity: int, insertions: int, source: random.Random, is_newest_first: bool, is_lowest: bool
    ) -> bool:
        """Move what reaches above the capacity below it; says whether that was done within so many insertions."""
        places, trouble, sizes = self._places, self._trouble, self._sizes
        waiting = [k for k, at in enumerate(places) if at is not None and at + sizes[k] > capacity]
        if any(self._is_fixed[k] for k in waiting) or max(sizes) > capacity:
            return False
        for k in waiting:
            places[k] = None
        waiting.sort(key=lambda k: (sizes[k], k))
        while waiting:
            insertions -= 1
            if insertions < 0 or self.left <= 0:
                return False
            k = waiting.pop()
            least, found = self._cheapest(k, capacity)
            if least >= FIXED:
                return False
            at = found[0] if len(found) == 1 or (is_lowest and not least) else found[source.randrange(len(found))]
            if least:
                trouble[k] += 1
                for j, low, high in self._forbidden[k]:
                    other = places[j]
                    if other is not None and other + low < at < other + high:
                        places[j] = None
                        waiting.insert(len(waiting) if is_newest_first else 0, j)
            places[k] = at
        return True

    def _cheapest(self, k: int, capacity: int) -> tuple[int, list[int]]:
        """The least trouble that a place below the capacity makes, and all places that make so much, from below.

        Only places next to another piece or to an end of the pool are looked at: any plan can be pushed together so.
        """
        places, trouble, step = self._places, self._trouble, self._steps[k]
        last = (capacity - self._sizes[k]) // step * step
        events = [(0, 1, 0), (last, 1, 0)]
        cost = 0
        for j, low, high in self._forbidden[k]:
            other = places[j]
            if other is None:
                continue
            begin, end = other + low, other + high
            if step != 1:
                begin, end = begin // step * step, align_up(end, step)
            if end <= 0 or begin >= last:
                continue
            if begin < 0:
                cost += trouble[j]
            else:
                events.append((begin, 2, trouble[j]))
            if end <= last:
                events.append((end, 0, -trouble[j]))
        self.left -= len(events) + INSERTION
        # At one place ranges end before the place is looked at, and others begin after.
        events.sort()
        least, found = -1, [0]
        for at, kind, change in events:
            if kind < 2:
                cost += change
            if least < 0 or cost < least:
                least, found = cost, [at]
            elif cost == least and found[-1] != at:
                found.append(at)
            if kind == 2:
                cost += change
        return least, found


def _forbidden(problem: Problem, pieces: Sequence[Mapping[int, int]]) -> list[list[tuple[int, int, int]]]:
    """For each piece the others in its way: it must not begin between two distances (excluded) from their start."""
    piece_of = {i: (number, at) for number, piece in enumerate(pieces) for i, at in piece.items()}
    rows: list[list[tuple[int, int, int]]] = []
    for number, piece in enumerate(pieces):
        ranges: dict[int, list[tuple[int, int]]] = {}
        for i, own in piece.items():
            for j in problem.neighbours[i]:
                other, at = piece_of.get(j, (number, 0))
                if other != number:
                    first, end = forbidden(problem, i, j, at - own)
                    ranges.setdefault(other, []).append((first - 1, end))
        rows.append([(other, *joined) for other, several in ranges.items() for joined in _joined(several)])
    return rows


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Open ranges with those that overlap made one, so that none counts twice; empty ones dropped."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted(ranges):
        if end - begin < 2:
            continue
        if found and begin < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found
