"""The pass `usmp-plan`: pool and offset for every buffer, written as attributes on the allocs.

The decisions stay visible and can be edited by hand before `usmp-check` proves them and `usmp-materialize-offsets`
carries them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i64
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.declare import DeclareOp
from ...errors import StillpoolError
from ...planner import DEFAULT, DEFAULT_SECONDS, Plan, PoolPlan, Problem
from .pose import Posed, pose
from .structure import pools


@dataclass(frozen=True)
class UsmpPlanPass(ModulePass):
    """Place all buffers in their pools."""

    name: ClassVar[str] = "usmp-plan"

    algorithm: str = DEFAULT
    """Placement algorithm: `exact`, `greedy-by-size`, `hill-climb`, or another of the planner's or an entry point's."""
    seconds: float = DEFAULT_SECONDS
    """What the search may take in each pool, in deterministic steps."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        declared = pools(op)
        parts: dict[str, list[PoolPlan]] = {name: [] for name in declared}
        ends = dict.fromkeys(declared, 0)
        for posed in pose(op):
            bases = {name: _start(end, declared[name].alignment) for name, end in ends.items()}
            try:
                answer = posed.directions.best(_beside(posed.problem, bases), self.algorithm, self.seconds)
            except StillpoolError as error:
                raise PassFailedException(str(error)) from error
            _write_places(posed, answer, bases)
            posed.directions.carry_out(posed.problem, answer.placements)
            for pool in answer.pools:
                parts[pool.name].append(pool)
                if pool.size:
                    ends[pool.name] = bases[pool.name] + pool.size
        for name, pool in declared.items():
            _write_pool(pool, parts[name], ends[name])


def _start(end: int, alignment: int) -> int:
    """Where a plan begins that lies behind `end` bytes of others."""
    return -(-end // alignment) * alignment


def _beside(problem: Problem, bases: Mapping[str, int]) -> Problem:
    """The problem with what the plans before it leave of each pool."""
    rest = [
        pool if pool.limit is None else replace(pool, limit=max(0, pool.limit - bases[pool.name]))
        for pool in problem.pools
    ]
    return replace(problem, pools=tuple(rest))


def _write_places(posed: Posed, answer: Plan, bases: Mapping[str, int]) -> None:
    for members, placement in zip(posed.members, answer.placements, strict=True):
        for member in members:
            member.attributes["pool.assigned"] = SymbolRefAttr(placement.pool)
            member.attributes["pool.offset"] = IntegerAttr(bases[placement.pool] + placement.offset, i64)
    for alloc, life in posed.lives.items():
        alloc.attributes["pool.first_use"] = IntegerAttr(min(life.operators, default=0), i64)
        alloc.attributes["pool.last_use"] = IntegerAttr(max(life.operators, default=0), i64)


def _write_pool(pool: DeclareOp, parts: Sequence[PoolPlan], size: int) -> None:
    """What was planned; `parts` are the plans that lie in the pool side by side."""
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
