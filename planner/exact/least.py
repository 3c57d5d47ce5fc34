"""The least pool of some hundred buffers that the search finds within its nodes, and what is proved about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from ..bounds import lower_bound
from ..first_fit import height, place_in_order
from ..layout import Effort, Layout
from ..problem import Problem
from .instance import Instance, relax
from .orders import orders
from .portfolio import Portfolio
from .search import OutOfNodes

NODES_PER_SECOND = 60_000
"""Nodes that a second of `Effort` stands for: so counted, that equal input gives equal output anywhere."""
GREEDY_ORDERS = 20
"""Orders that first fit is tried with before anything is searched."""

GLANCE, AFTERWARDS = 50, 10
"""Parts of the nodes for a plan at the bound before one is sought at the limit, and for the least size after."""


def nodes_of(effort: Effort) -> int:
    """The placements that a search may make."""
    return int(effort.seconds * NODES_PER_SECOND)


def least(problem: Problem, members: Sequence[int], effort: Effort, glance: int | None = None) -> Layout:
    """Offsets of `members`, at least one, and the highest bound that was proved.

    First fit over several orders; the search at the lower bound; bisection of what is left in between.

    Args:
        problem: without blocks.
        members: of one pool.
        effort: the nodes of all searches, and the limit.
        glance: nodes of a search at the bound alone, in place of all others.
    """
    instance = relax(problem, members)
    bound = max(lower_bound(problem, members), instance.bound)
    offsets = _first_fit(problem, members, instance, bound)
    if height(problem, offsets) > bound:
        place = {i: number for number, i in enumerate(members)}
        nodes = nodes_of(effort) if glance is None else glance
        search = _Minimisation(instance, {place[i]: at for i, at in offsets.items()}, bound, nodes)
        if glance is None:
            search.run(effort.limit)
        else:
            search.reach_for(bound)
        bound = search.proved
        offsets = {members[number]: at for number, at in search.offsets.items()}
    return Layout(offsets, bound)


def lowered(
    problem: Problem, members: Sequence[int], offsets: Mapping[int, int], bound: int, nodes: int
) -> dict[int, int]:
    """A plan that is lower than one that is known, where bisection between that and the bound finds one."""
    instance = relax(problem, members)
    search = _Minimisation(instance, {number: offsets[i] for number, i in enumerate(members)}, bound, nodes)
    search.bisect()
    return {members[number]: at for number, at in search.offsets.items()}


def first_fit(problem: Problem, members: Sequence[int], bound: int) -> dict[int, int]:
    """The best offsets of first fit over several orders, the largest first to begin with; any is good at the bound."""
    return _first_fit(problem, members, relax(problem, members), bound)


def _first_fit(problem: Problem, members: Sequence[int], instance: Instance, bound: int) -> dict[int, int]:
    best: dict[int, int] = {}
    least = None
    by_size = sorted(range(instance.count), key=lambda i: (-instance.units[i], -instance.spans[i], i))
    for order in (by_size, *islice(orders(instance), GREEDY_ORDERS)):
        offsets = place_in_order(problem, [members[number] for number in order])
        size = height(problem, offsets)
        if least is None or size < least:
            best, least = offsets, size
        if least <= bound:
            break
    return best


class _Minimisation:
    """The search for ever lower plans."""

    def __init__(self, instance: Instance, offsets: dict[int, int], bound: int, nodes: int):
        self.offsets = offsets
        """The best plan so far, bytes."""
        self.proved = bound
        """No plan needs fewer bytes."""
        self._instance = instance
        self._portfolio = Portfolio(instance, nodes)

    @property
    def size(self) -> int:
        """Bytes of the best plan so far."""
        return max(at + size for (_, at), size in zip(sorted(self.offsets.items()), self._instance.sizes, strict=True))

    def reach_for(self, capacity: int) -> None:
        """Search at one capacity, with all nodes."""
        self._try(capacity, self._portfolio.left)

    def run(self, limit: int | None) -> None:
        """Search at the bound, where most plans lie, and within the limit; then bisect what is left."""
        nodes = self._portfolio.left
        if limit is None or not self.proved <= limit < self.size:
            self._try(self.proved, nodes // 2)
        else:
            # What matters is to meet the limit: a glance below it before, and no long search after.
            if self.proved < limit:
                self._try(self.proved, nodes // GLANCE)
            if limit < self.size:
                self._try(limit, nodes - nodes // AFTERWARDS)
            self._portfolio.left = min(self._portfolio.left, nodes // AFTERWARDS)
        self.bisect()

    def bisect(self) -> None:
        """Bisect what is between the bound and the best plan."""
        # What is given up counts as impossible until the rest of the nodes is spent on it.
        low = self.proved
        while low < self.size and self._portfolio.left > 0:
            middle = (low + self.size - 1) // 2
            if not self._try(middle, self._portfolio.left // 4):
                low = max(self.proved, middle + 1)
        while self.proved < self.size and self._portfolio.left > 0:
            if not self._try(self.size - 1, self._portfolio.left):
                break

    def _try(self, capacity: int, nodes: int) -> bool:
        """Whether a plan within the capacity was found."""
        try:
            found = self._portfolio.search(capacity, nodes)
        except OutOfNodes:
            return False
        if found is None:
            if self._instance.is_complete:
                self.proved = max(self.proved, capacity + 1)
            return False
        self.offsets = {i: at * self._instance.unit for i, at in found.items()}
        return True
