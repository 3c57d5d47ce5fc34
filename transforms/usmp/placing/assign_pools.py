"""The pass `usmp-assign-pools`: every buffer learns which pools it may lie in.

Buffers that name their candidates already keep them, and pins give them to all buffers of a name or pattern: so a
tensor is pinned to a memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.attributes import Kind
from ....dialects.pool.declare import DEFAULT_ALIGNMENT, DeclareOp
from ....errors import close_names
from ..analysis.liveness import is_state
from ..analysis.memory_spaces import pool_of_space
from ..analysis.sound import require_sound
from ..analysis.structure import allocs, buffer_name, constants, free_symbol, pools
from ..rewriting.reached import erase_unreached
from .alignments import align_pools, is_enough

DEFAULT_POOL = "workspace"
"""The pool of modules that declare none."""

STATE_POOL = "state"
"""The persistent pool of modules that have state and declare none."""


@dataclass(frozen=True)
class UsmpAssignPoolsPass(ModulePass):
    """Write `pool.candidates` on every buffer; declare the default pool if there is no workspace pool.

    A buffer in memory space "dtcm" lies in pool @dtcm. A pool that declares no alignment takes the largest of the
    buffers that may lie in it. Private functions that hold buffers and that nobody calls are removed.

    State goes into persistent pools unless it is pinned elsewhere, and nothing else goes there; for a module with
    state such a pool is declared if there is none. Constants get candidates only if a constant pool is declared;
    otherwise they stay globals.
    """

    name: ClassVar[str] = "usmp-assign-pools"

    pins: tuple[str, ...] = ()
    """`PATTERN=POOL`: buffers, and constants if POOL is a constant pool, whose name matches the pattern (`*`, `?`,
    `[...]`) lie in that pool only; the first pin that matches counts."""
    align: int = DEFAULT_ALIGNMENT
    """Least alignment of pools that declare none, in bytes: a power of two."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.align < 1 or self.align & (self.align - 1):
            raise PassFailedException(f"alignment {self.align} is not a power of two")
        require_sound(op)
        erase_unreached(op)
        if not _declared(op, Kind.WORKSPACE, persistent=False):
            _declare(op, DeclareOp(_free(op, DEFAULT_POOL)))
        _pin(op, self.pins)
        homeless = any(is_state(alloc) and not keys.CANDIDATES.within(alloc.attributes) for alloc in allocs(op))
        if homeless and not _declared(op, Kind.WORKSPACE, persistent=True):
            if STATE_POOL in pools(op):
                raise PassFailedException(f"pool @{STATE_POOL} is not persistent: declare it as a pool for state")
            _declare(op, DeclareOp(_free(op, STATE_POOL), persistent=True))
        fleeting, lasting = (_declared(op, Kind.WORKSPACE, persistent=persistent) for persistent in (False, True))
        declared = pools(op)
        for alloc in allocs(op):
            if is_state(alloc):
                _assign(alloc, declared, lasting, [*lasting, *fleeting], "workspace")
            else:
                _assign(alloc, declared, fleeting, fleeting, "workspace")
        constant_pools = _declared(op, Kind.CONSTANT)
        for constant in constants(op):
            if constant_pools or keys.CANDIDATES.within(constant.attributes):
                _assign(constant, declared, constant_pools, constant_pools, "constant")
        align_pools(op, self.align)


def _declared(module: ModuleOp, kind: Kind, *, persistent: bool = False) -> list[str]:
    return [
        name
        for name, pool in pools(module).items()
        if pool.kind.data is kind and (pool.persistent is not None) == persistent
    ]


def _declare(module: ModuleOp, pool: DeclareOp) -> None:
    """Put a declaration behind the others, before everything else."""
    block, others = module.body.block, list(pools(module).values())
    if others:
        block.insert_op_after(pool, others[-1])
    elif block.first_op is not None:
        block.insert_op_before(pool, block.first_op)
    else:
        block.add_op(pool)


def _pin(module: ModuleOp, pins: Sequence[str]) -> None:
    """Give pinned buffers their one candidate."""
    for text in pins:
        pattern, _, pool = text.rpartition("=")
        if pool not in pools(module):
            listed = ", ".join(f"@{name}" for name in pools(module))
            raise PassFailedException(f"pin '{text}': there is no pool @{pool}; declared are {listed}")
        is_constant = pools(module)[pool].kind.data is Kind.CONSTANT
        buffers = list(constants(module) if is_constant else allocs(module))
        matching = [buffer for buffer in buffers if fnmatchcase(buffer_name(buffer), pattern)]
        if not matching:
            what = "constants" if is_constant else "buffers"
            names = sorted({buffer_name(buffer) for buffer in buffers})
            close = [f"'{name}'" for name in close_names(pattern, names)]
            like = f"; close are {', '.join(close)}" if close else ""
            raise PassFailedException(f"pin '{text}' matches none of the {len(names)} {what}{like}")
        for buffer in matching:
            if not keys.CANDIDATES.within(buffer.attributes):
                keys.CANDIDATES.put(buffer.attributes, [pool])


def _free(module: ModuleOp, name: str) -> str:
    """A pool's usual name, or with `_pool` behind it if something else has it."""
    taken = free_symbol(module, name) != name
    return free_symbol(module, f"{name}_pool") if taken else name


def _assign(
    buffer: memref.AllocOp | memref.GlobalOp,
    declared: Mapping[str, DeclareOp],
    usual: list[str],
    allowed: list[str],
    kind: str,
) -> None:
    """The usual pools, or the ones that it is given if each of them is allowed; `kind` says in words which are."""
    if not keys.CANDIDATES.within(buffer.attributes):
        space = pool_of_space(buffer)
        aligned = [name for name in usual if is_enough(declared[name], buffer)]
        keys.CANDIDATES.put(buffer.attributes, [space] if space else aligned or usual)
    for name in keys.CANDIDATES.get(buffer.attributes) or ():
        if name not in allowed:
            listed = ", ".join(f"@{other}" for other in allowed) or "none"
            raise PassFailedException(
                f"buffer '{buffer_name(buffer)}': there is no {kind} pool @{name}; declared are {listed}"
            )
