"""The pass `usmp-plan`: pool and offset for every buffer, written as attributes on the allocs.

The decisions stay visible and can be edited by hand before `usmp-check` proves them and `usmp-materialize-offsets`
carries them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.declare import DeclareOp
from ....errors import StillpoolError
from ....planner import DEFAULT, DEFAULT_SECONDS, Plan, PoolPlan, PoolShort, Problem, lower_bound
from ..analysis.sound import is_carried_out, require_sound
from ..analysis.structure import allocs, buffer_name, pools
from .pose import Posed, pose


@dataclass(frozen=True)
class UsmpPlanPass(ModulePass):
    """Place all buffers in their pools."""

    name: ClassVar[str] = "usmp-plan"

    algorithm: str = DEFAULT
    """Placement algorithm: `exact`, `greedy-by-size`, `hill-climb`, or another of the planner's or an entry point's."""
    seconds: float = DEFAULT_SECONDS
    """Search in each pool, in deterministic steps."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        if is_carried_out(op):
            _refuse_more(op)
            return
        posed = pose(op)
        try:
            answers = self._answers(posed, pools(op))
        except StillpoolError as error:
            raise PassFailedException(str(error)) from error
        parts: dict[str, list[PoolPlan]] = {name: [] for name in pools(op)}
        for one, answer in zip(posed, answers, strict=True):
            _write_places(one, answer)
            one.directions.carry_out(one.problem, answer.plan.placements)
            for pool in answer.plan.pools:
                parts[pool.name].append(pool)
        sizes = _sizes(answers, pools(op))
        for name, pool in pools(op).items():
            _write_pool(pool, parts[name], sizes[name])

    def outcome(self, module: ModuleOp) -> Outcome:
        """Return the bytes of a module's plan; nothing is written.

        Raises:
            PassFailedException: the module cannot be planned, whatever the limits.
        """
        return self._outcome(module, pose(module))

    def if_no_larger(self, module: ModuleOp, known: Outcome) -> Outcome | None:
        """Return what `outcome` does; None where a bound alone tells that it is more than known."""
        posed = pose(module)
        return None if _is_surely_larger(posed, known) else self._outcome(module, posed)

    def _outcome(self, module: ModuleOp, posed: Sequence[Posed]) -> Outcome:
        declared = pools(module)
        try:
            try:
                return Outcome(True, _sizes(self._answers(posed, declared), declared))
            except PoolShort:
                return Outcome(False, _sizes(self._side_by_side(posed, declared, limited=False), declared))
        except StillpoolError as error:
            raise PassFailedException(str(error)) from error

    def _answers(self, posed: Sequence[Posed], declared: Mapping[str, DeclareOp]) -> list[_Answer]:
        """The plans, side by side in their pools and within the limits.

        Raises:
            PoolShort: no such plans were found.
        """
        try:
            return self._side_by_side(posed, declared, limited=True)
        except PoolShort:
            if len(posed) == 1:
                raise
            # Within the limit the first plan may have been content with more than it needs, and left too little.
            answers = self._side_by_side(posed, declared, limited=False)
            limits, sizes = _limits(declared), _sizes(answers, declared)
            if all(sizes[name] <= limit for name, limit in limits.items()):
                return answers
            raise

    def _side_by_side(
        self, posed: Sequence[Posed], declared: Mapping[str, DeclareOp], *, limited: bool
    ) -> list[_Answer]:
        limits = _limits(declared) if limited else {}
        answers: list[_Answer] = []
        for one in posed:
            ends = _sizes(answers, declared)
            bases = {name: _start(end, declared[name].alignment) for name, end in ends.items()}
            try:
                best = one.directions.best(_beside(one.problem, bases, limits), self.algorithm, self.seconds)
            except PoolShort as short:
                raise short.behind(bases[short.pool], limits[short.pool]) from short
            answers.append(_Answer(best, bases))
        return answers


@dataclass(frozen=True)
class Outcome:
    """Bytes of a plan."""

    fits: bool
    """Whether it keeps within the limits; if not, the sizes are those without limits."""
    sizes: Mapping[str, int]
    """Bytes of each pool."""


@dataclass(frozen=True)
class _Answer:
    """A plan, and where in each pool it begins, in bytes."""

    plan: Plan
    bases: Mapping[str, int]


def _is_surely_larger(posed: Sequence[Posed], known: Outcome) -> bool:
    """Whether a bound alone tells that a plan takes more than a known one; nothing is planned."""
    if not known.fits or len(posed) != 1 or len(posed[0].problem.pools) != 1:
        return False
    (one,) = posed
    (pool,) = one.problem.pools
    free = replace(one.problem, leads=one.directions.below | one.directions.above)
    return lower_bound(free, range(len(free.buffers))) > known.sizes[pool.name]


def _limits(declared: Mapping[str, DeclareOp]) -> dict[str, int]:
    return {name: pool.limit.value.data for name, pool in declared.items() if pool.limit is not None}


def _sizes(answers: Sequence[_Answer], declared: Mapping[str, DeclareOp]) -> dict[str, int]:
    """Bytes of each pool up to the end of the last plan in it."""
    ends = dict.fromkeys(declared, 0)
    for answer in answers:
        ends |= {pool.name: answer.bases[pool.name] + pool.size for pool in answer.plan.pools if pool.size}
    return ends


def _refuse_more(module: ModuleOp) -> None:
    """Nothing is left to plan where the plan stands in the views already."""
    for alloc in allocs(module):
        raise PassFailedException(
            f"buffer '{buffer_name(alloc)}' comes after usmp-materialize-offsets, which has given out all bytes of "
            "the pools: plan all buffers at once"
        )


def _start(end: int, alignment: int) -> int:
    """Where a plan begins that lies behind `end` bytes of others."""
    return -(-end // alignment) * alignment


def _beside(problem: Problem, bases: Mapping[str, int], limits: Mapping[str, int]) -> Problem:
    """The problem with what the plans before it leave of each pool."""
    rest = [
        replace(pool, limit=max(0, limits[pool.name] - bases[pool.name]) if pool.name in limits else None)
        for pool in problem.pools
    ]
    return replace(problem, pools=tuple(rest))


def _write_places(posed: Posed, answer: _Answer) -> None:
    for members, placement in zip(posed.members, answer.plan.placements, strict=True):
        for member in members:
            keys.ASSIGNED.put(member.attributes, placement.pool)
            keys.OFFSET.put(
                member.attributes,
                answer.bases[placement.pool] + placement.offset + (keys.AT.get(member.attributes) or 0),
            )
    for alloc, life in posed.lives.items():
        keys.FIRST_USE.put(alloc.attributes, min(life.operators, default=0))
        keys.LAST_USE.put(alloc.attributes, max(life.operators, default=0))


def _write_pool(pool: DeclareOp, parts: Sequence[PoolPlan], size: int) -> None:
    """Write the plan of a pool; `parts` are the plans that lie in the pool side by side."""
    filled = [part for part in parts if part.size] or parts[:1]
    bound = 0
    for part in filled:
        bound = _start(bound, pool.alignment) + part.lower_bound
    properties = pool.properties
    properties |= {
        "size": IntegerAttr(size, i64),
        "lower_bound": IntegerAttr(bound, i64),
        "algorithm": StringAttr(", ".join(dict.fromkeys(part.algorithm for part in filled)) or "none"),
    }
    properties.pop("optimal", None)
    if all(part.optimal for part in filled):
        properties["optimal"] = UnitAttr()
