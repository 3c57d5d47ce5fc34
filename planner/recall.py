"""Plans that were made before: ways to compile a model are compared, and many pose the planner the same problem."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence

from .plan import BUILT_IN, plan
from .problem import Placement, Plan, Problem
from .short import PoolShort

MOST = 256
"""Outcomes that are known at once."""
_known: OrderedDict[Hashable, Plan | PoolShort] = OrderedDict()


def plan_once(
    problem: Problem, algorithm: str, seconds: float, known: Sequence[Placement] | None = None
) -> Plan | PoolShort:
    """Return the plan that `plan` makes, or why there is none.

    An algorithm of another package is asked each time.

    Raises:
        UsageError: as `plan`.
    """
    if algorithm.replace("-", "_") not in BUILT_IN:
        return _found(problem, algorithm, seconds, known)
    key = _key(problem), algorithm, seconds, None if known is None else tuple(known)
    if key not in _known:
        _known[key] = _found(problem, algorithm, seconds, known)
        if len(_known) > MOST:
            _known.popitem(last=False)
    _known.move_to_end(key)
    found = _known[key]
    # What is raised keeps the frames that it came through.
    return found.behind(0, found.limit) if isinstance(found, PoolShort) else found


def _found(problem: Problem, algorithm: str, seconds: float, known: Sequence[Placement] | None) -> Plan | PoolShort:
    try:
        return plan(problem, algorithm, seconds, known)
    except PoolShort as short:
        return short.behind(0, short.limit)


def _key(problem: Problem) -> Hashable:
    """All that a plan depends on."""
    blocks = tuple(tuple(block.offsets.items()) for block in problem.blocks)
    return problem.buffers, problem.pools, tuple(problem.leads.items()), problem.conflicts, blocks
