"""The algorithm `exact`: the least pool that the search finds within its nodes, and what is proved about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ..bounds import lower_bound
from ..first_fit import height, place_in_order
from ..layout import Effort, Layout
from ..problem import Problem
from .instance import Instance, relax
from .orders import LEXICOGRAPHIC, orders
from .search import OutOfNodes, Search

NODES_PER_SECOND = 60_000
"""What a second of `Effort` is worth; the limit counts nodes, so that equal input gives equal output anywhere."""
FIRST = 500
"""Nodes that each order has in the first round."""
GROWTH = 4
"""Factor of the nodes from round to round."""
GREEDY_ORDERS = 20
"""Orders that first fit is tried with before anything is searched."""


@dataclass
class _State:
    """What is known so far."""

    instance: Instance
    nodes: int
    """Placements that are left."""
    offsets: dict[int, int]
    """The best plan, bytes, by number in the instance."""
    size: int
    """Its bytes."""
    proved: int
    """No plan needs fewer bytes."""
    tried: dict[int, Iterator[int]] = field(default_factory=dict)


def exact(problem: Problem, members: Sequence[int], effort: Effort) -> Layout:
    """Offsets of `members`, the least height that was found, and the highest that is proved to be necessary.

    First fit over several orders; the search at the lower bound; bisection of what is left in between.
    """
    if not members:
        return Layout({}, 0)
    instance = relax(problem, members)
    bound = max(lower_bound(problem, members), instance.bound)
    offsets = _first_fit(problem, members, instance, bound)
    size = height(problem, offsets)
    if size > bound:
        place = {i: number for number, i in enumerate(members)}
        state = _State(
            instance,
            int(effort.seconds * NODES_PER_SECOND),
            {place[i]: at for i, at in offsets.items()},
            size,
            bound,
        )
        _minimise(state, effort.limit)
        bound = state.proved
        offsets = {members[number]: at for number, at in state.offsets.items()}
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


def _minimise(state: _State, limit: int | None) -> None:
    """Search at the bound, where most plans lie; then within the limit, then between."""
    share = state.nodes // 2
    _improve(state, state.proved, share)
    if limit is not None and state.proved < limit < state.size:
        _improve(state, limit, state.nodes // 2)
    # Heights that nothing is known about lie between `open` and the best; what was given up counts as impossible here.
    low = state.proved
    while low < state.size and state.nodes > 0:
        middle = max(low, (low + state.size - 1) // 2)
        if _improve(state, middle, max(FIRST, state.nodes // 4)) is not True:
            low = middle + 1
    while state.proved < state.size and state.nodes > 0:
        if _improve(state, state.size - 1, state.nodes) is not True:
            break
    if state.proved > state.size:
        state.proved = state.size


def _improve(state: _State, capacity: int, nodes: int) -> bool | None:
    """Whether a plan within the capacity exists; None if the nodes were not enough to say."""
    instance = state.instance
    budget = nodes
    each = FIRST
    width = 1
    while budget > 0:
        # Early rounds try many orders shortly, later ones few for long.
        for order in islice(orders(instance), len(LEXICOGRAPHIC) * 2 if width else 0):
            given = min(each, budget)
            if given <= 0:
                return None
            search = Search(instance, capacity, order, given)
            try:
                found = search.run()
            except OutOfNodes:
                continue
            finally:
                used = given - search.left
                budget -= used
                state.nodes -= used
            if found is None:
                if instance.is_complete:
                    state.proved = max(state.proved, capacity + 1)
                    return False
                return None
            state.offsets = {i: at * instance.unit for i, at in found.items()}
            state.size = max(at + instance.sizes[i] for i, at in state.offsets.items())
            return True
        each *= GROWTH
    return None
