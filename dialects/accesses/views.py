"""Operations that touch nothing, and only name bytes of a memref again: in another shape, or some of them.

An assumed alignment is a promise of whoever wrote the program; no pass relies on it.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

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
_CLASSES = frozenset(VIEWS)


def storage(value: SSAValue) -> SSAValue:
    """The value whose bytes a view names."""
    # Classes of operations are abstract ones, whose `isinstance` is slow.
    while (owner := value.owner).__class__ in _CLASSES and isinstance(owner, Operation):
        value = owner.operands[0]
    return value
