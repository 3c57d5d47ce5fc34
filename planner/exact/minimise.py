"""The algorithm `exact`: the least pool that the search finds within its nodes, and what is proved about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from .. import large
from ..bounds import lower_bound
from ..columns import is_plain
from ..first_fit import height, place_in_order
from ..greedy import greedy_by_size
from ..layout import Effort, Layout
from ..problem import Problem
from .instance import Instance, relax
from .orders import orders
from .portfolio import Portfolio
from .search import OutOfNodes

NODES_PER_SECOND = 60_000
"""What a second of `Effort` is worth; the limit counts nodes, so that equal input gives equal output anywhere."""
SEARCHED = 600
"""Buffers that a search can do something with."""
GREEDY_ORDERS = 20
"""Orders that first fit is tried with before anything is searched."""

GLANCE, AFTERWARDS = 50, 10
"""Parts of the nodes for a plan at the bound before one is sought at the limit, and for the least size after."""


def exact(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Offsets of `members`, the least height that was found, and the highest that is proved to be necessary.

    First fit over several orders; the search at the lower bound; bisection of what is left in between.
    """
    if not members:
        return Layout({}, 0)
    if len(members) > SEARCHED and is_plain(problem, members):
        return large.place(problem, members, effort)
    if len(members) > SEARCHED:
        return greedy_by_size(problem, members, effort)
    instance = relax(problem, members)
    bound = max(lower_bound(problem, members), instance.bound)
    offsets = _first_fit(problem, members, instance, bound)
    if height(problem, offsets) > bound:
        place = {i: number for number, i in enumerate(members)}
        search = _Minimisation(instance, {place[i]: at for i, at in offsets.items()}, bound, effort)
        search.run(effort.limit)
        bound = search.proved
        offsets = {members[number]: at for number, at in search.offsets.items()}
    return Layout(offsets, bound)


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

    def __init__(self, instance: Instance, offsets: dict[int, int], bound: int, effort: Effort):
        self.offsets = offsets
        """The best plan so far, bytes."""
        self.proved = bound
        """No plan needs fewer bytes."""
        self._instance = instance
        self._portfolio = Portfolio(instance, int(effort.seconds * NODES_PER_SECOND))

    @property
    def size(self) -> int:
        """Bytes of the best plan so far."""
        return max(at + size for (_, at), size in zip(sorted(self.offsets.items()), self._instance.sizes, strict=True))

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
