"""Which buffer a memref value names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

WHOLE_VIEWS = (
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
)
"""Views that may name all elements of their source in the same order."""


CONSTANT = -1
"""The number of all bytes that are never to be written."""


@dataclass(frozen=True)
class Reference:
    """A value's buffer."""

    number: int
    """Which one, or `CONSTANT`."""
    is_whole: bool
    """Whether the value names all elements of the buffer in their row-major order."""


Arguments = Mapping[SSAValue, Reference | None]
"""What the arguments of the running function name; None for bytes that somebody else owns."""


def refer(value: SSAValue, arguments: Arguments, made: Mapping[Operation, int]) -> Reference | None:
    """The buffer that `value` names; `made` numbers the operations that make buffers.

    Raises:
        PassFailedException: the value depends on control flow, or comes from a buffer by more than a view.
    """
    owner = value.owner
    if isinstance(owner, Block):
        if value not in arguments:
            raise PassFailedException("buffers must not depend on control flow: a block passes a memref on")
        return arguments[value]
    if owner in made:
        return Reference(made[owner], is_whole=True)
    if owner.regions or isinstance(owner, func.CallOp):
        raise PassFailedException(f"buffers must not depend on control flow: {owner.name} gives a memref")
    sources = [operand for operand in owner.operands if isinstance(operand.type, MemRefType)]
    found = [reference for source in sources if (reference := refer(source, arguments, made)) is not None]
    if not found:
        return None
    if len(sources) != 1 or len(owner.results) != 1 or not owner.name.startswith("memref."):
        raise PassFailedException(f"cannot follow a buffer through {owner.name}")
    return Reference(found[0].number, found[0].is_whole and _is_whole(owner, sources[0].type, value.type))


def _is_whole(op: Operation, source: object, result: object) -> bool:
    if not isinstance(op, WHOLE_VIEWS) or not isinstance(source, MemRefType) or not isinstance(result, MemRefType):
        return False
    if isinstance(op, memref.ReinterpretCastOp) and any(offset != 0 for offset in op.static_offsets.get_values()):
        return False
    return isinstance(result.layout, NoneAttr) and prod(source.get_shape()) == prod(result.get_shape())
