"""Ever lower plans by ejection: what does not fit below a capacity takes the place of those that are easiest to move.

After Nagata and Bräysy's guided ejection search for vehicle routing (Operations Research Letters, 2009): a buffer that
fits nowhere goes where those in its way have been the least trouble so far; they are taken out and wait in turn, and it
counts as more trouble from then on. It proves nothing, and it finds what a search from below misses among hundreds of
buffers: leads and blocks cost it nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import count, cycle

from .first_fit import forbidden
from .problem import Problem

PLACES_PER_SECOND = 1_500_000
"""Places of buffers that are looked at in a second of `Effort`."""
RESTARTED = 500_000
"""Places up to which the search begins anew, with other random numbers."""
PLACES_PER_PIECE = 10_000
"""Places for each piece: of few pieces there are not so many plans that more would help."""
INSERTION = 15
"""Fixed cost of an insertion, in places."""
MANY = 3_000
"""Pieces of which a round of the usual effort does not come by each."""
SHORTEST = 10
"""Insertions for each buffer in a short attempt at a capacity."""
PARTS = 8
"""Part of what is above the bound that an attempt may be lower."""
PATIENCE = 1.5
"""Times the insertions of an attempt after one that failed."""
ROUNDS = 12
"""Parts of the effort: the search ends after a part that gained little."""
ATTEMPT, FAR_ATTEMPT = 500_000, 1_500_000
"""Places that one attempt may look at, two rounds of the usual effort, and where plans are far above the bound."""
ATTEMPT_PER_PIECE = 100
"""Places for each piece that an attempt may look at: one that does not come by each tells little."""
FAR = 0.05
"""Part of the bound that is far: there long attempts still gain."""
LEAST_GAIN = 0.005
"""Part of the size that a round must gain for another to follow."""
FIXED = 1 << 60
"""Trouble of moving a buffer whose place is given: more than that of all others."""


class Ejection:
    """The buffers of one pool, those of a block as one piece."""

    def __init__(self, problem: Problem, members: Sequence[int], seconds: float):
        chosen = set(members)
        blocks = [block.offsets for block in problem.blocks if block.offsets.keys() <= chosen]
        inside = {i for block in blocks for i in block}
        self._pieces: list[Mapping[int, int]] = [*blocks, *({i: 0} for i in members if i not in inside)]
        self._allowed = int(seconds * min(PLACES_PER_SECOND, PLACES_PER_PIECE * len(self._pieces)))
        # With other random numbers a search that does not come by each piece would be much the same.
        self._restarted = int(seconds * RESTARTED) if len(self._pieces) <= MANY else 0
        self._left = 0
        """Places that may still be looked at."""
        self._until = 0
        """How many of them an attempt leaves."""
        self._sizes = [max(at + problem.buffers[i].size for i, at in piece.items()) for piece in self._pieces]
        firsts = [next(i for i, at in piece.items() if at == 0) for piece in self._pieces]
        self._is_fixed = [problem.buffers[i].fixed is not None for i in firsts]
        self._steps = [problem.buffers[i].alignment for i in firsts]
        self._forbidden = _forbidden(problem, self._pieces)
        self._places: list[int | None] = []
        self._trouble: list[int] = []

    def lower(self, offsets: Mapping[int, int], bound: int, limit: int | None = None) -> dict[int, int]:
        """The lowest plan found, no higher than `offsets`; it ends at the bound, or when rounds gain little.

        Args:
            offsets: a plan, bytes by buffer.
            bound: bytes that no plan can do without.
            limit: bytes that matter more than the least size.
        """
        begin = [offsets[next(i for i, at in piece.items() if at == 0)] for piece in self._pieces]
        best, spent = begin, 0
        for seed in count():
            self._left = self._allowed
            found = self._lowered(begin, bound, limit, random.Random(seed))
            best = min(best, found, key=self._height)
            spent += self._allowed - self._left
            if self._height(best) <= bound or spent >= self._restarted:
                break
        return {i: start + at for start, piece in zip(best, self._pieces, strict=True) for i, at in piece.items()}

    def _lowered(self, begin: list[int], bound: int, limit: int | None, source: random.Random) -> list[int]:
        """The lowest places that are found in one go."""
        best = begin
        size = begun = self._height(best)
        step, patience = max(1, (size - bound) // PARTS), float(SHORTEST)
        a_round = self._left // ROUNDS
        following = self._left - a_round
        for is_newest_first, is_lowest in cycle(((False, True), (False, False), (True, True), (True, False))):
            if self._left <= following:
                is_met = limit is None or size <= limit
                if is_met and begun - size < LEAST_GAIN * begun:
                    break
                begun, following = size, self._left - a_round
            if size <= bound or self._left <= 0:
                break
            target = max(bound, size - step)
            if limit is not None and bound <= limit < size:
                target = limit
            self._places, self._trouble = list(best), [FIXED if fixed else 1 for fixed in self._is_fixed]
            attempt = max(FAR_ATTEMPT if size > (1 + FAR) * bound else ATTEMPT, ATTEMPT_PER_PIECE * len(self._pieces))
            self._until = max(0, self._left - attempt)
            if self._meet(target, int(patience * len(best)), source, is_newest_first, is_lowest):
                best = [at for at in self._places if at is not None]
                size = self._height(best)
                step, patience = max(1, min(2 * step, (size - bound) // PARTS)), SHORTEST
            elif 0 < self._left <= self._until and (limit is None or size <= limit):
                # Rounds passed, and nothing was gained.
                break
            else:
                step, patience = max(1, step // 2), PATIENCE * patience
        return best

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
            if insertions < 0 or self._left <= self._until:
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
        cost = 0
        opened: dict[int, int] = {}
        closed: dict[int, int] = {}
        opened_by, closed_by = opened.get, closed.get
        for j, low, high in self._forbidden[k]:
            other = places[j]
            if other is None:
                continue
            begin, end = other + low, other + high
            if step != 1:
                begin, end = begin // step * step, -(-end // step) * step
            if end <= 0 or begin >= last:
                continue
            its = trouble[j]
            if begin < 0:
                cost += its
            else:
                opened[begin] = opened_by(begin, 0) + its
            if end <= last:
                closed[end] = closed_by(end, 0) + its
        positions = sorted({0, last, *opened, *closed})
        self._left -= len(positions) + INSERTION
        least, found = -1, [0]
        for at in positions:
            # At one place ranges end before the place is looked at, and others begin after.
            if at in closed:
                cost -= closed[at]
            if cost < least or least < 0:
                least, found = cost, [at]
            elif cost == least:
                found.append(at)
            if at in opened:
                cost += opened[at]
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
