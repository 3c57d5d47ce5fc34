"""Whether `pool.parts` of a call can be true, as far as its types tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from .attributes import PartAttr


def verify_parts(call: func.CallOp, parts: Sequence[PartAttr], where: str) -> None:
    """Each part has the elements of its argument, and lies inside its whole.

    Raises:
        VerifyException: one does not; `where` names the call.
    """
    for part in parts:
        said = f"{where}: part {part.part.data} in {part.whole.data}"
        own, whole = (_memref(call, index.data, said) for index in (part.part, part.whole))
        if part.part == part.whole:
            raise VerifyException(f"{said}: an argument is no part of itself")
        if own.element_type != whole.element_type:
            raise VerifyException(f"{said}: elements are {own.element_type} and {whole.element_type}")
        shape, strides = part.shape.get_values(), part.strides.get_values()
        if min(shape, default=1) < 0 or min(strides, default=0) < 0:
            raise VerifyException(f"{said}: extents and strides must not be negative")
        if prod(shape) != _count(own):
            raise VerifyException(f"{said}: a shape of {prod(shape)} elements, the argument has {_count(own)}")
        last = part.offset.data + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
        if 0 not in shape and last >= _count(whole):
            raise VerifyException(f"{said}: it reaches to element {last}, the whole has {_count(whole)}")


def _memref(call: func.CallOp, index: int, said: str) -> MemRefType[Attribute]:
    if index >= len(call.operands):
        raise VerifyException(f"{said}: the call has {len(call.operands)} arguments")
    type = call.operands[index].type
    if not isinstance(type, MemRefType) or DYNAMIC_INDEX in type.get_shape():
        raise VerifyException(f"{said}: argument {index} is no memref of a static shape")
    return type


def _count(type: MemRefType[Attribute]) -> int:
    return prod(type.get_shape())
