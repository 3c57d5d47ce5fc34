"""Which buffer a memref value names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool.bytes import BytesOp
from ....dialects.pool.extent import element_bytes

CONSTANT = -1
"""The number of all bytes that are never to be written."""


@dataclass(frozen=True)
class Reference:
    """A value's buffer."""

    number: int
    """Which one, or `CONSTANT`."""
    start: int | None
    """Where the value's first element lies in the buffer, in bytes; None if its elements may lie anywhere.

    The others follow at the strides of its type.
    """


Arguments = Mapping[SSAValue, Reference | None]
"""References of the arguments of the running function; None for bytes that somebody else owns."""


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
        return Reference(made[owner], 0)
    if owner.regions or isinstance(owner, func.CallOp):
        raise PassFailedException(f"buffers must not depend on control flow: {owner.name} gives a memref")
    sources = [operand for operand in owner.operands if isinstance(operand.type, MemRefType)]
    found = [reference for source in sources if (reference := refer(source, arguments, made)) is not None]
    if not found:
        return None
    is_view = owner.name.startswith("memref.") or isinstance(owner, BytesOp)
    if len(sources) != 1 or len(owner.results) != 1 or not is_view:
        raise PassFailedException(f"cannot follow a buffer through {owner.name}")
    start = _start(owner, found[0].start, sources[0].type, value.type)
    return Reference(found[0].number, start)


def _start(op: Operation, source_start: int | None, source: Attribute, result: Attribute) -> int | None:
    """Where a view begins in the buffer; None if its elements may lie anywhere."""
    if not isinstance(source, MemRefType) or not isinstance(result, MemRefType) or source_start is None:
        return None
    is_dense = isinstance(source.layout, NoneAttr)
    match op:
        case BytesOp():
            return source_start
        case memref.AssumeAlignmentOp() | memref.CastOp() | memref.MemorySpaceCastOp():
            return source_start if source.get_strides() == result.get_strides() else None
        case memref.ViewOp() if is_dense:
            shift = op.byte_shift.owner
            number = shift.value if isinstance(shift, arith.ConstantOp) else None
            return source_start + number.value.data if isinstance(number, IntegerAttr) else None
        case memref.ReinterpretCastOp() if is_dense and not op.offsets and not op.sizes and not op.strides:
            (offset,) = (int(number) for number in op.static_offsets.get_values())
            strides = [int(number) for number in op.static_strides.get_values()]
            return source_start + offset * width(source) if strides == list(result.get_strides() or ()) else None
        case memref.CollapseShapeOp() | memref.ExpandShapeOp() if is_dense and isinstance(result.layout, NoneAttr):
            return source_start if prod(source.get_shape()) == prod(result.get_shape()) else None
        case _:
            return None


def width(type: MemRefType) -> int:
    """Bytes of an element."""
    return element_bytes(type)
