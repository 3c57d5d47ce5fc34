"""Which pool each buffer goes to: as little cost of traffic as the limits allow.

A buffer costs what its reads and writes cost in the pool where it lies. Where pools do not say what an access costs, a
buffer costs its size for every pool of its preference that it has to give up: fewest bytes fall back.
"""

from __future__ import annotations

from collections.abc import Sequence

from .bounds import lower_bound
from .first_fit import height
from .layout import Algorithm, Effort, Layout
from .peak import in_words
from .problem import Placement, Problem
from .short import PoolShort

CHOICES = 24
"""Buffers that may fall back, up to which all ways of doing so are searched."""
NODES = 3000
"""Decisions of that search."""
GLANCE = 32
"""Part of the effort for whether buffers fit a pool, once the first answer was no: each that moves asks again."""
REFINEMENTS = 40
"""Buffers for which it is tried, in large problems, whether they can go back where they cost less."""


class Distribution:
    """The pools of the buffers, and their plans."""

    def __init__(self, problem: Problem, place: Algorithm, seconds: float, known: Sequence[Placement] | None = None):
        """`known`: a plan of the buffers, to begin with where it puts all those of a pool there."""
        self._problem = problem
        self._place = place
        self._seconds = seconds
        self._known = known
        self._pools = {pool.name: pool for pool in problem.pools}
        self._limits = {pool.name: pool.limit for pool in problem.pools}
        self._layouts: dict[tuple[str, tuple[int, ...]], Layout] = {}
        self._unlimited: dict[tuple[str, tuple[int, ...]], Layout] = {}
        self._is_weighing = False
        """Whether buffers are moved between pools, so that many layouts are looked at of which few are taken."""
        # Without a choice nothing is weighed; there may be very many buffers.
        indices = range(len(problem.buffers))
        has_choice = len(self._pools) > 1
        self._costs = (
            [self._cost_of(i) for i in indices] if has_choice else [dict.fromkeys(self._pools, 0.0)] * len(indices)
        )

    def run(self) -> dict[str, Layout]:
        """The plan of each pool.

        Raises:
            PoolShort: no way was found to meet the limits; names the pool that is short.
        """
        cheapest = [
            next(iter(costs)) if len(costs) == 1 else min(costs, key=lambda pool: costs[pool]) for costs in self._costs
        ]
        if self._overfull(cheapest) is None:
            return self._outcome(cheapest)
        self._is_weighing = True
        free = [i for i, costs in enumerate(self._costs) if len(costs) > 1]
        error: PoolShort | None = None
        chosen: list[str] | None = None
        try:
            chosen = self._back(self._evicted(cheapest))
        except PoolShort as problem:
            error = problem
        if free and len(free) <= CHOICES:
            chosen = self._searched(free, cheapest, chosen)
        if chosen is None:
            assert error is not None, "either the pools are filled, or one is short"
            raise error
        return self._outcome(chosen)

    def _cost_of(self, index: int) -> dict[str, float]:
        """Cost of the buffer in each of its candidate pools, in order of preference."""
        problem, buffer, pools = self._problem, self._problem.buffers[index], self._pools
        candidates = problem.candidates(index)
        if len(candidates) == 1:
            return {candidates[0]: 0.0}
        if all(pools[name].read_cost > 0 or pools[name].write_cost > 0 for name in candidates):
            return {name: pools[name].cost(buffer) for name in candidates}
        return {name: float(place * buffer.size) for place, name in enumerate(candidates)}

    def _members(self, chosen: Sequence[str], pool: str) -> tuple[int, ...]:
        return tuple(i for i, name in enumerate(chosen) if name == pool)

    def _layout(self, pool: str, members: tuple[int, ...]) -> Layout:
        key = pool, members
        if key not in self._layouts:
            self._layouts[key] = self._place(self._problem, members, self._effort(pool, members, self._limits[pool]))
        return self._layouts[key]

    def _without_limit(self, pool: str, members: tuple[int, ...]) -> Layout:
        key = pool, members
        if key not in self._unlimited:
            self._unlimited[key] = self._place(self._problem, members, self._effort(pool, members, None))
        return self._unlimited[key]

    def _effort(self, pool: str, members: Sequence[int], limit: int | None) -> Effort:
        seconds = self._seconds / GLANCE if self._is_weighing else self._seconds
        if self._known is None or any(self._known[i].pool != pool for i in members):
            return Effort(seconds, limit)
        return Effort(seconds, limit, {i: self._known[i].offset for i in members})

    def _outcome(self, chosen: Sequence[str]) -> dict[str, Layout]:
        self._is_weighing = False
        return {pool: self._layout(pool, self._members(chosen, pool)) for pool in self._limits}

    def _fits(self, pool: str, members: tuple[int, ...]) -> bool:
        limit = self._limits[pool]
        if limit is None:
            return True
        if lower_bound(self._problem, members) > limit:
            return False
        layout = self._layout(pool, members)
        if height(self._problem, layout.offsets) <= limit:
            return True
        # A search at the limit may miss what one finds that knows none.
        if layout.lower_bound <= limit:
            other = self._without_limit(pool, members)
            if height(self._problem, other.offsets) <= limit:
                self._layouts[pool, members] = other
                return True
        return False

    def _overfull(self, chosen: Sequence[str]) -> str | None:
        return next((p for p in self._limits if not self._fits(p, self._members(chosen, p))), None)

    def _evicted(self, cheapest: Sequence[str]) -> list[str]:
        """Move buffers out of pools that are too full, those first that lose least by the byte."""
        chosen = list(cheapest)
        given_up: list[set[str]] = [set() for _ in chosen]
        while (pool := self._overfull(chosen)) is not None:
            members = self._members(chosen, pool)
            ways: list[tuple[float, int, int, str]] = []
            for i in members:
                size = self._problem.buffers[i].size
                others = [name for name in self._costs[i] if name != pool and name not in given_up[i]]
                if others and size:
                    other = min(others, key=lambda name: self._costs[i][name])
                    ways.append(((self._costs[i][other] - self._costs[i][pool]) / size, -size, i, other))
            if not ways:
                raise self._short(pool, members)
            *_, moved, other = min(ways)
            given_up[moved].add(pool)
            chosen[moved] = other
        return chosen

    def _back(self, chosen: list[str]) -> list[str]:
        """Let buffers go back where they cost less, those first that gain most."""
        gains = [
            (costs[chosen[i]] - cost, i, name) for i, costs in enumerate(self._costs) for name, cost in costs.items()
        ]
        for _, i, name in sorted((gain for gain in gains if gain[0] > 0), key=lambda g: (-g[0], g[1:]))[:REFINEMENTS]:
            if self._costs[i][name] < self._costs[i][chosen[i]] and self._fits(
                name, tuple(sorted((*self._members(chosen, name), i)))
            ):
                chosen[i] = name
        return chosen

    def _searched(self, free: Sequence[int], cheapest: Sequence[str], best: list[str] | None) -> list[str] | None:
        """The cheapest way of all, as far as the nodes go: depth first, the most that can be lost first."""
        costs = self._costs
        order = sorted(free, key=lambda i: (min(costs[i].values()) - max(costs[i].values()), i))
        least = sum(min(row.values()) for row in costs)
        best_cost = None if best is None else sum(row[name] for row, name in zip(costs, best, strict=True))
        chosen: list[str | None] = [None if i in free else name for i, name in enumerate(cheapest)]
        left = NODES

        def is_possible(pool: str) -> bool:
            limit = self._limits[pool]
            members = [i for i, name in enumerate(chosen) if name == pool]
            return limit is None or lower_bound(self._problem, members) <= limit

        def descend(depth: int, cost: float) -> None:
            nonlocal best, best_cost, left
            if left <= 0 or (best_cost is not None and cost >= best_cost):
                return
            left -= 1
            if depth == len(order):
                complete = [name for name in chosen if name is not None]
                if self._overfull(complete) is None:
                    best, best_cost = complete, cost
                return
            i = order[depth]
            for name in sorted(costs[i], key=lambda name: costs[i][name]):
                chosen[i] = name
                if is_possible(name):
                    descend(depth + 1, cost + costs[i][name] - min(costs[i].values()))
                chosen[i] = None

        descend(0, least)
        return best

    def _short(self, pool: str, members: tuple[int, ...]) -> PoolShort:
        limit = self._limits[pool]
        assert limit is not None, "a pool without a limit is never too full"
        self._is_weighing = False
        layout = self._layout(pool, members)
        # What is needed is what a plan without limits takes: that much is accepted as a limit.
        if layout.lower_bound < height(self._problem, layout.offsets):
            layout = self._without_limit(pool, members)
        offsets = layout.offsets
        return PoolShort(pool, height(self._problem, offsets), limit, in_words(self._problem, offsets))
