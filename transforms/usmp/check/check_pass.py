"""The pass `usmp-check`: a proof that the memory plan is sound, independent of how it was made.

It first holds every buffer against its pool, then runs each entry function in the abstract. It works on the plan that
`usmp-plan` wrote on the allocs, and again on the views that `usmp-materialize-offsets` made of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.attributes import Kind
from ....dialects.pool.declare import DeclareOp
from ....dialects.pool.keys import Concurrency
from ....dialects.pool.kinds import BufferKind
from ..analysis.sound import require_sound
from .abstract_run import AbstractRun
from .bounds import check_bounds
from .calls import refuse_recursion
from .disjoint import check_disjoint
from .launched import check_launched
from .places import Place, buffers, constants, reads_of_constants
from .released import check_released


@dataclass(frozen=True)
class UsmpCheckPass(ModulePass):
    """Prove that no buffer is destroyed before its last use and that pools, limits and alignments are kept."""

    name: ClassVar[str] = "usmp-check"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        refuse_recursion(op)
        check_bounds(op)
        declared = {o.sym_name.data: o for o in op.ops if isinstance(o, DeclareOp)}
        for name, pool in declared.items():
            if pool.limit is not None and pool.size is not None and pool.size.value.data > pool.limit.value.data:
                raise PassFailedException(f"pool @{name} has {pool.size.value.data} bytes, more than its limit")
        written = buffers(op, declared)
        _check_pools(list(written.values()), declared, Kind.WORKSPACE)
        kept = constants(op)
        _check_pools(kept, declared, Kind.CONSTANT)
        _check_apart(kept)
        entries = [e for e in op.ops if isinstance(e, func.FuncOp) and e.body.blocks and not _is_private(e)]
        mode = keys.CONCURRENCY.get(op.attributes)
        if mode is Concurrency.CONCURRENT:
            check_disjoint(op, entries, written)
        check_launched(op, written)
        check_released(op, entries, written, in_order=mode is Concurrency.PIPELINE)
        reads = reads_of_constants(op, declared)
        groups = [entries] if mode is Concurrency.PIPELINE else [[entry] for entry in entries]
        for group in groups:
            # The application gives double-buffered inputs in one slot, or in the other.
            for slot in (0, 1) if any(place.slot is not None for place in written.values()) else (0,):
                AbstractRun(op, written, reads).run(*group, slot=slot)


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _check_pools(places: list[Place], declared: dict[str, DeclareOp], kind: Kind) -> None:
    """Every buffer lies inside a pool of the right kind, aligned."""
    for place in places:
        pool = declared.get(place.pool)
        if pool is None or pool.size is None:
            raise PassFailedException(f"buffer '{place.name}': pool @{place.pool} is not declared or has no size")
        if pool.kind.data is not kind:
            raise PassFailedException(f"buffer '{place.name}': pool @{place.pool} is no {kind} pool")
        if pool.persistent is not None and place.kind not in (BufferKind.STATE, BufferKind.POISON):
            raise PassFailedException(f"buffer '{place.name}' is no state: pool @{place.pool} holds nothing else")
        size = pool.size.value.data
        if place.first < 0 or place.end > size:
            raise PassFailedException(
                f"buffer '{place.name}' takes bytes {place.first} to {place.end} of pool @{place.pool}, "
                f"which has {size}"
            )
        if place.first % place.alignment:
            raise PassFailedException(
                f"buffer '{place.name}' at offset {place.first} is not aligned to {place.alignment} bytes"
            )
        if pool.alignment % place.alignment:
            raise PassFailedException(
                f"buffer '{place.name}' needs {place.alignment} bytes of alignment, its pool has {pool.alignment}"
            )


def _check_apart(places: list[Place]) -> None:
    """Constants never die: no two of them share a byte."""
    ordered = sorted(places, key=lambda place: (place.pool, place.first, place.end))
    for a, b in pairwise(ordered):
        if a.overlaps(b):
            raise PassFailedException(f"constants '{a.name}' and '{b.name}' share byte {b.first} of pool @{a.pool}")
