"""What operations of the `simd` dialect that touch memory have in common: what they say of it, and what they check.

What checks raises a `VerifyException`.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from math import prod
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, MemRefType, NoneAttr, i8, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, prop_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from ..values import Value, flag, integers
from .instruction import INTEGER

MOST_WRITTEN = 16
"""Words of a channel that are written out, in the loop and after it: C need not take longer strings."""
INTEGERS = DenseArrayBase.constr(i64)
"""A property of several numbers."""
SEGMENTS = (AttrSizedOperandSegments(as_property=True),)
"""Options of operations that say how many of their operands belong together."""
Property: TypeAlias = Attribute | int | Sequence[int] | None
"""A property as Python writes it: a flag is True or False, None is one that the operation does not have."""


def _attribute(value: Property) -> Attribute | None:
    if value is None or isinstance(value, Attribute):
        return value
    if isinstance(value, bool):
        return flag(value)
    return IntegerAttr(value, i64) if isinstance(value, int) else integers(value, i64)


class OnMemory(IRDLOperation, abc.ABC):
    """Base of the operations that touch memory."""

    RESULTS: ClassVar[Sequence[Attribute]] = ()
    """Types of its results."""

    def __init__(self, *operands: Value | Sequence[Value], **properties: Property):
        """Make the operation of its operands in order, and of its properties."""
        made = {name: _attribute(value) for name, value in properties.items()}
        super().__init__(operands=operands, result_types=self.RESULTS, properties=made)

    @abc.abstractmethod
    def accesses(self) -> Sequence[Access]:
        """Which elements it touches, as `answers_for` asks."""


class ReadsMemory(OnMemory, abc.ABC):
    """Base of those that read."""

    traits = traits_def(MemoryReadEffect())


class WritesMemory(OnMemory, abc.ABC):
    """Base of those that write."""

    traits = traits_def(MemoryWriteEffect())


class Unrolled(IRDLOperation, abc.ABC):
    """Base of the operations on `count` words, `unroll` of which are written out in one pass."""

    count = prop_def(INTEGER)
    unroll = prop_def(INTEGER)

    @property
    def passed(self) -> int:
        """Words in one pass of a loop; none without one."""
        count, unroll = self.count.value.data, self.unroll.value.data
        return unroll if unroll and count // unroll > 1 else 0

    @property
    def after(self) -> int:
        """Words behind the loop, or all where there is none."""
        count = self.count.value.data
        return count % self.passed if self.passed else count

    def check_written(self, most: int, blocks: int = 1) -> None:
        """Check that there are words, in so many blocks, and that at most so many are written out."""
        count, unroll = self.count.value.data, self.unroll.value.data
        if not 1 <= unroll <= count or blocks < 1:
            raise VerifyException(f"of one or more words at least one and at most all are written out, not {unroll}")
        if self.passed + self.after > most:
            raise VerifyException(f"{unroll} words in a loop, and {count % unroll} after it: at most {most}")


def row_read(memref: SSAValue, first: SSAValue, count: int, *, is_sure: bool = True) -> Access:
    """Elements of a row that are read."""
    return Access(memref, False, (first,), (count,), is_sure)


def side_by_side(memref: SSAValue, indices: Sequence[SSAValue], count: int, *, is_write: bool) -> Access:
    """Elements along the last dimension."""
    return Access(memref, is_write, tuple(indices), (*(1,) * (len(indices) - 1), count))


def type_of(memref: SSAValue) -> MemRefType[Attribute]:
    """The type of an operand that is a memref."""
    assert isinstance(memref.type, MemRefType), "the operand is a memref"
    return memref.type


def is_dense(memref: SSAValue, *elements: Attribute) -> bool:
    """Whether elements of one of these types lie side by side."""
    type = type_of(memref)
    return type.element_type in elements and isinstance(type.layout, NoneAttr)


def shape_of(
    memref: SSAValue, indices: Sequence[SSAValue], elements: Sequence[Attribute], what: str
) -> tuple[int, ...]:
    """The shape of a memref whose elements lie side by side."""
    type = type_of(memref)
    shape = type.get_shape()
    if not is_dense(memref, *elements) or not shape:
        raise VerifyException(f"{what} lie side by side, not as in {type}")
    if len(indices) != len(shape):
        raise VerifyException(f"{len(indices)} indices for the {len(shape)} dimensions of {type}")
    return shape


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of a dense row-major memref."""
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def check_words(memref: SSAValue, least: int) -> None:
    """Check that a memref has at least so many i32 side by side; where its size is not known, it may."""
    type = type_of(memref)
    if not is_dense(memref, i32) or type.get_num_dims() != 1:
        raise VerifyException(f"words are i32 side by side, not as in {type}")
    if 0 <= type.get_shape()[0] < least:
        raise VerifyException(f"{least} words are more than {type} has")


def check_room(memref: SSAValue, indices: Sequence[SSAValue], count: int) -> None:
    """Check that so many bytes can be written side by side."""
    if 0 <= shape_of(memref, indices, (i8,), "bytes")[-1] < count:
        raise VerifyException(f"{count} bytes are written side by side, which {type_of(memref)} has no room for")


def check_box(box: Sequence[int], memref: SSAValue) -> None:
    """Check that a box lies in a memref."""
    shape = type_of(memref).get_shape()
    if len(box) != len(shape) or not all(1 <= part <= whole for part, whole in zip(box, shape, strict=True)):
        raise VerifyException(f"a box of {'x'.join(map(str, box))} does not lie in {type_of(memref)}")


def reach_of(box: Sequence[int], memref: SSAValue) -> int:
    """Elements from the first of a box to its last."""
    strides = row_major(type_of(memref).get_shape())
    return sum((part - 1) * stride for part, stride in zip(box, strides, strict=True)) + 1
