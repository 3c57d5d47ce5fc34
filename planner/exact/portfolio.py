"""Many short searches instead of a long one: run times over variable orders are heavy-tailed.

Orders by features of the buffers take turns with orders that are learnt: buffers of the sections that could not be
filled come first the next time, after the weighted degrees of Boussemart et al. (ECAI 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .instance import Instance
from .orders import orders
from .search import OutOfNodes, Rule, Search
from .tables import Tables

FEW = 60
"""Buffers whose whole search tree is small: restarts only repeat it."""
SHORT, LONG = 500, 20_000
"""Nodes of the shortest searches, for many buffers (at least twice as many as there are) and for few."""
WIDE = 8
"""Multiple of the shortest search from which on no choice is left out."""
DECAY = 0.9
"""Weight of a failure after one more search."""


def luby(number: int) -> int:
    """The sequence 1, 1, 2, 1, 1, 2, 4, ...: limits for restarts (Luby, Sinclair and Zuckerman 1993); from 1."""
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2


class Portfolio:
    """Searches in one instance, at any capacity; what one learns the next ones use."""

    def __init__(self, instance: Instance, nodes: int):
        self.left = nodes
        """Placements that all searches together may still make."""
        self._instance = instance
        self._tables = Tables(instance)
        self._blame = [0.0] * len(instance.sections)
        self._by_default = next(orders(instance))

    def search(self, capacity: int, share: int) -> dict[int, int] | None:
        """Offsets in units, None if there is no plan within `capacity` bytes.

        Raises:
            OutOfNodes: neither was found within `share` placements.
        """
        share = min(share, self.left)
        count = self._instance.count
        shortest = max(SHORT, 2 * count) if count > FEW else LONG
        for number, (order, rule, width) in enumerate(self._strategies(), 1):
            multiple = luby(number)
            given = min(multiple * shortest, share)
            if count <= FEW or multiple >= WIDE:
                width = None
            if given <= 0:
                raise OutOfNodes
            rank = [0] * len(order)
            for place, i in enumerate(order):
                rank[i] = place
            search = Search(self._tables, capacity, rank, rule, given, width)
            try:
                return search.run()
            except OutOfNodes:
                self._learn(search.failures)
            finally:
                share -= given - search.left
                self.left -= given - search.left
        raise AssertionError("strategies never end")

    def _strategies(self) -> Iterator[tuple[Sequence[int], Rule, int | None]]:
        """Variable order, rule and width of one search after the other."""
        # Found by trial on perturbed benchmarks: no two of them solve the same instances.
        known = orders(self._instance)
        while True:
            yield next(known), Rule.TIGHTEST, 4
            yield next(known), Rule.DENSEST, 3
            yield next(known), Rule.FULLEST, None
            yield self._learnt(), Rule.TIGHTEST, 3
            yield next(known), Rule.TIGHTEST, 4
            yield self._learnt(), Rule.STATIC, 4
            yield next(known), Rule.DENSEST, 4

    def _learn(self, failures: Sequence[int]) -> None:
        total = sum(failures) or 1
        self._blame = [blame * DECAY + n / total for blame, n in zip(self._blame, failures, strict=True)]

    def _learnt(self) -> list[int]:
        weights = [sum([self._blame[s] for s, _ in row]) for row in self._instance.memberships]
        return sorted(self._by_default, key=lambda i: -weights[i])
