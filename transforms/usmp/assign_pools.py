"""The pass `usmp-assign-pools`: every buffer learns which pools it may lie in.

Buffers that name their candidates already keep them, and pins give them to all buffers of a name or pattern: so a
tensor is pinned to a memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from .structure import allocs, buffer_name, constants, pools

DEFAULT_POOL = "workspace"
"""The pool of modules that declare none."""


@dataclass(frozen=True)
class UsmpAssignPoolsPass(ModulePass):
    """Write `pool.candidates` on every buffer; declare the default pool if there is no workspace pool.

    Constants get candidates only if a constant pool is declared; otherwise they stay globals.
    """

    name: ClassVar[str] = "usmp-assign-pools"

    pins: tuple[str, ...] = ()
    """`PATTERN=POOL`: buffers, and constants if POOL is a constant pool, whose name matches the pattern (`*`, `?`,
    `[...]`) lie in that pool only; the first pin that matches counts."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not _declared(op, Kind.WORKSPACE):
            declare = DeclareOp(DEFAULT_POOL)
            first = op.body.block.first_op
            if first is None:
                op.body.block.add_op(declare)
            else:
                op.body.block.insert_op_before(declare, first)
        _pin(op, self.pins)
        for alloc in allocs(op):
            _assign(alloc, Kind.WORKSPACE, _declared(op, Kind.WORKSPACE))
        for constant in constants(op):
            if _declared(op, Kind.CONSTANT) or "pool.candidates" in constant.attributes:
                _assign(constant, Kind.CONSTANT, _declared(op, Kind.CONSTANT))


def _declared(module: ModuleOp, kind: Kind) -> list[str]:
    return [name for name, pool in pools(module).items() if pool.kind.data is kind]


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
            listed = ", ".join(sorted({f"'{buffer_name(buffer)}'" for buffer in buffers}))
            raise PassFailedException(f"pin '{text}' matches none of the {what} {listed}")
        for buffer in matching:
            buffer.attributes.setdefault("pool.candidates", ArrayAttr([SymbolRefAttr(pool)]))


def _assign(buffer: memref.AllocOp | memref.GlobalOp, kind: Kind, declared: list[str]) -> None:
    """All pools of the right kind, or the pinned ones if each of them is declared."""
    everything = ArrayAttr[Attribute]([SymbolRefAttr(name) for name in declared])
    pinned = buffer.attributes.setdefault("pool.candidates", everything)
    if not isinstance(pinned, ArrayAttr) or not pinned.data:
        raise PassFailedException(f"buffer '{buffer_name(buffer)}': pool.candidates must list pools")
    for symbol in pinned.data:
        name = symbol.string_value() if isinstance(symbol, SymbolRefAttr) else str(symbol)
        if name not in declared:
            listed = ", ".join(f"@{other}" for other in declared) or "none"
            raise PassFailedException(
                f"buffer '{buffer_name(buffer)}': there is no {kind} pool @{name}; declared are {listed}"
            )
