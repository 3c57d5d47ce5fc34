"""The pass `usmp-plan`: pool and offset for every buffer, written as attributes on the allocs.

The decisions stay visible and can be edited by hand before `usmp-check` proves them and `usmp-materialize-offsets`
carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i64
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.attributes import Kind
from ...errors import StillpoolError
from ...planner import Buffer, Plan, Pool, Problem, plan
from .liveness import Life, Liveness
from .structure import buffer_name, element_size, entries, pools, size_of


@dataclass(frozen=True)
class UsmpPlanPass(ModulePass):
    """Place all buffers in their pools."""

    name: ClassVar[str] = "usmp-plan"

    algorithm: str = "hill-climb"
    """Placement algorithm: `greedy-by-size`, `greedy-by-conflicts`, `hill-climb`, or one installed by entry point."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        problem, lives = pose(op)
        try:
            answer = plan(problem, self.algorithm)
        except StillpoolError as error:
            raise PassFailedException(str(error)) from error
        _write(op, lives, answer)


def pose(module: ModuleOp) -> tuple[Problem, dict[memref.AllocOp, Life]]:
    """The placement problem of a module, and the lives of its buffers in the order of the problem's.

    Several entry functions share the pools one after another: their times follow each other.
    """
    lives: dict[memref.AllocOp, Life] = {}
    leads: dict[tuple[memref.AllocOp, memref.AllocOp], int] = {}
    offset = 0
    for entry in entries(module):
        found = Liveness(module, entry)
        for alloc, life in found.lives.items():
            total = lives.setdefault(alloc, Life())
            total.ranges += [[a + offset for a in r] for r in life.ranges if r]
            total.operators += life.operators
        leads |= found.handed_over()
        offset += found.end
    order = {alloc: number for number, alloc in enumerate(lives)}
    buffers = tuple(_buffer(alloc, life) for alloc, life in lives.items())
    workspaces = [
        Pool(name, None if pool.limit is None else pool.limit.value.data, pool.alignment)
        for name, pool in pools(module).items()
        if pool.kind.data is Kind.WORKSPACE
    ]
    numbered = {(order[a], order[b]): distance for (a, b), distance in leads.items()}
    return Problem(buffers, tuple(workspaces), numbered), lives


def _buffer(alloc: memref.AllocOp, life: Life) -> Buffer:
    type = alloc.memref.type
    assert isinstance(type, MemRefType), "allocs give memrefs"
    candidates = alloc.attributes.get("pool.candidates")
    if not isinstance(candidates, ArrayAttr):
        raise PassFailedException(f"buffer '{buffer_name(alloc)}' has no pool.candidates; run usmp-assign-pools first")
    alignment = alloc.alignment.value.data if alloc.alignment is not None else 1
    return Buffer(
        buffer_name(alloc),
        size_of(type),
        tuple((first, last + 1) for first, last in life.ranges),
        max(alignment, element_size(type)),
        tuple(symbol.string_value() for symbol in candidates.data if isinstance(symbol, SymbolRefAttr)),
    )


def _write(module: ModuleOp, lives: dict[memref.AllocOp, Life], answer: Plan) -> None:
    for (alloc, life), placement in zip(lives.items(), answer.placements, strict=True):
        alloc.attributes |= {
            "pool.assigned": SymbolRefAttr(placement.pool),
            "pool.offset": IntegerAttr(placement.offset, i64),
            "pool.first_use": IntegerAttr(min(life.operators, default=0), i64),
            "pool.last_use": IntegerAttr(max(life.operators, default=0), i64),
        }
    declared = pools(module)
    for result in answer.pools:
        properties = declared[result.name].properties
        properties["size"] = IntegerAttr(result.size, i64)
        properties["lower_bound"] = IntegerAttr(result.lower_bound, i64)
        properties["algorithm"] = StringAttr(result.algorithm)
        if result.optimal:
            properties["optimal"] = UnitAttr()
