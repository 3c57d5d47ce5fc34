"""Planning whole systems: choosing a pool for every buffer, then offsets in each pool, within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from itertools import pairwise

from ..errors import BudgetError, UsageError
from .bounds import lower_bound
from .canonical import canonical_order, permuted
from .first_fit import height
from .fixed import check_fixed
from .layout import DEFAULT_SECONDS, Algorithm, Effort
from .problem import Placement, Plan, PoolPlan, Problem

BUILT_IN: Mapping[str, str] = {
    "best_fit": "best_fit",
    "exact": "exact.minimise",
    "greedy_by_size": "greedy",
    "greedy_by_conflicts": "greedy",
    "hill_climb": "hill_climb",
}
"""Names of the algorithms that come with stillpool, and their modules."""

DEFAULT = "exact"
ENTRY_POINTS = "stillpool.planner"


def algorithms() -> list[str]:
    """Names of all algorithms, installed ones included."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def get_algorithm(name: str) -> Algorithm:
    """The algorithm of a name; hyphens count as underscores.

    Raises:
        UsageError: there is none; lists those that exist.
    """
    key = name.replace("-", "_")
    if key in BUILT_IN:
        return getattr(import_module(f".{BUILT_IN[key]}", __package__), key)
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == key:
            return point.load()
    raise UsageError(f"unknown planner algorithm '{name}'", remedy=f"choose one of {', '.join(algorithms())}")


def plan(problem: Problem, algorithm: str = DEFAULT, seconds: float = DEFAULT_SECONDS) -> Plan:
    """Place every buffer.

    Buffers go to the first pool of their preference; what a limited pool cannot hold falls back to the next one,
    largest buffers first. The plan does not depend on the order of the buffers. `seconds`: what a search may take in
    each pool, in deterministic steps.

    Raises:
        BudgetError: the pools' limits cannot be met; names the pool, the missing bytes and the buffers at the peak.
        UsageError: no such algorithm, or fixed buffers share bytes.
    """
    place = get_algorithm(algorithm)
    check_fixed(problem)
    order = canonical_order(problem)
    placements, plans = _plan(permuted(problem, order), place, algorithm.replace("-", "_"), seconds)
    back = {old: new for new, old in enumerate(order)}
    return Plan(tuple(placements[back[i]] for i in range(len(order))), tuple(plans))


def _plan(problem: Problem, place: Algorithm, name: str, seconds: float) -> tuple[dict[int, Placement], list[PoolPlan]]:
    names = [pool.name for pool in problem.pools]
    waiting: dict[str, list[int]] = {name: [] for name in names}
    for index in range(len(problem.buffers)):
        waiting[problem.candidates(index)[0]].append(index)
    placements: dict[int, Placement] = {}
    plans: list[PoolPlan] = []
    for pool in _in_order_of_fallback(problem, names):
        effort = Effort(seconds, problem.pools[names.index(pool)].limit)
        limit, members = effort.limit, waiting[pool]
        layout = place(problem, members, effort)
        while limit is not None and height(problem, layout.offsets) > limit:
            movable = [i for i in members if pool in problem.candidates(i)[:-1]]
            if not movable:
                raise _over_budget(problem, pool, limit, layout.offsets)
            # The largest buffer frees most for the others.
            moved = max(movable, key=lambda i: (problem.buffers[i].size, i))
            members.remove(moved)
            order = problem.candidates(moved)
            waiting[order[order.index(pool) + 1]].append(moved)
            layout = place(problem, members, effort)
        placements |= {index: Placement(pool, offset) for index, offset in layout.offsets.items()}
        size, bound = height(problem, layout.offsets), max(lower_bound(problem, members), layout.lower_bound)
        plans.append(PoolPlan(pool, size, bound, size <= bound, name))
    plans.sort(key=lambda p: names.index(p.name))
    return placements, plans


def _in_order_of_fallback(problem: Problem, names: Sequence[str]) -> list[str]:
    """Pools such that buffers only ever fall back to pools that come later."""
    after: dict[str, set[str]] = {name: set() for name in names}
    for index in range(len(problem.buffers)):
        order = problem.candidates(index)
        for earlier, later in pairwise(order):
            after[earlier].add(later)
    result: list[str] = []
    remaining = list(names)
    while remaining:
        free = next((n for n in remaining if not any(n in after[m] for m in remaining if m != n)), remaining[0])
        result.append(free)
        remaining.remove(free)
    return result


def _over_budget(problem: Problem, pool: str, limit: int, offsets: Mapping[int, int]) -> BudgetError:
    size = height(problem, offsets)
    highest = max(offsets, key=lambda i: (offsets[i] + problem.buffers[i].size, i))
    peak = sorted({highest, *problem.neighbours[highest]} & set(offsets), key=lambda i: -problem.buffers[i].size)
    names = ", ".join(f"{problem.buffers[i].name} ({problem.buffers[i].size} bytes)" for i in peak[:8])
    return BudgetError(
        f"pool '{pool}' is {size - limit} bytes short: the plan needs {size}, its limit is {limit}; "
        f"live at the peak: {names}",
        remedy="raise the limit or name a further pool",
    )
