"""Bytes of a plan."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp


def workspace_bytes(planned: ModuleOp) -> dict[str, int]:
    """Bytes of each workspace pool of a planned module, by name."""
    declared = [op for op in planned.ops if isinstance(op, DeclareOp) and op.kind.data is Kind.WORKSPACE]
    return {op.sym_name.data: 0 if op.size is None else op.size.value.data for op in declared}
