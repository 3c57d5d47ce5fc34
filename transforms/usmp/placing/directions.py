"""Which operators are to run backwards: planning with and without that choice, and carrying the choice out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects import func, memref

from ....dialects.pool.extent import buffer_bytes
from ....planner import DEFAULT_SECONDS, Placement, Plan, PoolPlan, PoolShort, Problem, lower_bound
from ....planner.recall import plan_once
from ....progress import tell
from ..analysis.liveness import Handover
from ..analysis.structure import callee, functions, module_of
from ..rewriting.turning import is_backwards, turn_call

Pair = tuple[int, int]
"""An operator's output and its dying input, as buffers of the problem."""


class Directions:
    """The handovers of a module, and the leads that they allow the planner."""

    def __init__(self, handovers: Sequence[Handover], order: Mapping[memref.AllocOp, int]):
        by_call: dict[func.CallOp, list[Handover]] = {}
        for h in handovers:
            by_call.setdefault(h.call, []).append(h)
        self._calls: dict[Pair, func.CallOp] = {}
        self.below: dict[Pair, int] = {}
        """Leads of outputs below their inputs."""
        self.above: dict[Pair, int] = {}
        """Leads of outputs above their inputs, the input first, where the call can be run backwards."""
        self._one_way: set[Pair] = set()
        """Overlaps that a call which may be turned goes without."""
        for h in handovers:
            output, given = order[h.output], order[h.input]
            self._calls[output, given] = h.call
            if h.below is not None:
                self.below[output, given] = h.below
        for group in by_call.values():
            # Two overlaps in one call might need different directions: that with the largest input decides.
            largest = max(group, key=lambda h: buffer_bytes(h.input.memref.type))
            if largest.above is not None:
                self.above[order[largest.input], order[largest.output]] = largest.above
                self._one_way |= {(order[h.output], order[h.input]) for h in group if h is not largest}

    def best(self, problem: Problem, algorithm: str, seconds: float = DEFAULT_SECONDS) -> Plan:
        """The plan with operators as they are, or a smaller one with some of them turned.

        Raises:
            PoolShort: neither keeps within the limits; says what the one takes that lacks less.
            StillpoolError: as `planner.plan`.
        """
        size = f"usmp-plan: {len(problem.buffers)} buffers"
        tell(f"{size}, round 1 of {2 if self.above else 1}")
        forwards = plan_once(replace(problem, leads=self.below), algorithm, seconds)
        either = {pair: lead for pair, lead in self.below.items() if pair not in self._one_way} | self.above
        free = replace(problem, leads=either)
        if not self.above or (isinstance(forwards, Plan) and _is_least(free, forwards)):
            return _made(forwards)
        known = forwards.placements if isinstance(forwards, Plan) else None
        tell(f"{size}, round 2 of 2: operators may run backwards")
        either_way = plan_once(free, algorithm, seconds, known)
        if isinstance(forwards, PoolShort):
            is_closer = isinstance(either_way, Plan) or either_way.missing < forwards.missing
            return _made(either_way if is_closer else forwards)
        if isinstance(either_way, PoolShort):
            return forwards
        if _size(either_way) < _size(forwards):
            return either_way
        return Plan(forwards.placements, tuple(map(_with_bound_of, forwards.pools, either_way.pools)))

    def carry_out(self, problem: Problem, placements: Sequence[Placement]) -> None:
        """Turn the calls whose buffers overlap the other way round than their functions run."""
        for (output, given), call in self._calls.items():
            a, b = placements[output], placements[given]
            is_apart = (
                # An input that is copied first may be dead before the output is born: they may lie in any way.
                not problem.buffers[output].overlaps(problem.buffers[given])
                or a.pool != b.pool
                or a.offset + problem.buffers[output].size <= b.offset
                or b.offset + problem.buffers[given].size <= a.offset
            )
            if is_apart:
                continue
            is_below = (output, given) in self.below and a.offset + self.below[output, given] <= b.offset
            if is_below == is_backwards(callee(functions(module_of(call)), call)):
                turn_call(call)


def _made(outcome: Plan | PoolShort) -> Plan:
    if isinstance(outcome, PoolShort):
        raise outcome
    return outcome


def _size(plan: Plan) -> int:
    return sum(pool.size for pool in plan.pools)


def _is_least(free: Problem, forwards: Plan) -> bool:
    """Whether turning operators cannot make the plan smaller."""
    return len(free.pools) == 1 and lower_bound(free, range(len(free.buffers))) >= _size(forwards)


def _with_bound_of(pool: PoolPlan, free: PoolPlan) -> PoolPlan:
    """The outcome of one pool, held against the bound of the problem with all leads."""
    bound = min(pool.lower_bound, free.lower_bound)
    is_least = pool.size == bound or (pool.size == free.size and free.optimal)
    return replace(pool, lower_bound=bound, optimal=is_least)
