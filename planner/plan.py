"""Planning whole systems: choosing a pool for every buffer, then offsets in each pool, within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import inf

from ..errors import UsageError
from ..plugins import Plugins
from .blocks import settled
from .bounds import lower_bound
from .canonical import canonical_order, permuted
from .distribute import Distribution
from .first_fit import height
from .fixed import check_fixed
from .layout import DEFAULT_SECONDS, Algorithm
from .problem import Placement, Plan, PoolPlan, Problem

BUILT_IN: Mapping[str, str] = {
    "best_fit": "best_fit",
    "cpsat": "cpsat",
    "exact": "exact.minimise",
    "greedy_by_size": "greedy",
    "greedy_by_conflicts": "greedy",
    "hill_climb": "hill_climb",
}
"""Names of the algorithms that come with stillpool, and their modules."""

NEEDED: Mapping[str, str] = {"cpsat": "ortools"}
"""Algorithms that need a library of an optional extra."""
SEARCHING = ("cpsat", "exact")
"""Algorithms that find better plans the longer they may search."""
PLACING_BLOCKS = ("exact",)
"""Algorithms that choose a place for blocks; with others blocks lie at the start of their pool."""
DEFAULT = "exact"
ADDED: Plugins[Algorithm] = Plugins("stillpool.planner", "a function that places buffers", callable)
"""Algorithms of other packages, by name; hyphens count as underscores."""


def algorithms() -> list[str]:
    """Names of all algorithms that can be used: entry points included, without those whose library is missing."""
    built_in = [name for name in BUILT_IN if name not in NEEDED or find_spec(NEEDED[name]) is not None]
    return sorted({*built_in, *ADDED.names()})


def get_algorithm(name: str) -> Algorithm:
    """The algorithm of a name; hyphens count as underscores.

    Raises:
        UsageError: there is none, with those that exist; or that of a package cannot be loaded, or two have the name.
    """
    key = name.replace("-", "_")
    if key in BUILT_IN:
        return getattr(import_module(f".{BUILT_IN[key]}", __package__), key)
    own = [added for added in ADDED.names() if added.replace("-", "_") == key]
    if len(own) > 1:
        listed = " and ".join(f"'{added}'" for added in own)
        raise UsageError(
            f"the planner algorithms {listed} of {ADDED.group} have one name: hyphens count as underscores",
            remedy="uninstall the package of one",
        )
    if own and (found := ADDED.load(own[0])) is not None:
        return found
    raise UsageError(f"unknown planner algorithm '{name}'", remedy=f"choose one of {', '.join(algorithms())}")


def searches(name: str) -> bool:
    """Whether an algorithm may heed how long it is to search; those of other packages may."""
    key = name.replace("-", "_")
    return key in SEARCHING or key not in BUILT_IN


def plan(
    problem: Problem,
    algorithm: str = DEFAULT,
    seconds: float = DEFAULT_SECONDS,
    known: Sequence[Placement] | None = None,
) -> Plan:
    """Place every buffer.

    Buffers go where their traffic costs least, or to the first pool of their preference where pools have no costs; what
    a limited pool cannot hold falls back, such that it costs least. The plan does not depend on the order of the
    buffers. `seconds`: what a search may take in each pool, in deterministic steps. `known`: a plan of the same buffers
    that may be improved on.

    Raises:
        PoolShort: the pools' limits cannot be met; names the pool, the missing bytes and the buffers at the peak.
        UsageError: no such algorithm, fixed buffers share bytes, or the seconds are no finite number from 0.
    """
    if not 0 <= seconds < inf:
        raise UsageError(f"the planner cannot search for {seconds} s", remedy="give a finite number from 0")
    name, place = algorithm.replace("-", "_"), get_algorithm(algorithm)
    check_fixed(problem)
    order = canonical_order(problem)
    ordered = permuted(problem, order)
    if name not in PLACING_BLOCKS:
        ordered = settled(ordered)
    begin = None if known is None else [known[i] for i in order]
    placements, plans = _plan(ordered, place, name, seconds, begin)
    found = sorted(zip(order, (placements[i] for i in range(len(order))), strict=True), key=lambda pair: pair[0])
    return Plan(tuple(placement for _, placement in found), tuple(plans))


def _plan(
    problem: Problem, place: Algorithm, name: str, seconds: float, known: Sequence[Placement] | None
) -> tuple[dict[int, Placement], list[PoolPlan]]:
    placements: dict[int, Placement] = {}
    plans: list[PoolPlan] = []
    for pool, layout in Distribution(problem, place, seconds, known).run().items():
        placements |= {index: Placement(pool, offset) for index, offset in layout.offsets.items()}
        size = height(problem, layout.offsets)
        bound = layout.lower_bound
        if bound < size:
            bound = max(bound, lower_bound(problem, layout.offsets))
        plans.append(PoolPlan(pool, size, bound, size <= bound, name))
    return placements, plans
