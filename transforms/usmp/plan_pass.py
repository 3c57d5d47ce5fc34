"""The pass `usmp-plan`: pool and offset for every buffer, written as attributes on the allocs.

The decisions stay visible and can be edited by hand before `usmp-check` proves them and `usmp-materialize-offsets`
carries them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i64
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...errors import StillpoolError
from ...planner import Buffer, Placement, Plan, Pool, Problem, plan
from .liveness import Life, Liveness, is_state
from .structure import alignment_of, buffer_name, constants, entries, pools, size_of


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
        for (alloc, life), placement in zip(lives.items(), answer.placements, strict=False):
            _write_place(alloc, placement)
            alloc.attributes["pool.first_use"] = IntegerAttr(min(life.operators, default=0), i64)
            alloc.attributes["pool.last_use"] = IntegerAttr(max(life.operators, default=0), i64)
        for constant, placement in zip(_pooled(op), answer.placements[len(lives) :], strict=True):
            _write_place(constant, placement)
        _write_pools(op, answer)


def pose(module: ModuleOp) -> tuple[Problem, dict[memref.AllocOp, Life]]:
    """The placement problem of a module, and the lives of its allocs, which are the problem's first buffers.

    Several entry functions share the pools one after another: their times follow each other, and state outlives them
    all. The constants of constant pools come last; they are always live.
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
    for alloc, life in lives.items():
        if is_state(alloc):
            life.ranges = [[0, offset]]
    order = {alloc: number for number, alloc in enumerate(lives)}
    buffers = [_buffer(alloc, alloc.memref.type, life.ranges) for alloc, life in lives.items()]
    buffers += [_buffer(constant, constant.type, [[0, offset]]) for constant in _pooled(module)]
    declared = tuple(
        Pool(name, None if pool.limit is None else pool.limit.value.data, pool.alignment)
        for name, pool in pools(module).items()
    )
    numbered = {(order[a], order[b]): distance for (a, b), distance in leads.items()}
    return Problem(tuple(buffers), declared, numbered), lives


def _pooled(module: ModuleOp) -> list[memref.GlobalOp]:
    """The constants that are to lie in constant pools."""
    return [constant for constant in constants(module) if "pool.candidates" in constant.attributes]


def _buffer(op: memref.AllocOp | memref.GlobalOp, type: Attribute, ranges: Sequence[Sequence[int]]) -> Buffer:
    assert isinstance(type, MemRefType), "buffers are memrefs"
    candidates = op.attributes.get("pool.candidates")
    if not isinstance(candidates, ArrayAttr):
        raise PassFailedException(f"buffer '{buffer_name(op)}' has no pool.candidates; run usmp-assign-pools first")
    return Buffer(
        buffer_name(op),
        size_of(type),
        tuple((first, last + 1) for first, last in ranges),
        alignment_of(op, type),
        tuple(symbol.string_value() for symbol in candidates.data if isinstance(symbol, SymbolRefAttr)),
    )


def _write_place(buffer: memref.AllocOp | memref.GlobalOp, placement: Placement) -> None:
    buffer.attributes["pool.assigned"] = SymbolRefAttr(placement.pool)
    buffer.attributes["pool.offset"] = IntegerAttr(placement.offset, i64)


def _write_pools(module: ModuleOp, answer: Plan) -> None:
    declared = pools(module)
    for result in answer.pools:
        properties = declared[result.name].properties
        properties |= {
            "size": IntegerAttr(result.size, i64),
            "lower_bound": IntegerAttr(result.lower_bound, i64),
            "algorithm": StringAttr(result.algorithm),
        }
        properties.pop("optimal", None)
        if result.optimal:
            properties["optimal"] = UnitAttr()
