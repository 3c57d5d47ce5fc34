"""What operations of the `simd` dialect that touch memory have in common: what they say of it, and what they check.

What checks raises a `VerifyException`.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Sequence
from operator import methodcaller
from typing import TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, MemRefType, NoneAttr, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSetConstraint, AttrSizedOperandSegments, MessageConstraint, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access, answers_for
from ..strides import row_major
from .instruction import SimdOperation

INTEGERS = DenseArrayBase.constr(i64)
"""A property of several numbers."""
FOUR_SUMS = MemRefType(i32, [4])
SEGMENTS = (AttrSizedOperandSegments(as_property=True),)
"""Options of operations that say how many of their operands belong together."""
Part = TypeVar("Part")


def _number(attribute: Attribute) -> int | tuple[int, ...]:
    match attribute:
        case IntegerAttr(value=value):
            return value.data
        case DenseArrayBase():
            return cast("DenseArrayBase[IntegerType]", attribute).get_values()
        case _:
            return True


class OnMemory(SimdOperation, abc.ABC):
    """Base of the operations that touch memory."""

    def __init_subclass__(cls) -> None:
        """Register what an operation accesses, too."""
        super().__init_subclass__()
        answers_for(cls)(methodcaller("accesses"))

    def described(self, kind: type[Part]) -> Part:
        """What properties describe: a dataclass whose fields have their names, and defaults for those left out."""
        names = [name for name in kind.__annotations__ if name in self.properties]
        return kind(**{name: _number(self.properties[name]) for name in names})

    @abc.abstractmethod
    def accesses(self) -> Sequence[Access]:
        """Which elements it touches, as `answers_for` asks."""

    def verify_(self) -> None:
        """Check that what is written is named once, and lies in its memref as what is read; sizes may be unknown."""
        accesses, operands = self.accesses(), [*self.operands]
        if any(access.is_write and operands.count(access.memref) > 1 for access in accesses):
            raise VerifyException("a memref that is written is named twice: results would depend on the order")
        for access in accesses:
            if access.indices is None:
                continue
            box, shape = access.shape, access.type.get_shape()
            if len(access.indices) != len(shape):
                raise VerifyException(f"{len(access.indices)} indices for the {len(shape)} dimensions of {access.type}")
            sides = zip(box, shape, strict=False)
            if len(box) != len(shape) or any(part < 1 or 0 <= size < part for part, size in sides):
                raise VerifyException(f"{'x'.join(map(str, box))} elements do not lie in {access.type}")


class ReadsMemory(OnMemory, abc.ABC):
    """Base of those that read."""

    traits = traits_def(MemoryReadEffect())


class WritesMemory(OnMemory, abc.ABC):
    """Base of those that write."""

    traits = traits_def(MemoryWriteEffect())


def dense(*elements: Attribute) -> MessageConstraint[MemRefType[Attribute]]:
    """Memrefs whose elements, of one of some types, lie side by side."""
    constraint = MemRefType.constr(AttrSetConstraint.get(*elements), layout=NoneAttr())
    return MessageConstraint(constraint, f"elements are {' or '.join(map(str, elements))} side by side")


def side_by_side(
    memref: SSAValue, indices: Sequence[SSAValue], count: int, *, is_write: bool = False, is_sure: bool = True
) -> Access:
    """Elements along the last dimension."""
    return Access(memref, is_write, tuple(indices), (*(1,) * (len(indices) - 1), count), is_sure)


def type_of(memref: SSAValue) -> MemRefType[Attribute]:
    """The type of an operand that is a memref."""
    assert isinstance(memref.type, MemRefType), "the operand is a memref"
    return memref.type


def lies_in(memref: SSAValue, box: Sequence[int], places: Iterable[int]) -> bool:
    """Whether places, in elements from the first one of a box, lie in it; where a size is not known, they may."""
    strides = row_major(type_of(memref).get_shape())
    for place in places:
        for part, stride in zip(box, strides, strict=True):
            index, place = divmod(place, stride) if stride > 0 else (0, 0)
            if not 0 <= index < part:
                return False
        if place:
            return False
    return True


def reach_in(memref: SSAValue, box: Sequence[int]) -> int:
    """Return the number of elements from the first to the last of a box."""
    strides = row_major(type_of(memref).get_shape())
    return sum((part - 1) * stride for part, stride in zip(box, strides, strict=True)) + 1
