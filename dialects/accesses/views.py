"""Operations that touch nothing, and only name bytes of a memref again: in another shape, or some of them.

An assumed alignment is a promise of whoever wrote the program; no pass relies on it.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from ..pool.bytes import BytesOp

VIEWS = (
    BytesOp,
    memref.AssumeAlignmentOp,
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
    memref.ViewOp,
)
"""Operations whose result names bytes of their first operand."""


def storage(value: SSAValue) -> SSAValue:
    """The value whose bytes a view names."""
    while isinstance(owner := value.owner, VIEWS):
        value = owner.operands[0]
    return value
