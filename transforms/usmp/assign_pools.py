"""The pass `usmp-assign-pools`: every buffer learns which pools it may lie in.

Buffers that name their candidates already keep them: that is how a tensor is pinned to a memory by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from .structure import allocs, buffer_name, pools

DEFAULT_POOL = "workspace"
"""The pool of modules that declare none."""


@dataclass(frozen=True)
class UsmpAssignPoolsPass(ModulePass):
    """Write `pool.candidates` on every buffer; declare the default pool if there is no workspace pool."""

    name: ClassVar[str] = "usmp-assign-pools"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        workspaces = [name for name, pool in pools(op).items() if pool.kind.data is Kind.WORKSPACE]
        if not workspaces:
            declare = DeclareOp(DEFAULT_POOL)
            first = op.body.block.first_op
            if first is None:
                op.body.block.add_op(declare)
            else:
                op.body.block.insert_op_before(declare, first)
            workspaces = [DEFAULT_POOL]
        candidates = ArrayAttr([SymbolRefAttr(name) for name in workspaces])
        for alloc in allocs(op):
            pinned = alloc.attributes.setdefault("pool.candidates", candidates)
            if not isinstance(pinned, ArrayAttr) or not pinned.data:
                raise PassFailedException(f"buffer '{buffer_name(alloc)}': pool.candidates must list pools")
            for symbol in pinned.data:
                name = symbol.string_value() if isinstance(symbol, SymbolRefAttr) else str(symbol)
                if name not in workspaces:
                    raise PassFailedException(
                        f"buffer '{buffer_name(alloc)}': there is no workspace pool @{name}; "
                        f"declared are {', '.join(f'@{w}' for w in workspaces)}"
                    )
