"""Where the elements of an ONNX tensor lie: an SSA value and the order of its dimensions.

ONNX has channels first, `nn` last. What an operator gives keeps the order that the operator has, and is brought to
another one where somebody needs that: transpositions that would cancel are never made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.nn.interfaces import element_type_of, shape_of


@dataclass(frozen=True)
class Stored:
    """A value whose dimension `k` is dimension `order[k]` of the tensor."""

    value: SSAValue
    order: tuple[int, ...]

    @staticmethod
    def plain(value: SSAValue) -> Stored:
        """A value with the dimensions of its tensor."""
        return Stored(value, tuple(range(len(shape_of(value)))))

    @property
    def extents(self) -> tuple[int, ...]:
        """Extents in the order of storage."""
        return shape_of(self.value)

    @property
    def element(self) -> Attribute:
        """Type of the elements."""
        return element_type_of(self.value)

    def axis(self, axis: int) -> int:
        """Where a dimension of the tensor is stored."""
        return self.order.index(axis)


def channels_last(rank: int) -> tuple[int, ...]:
    """Batch, space, channels."""
    return (0, *range(2, rank), 1) if rank > 2 else tuple(range(rank))


def permuted(values: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The tensor's numbers in the order of storage."""
    return tuple(values[axis] for axis in order)


def typed(element: Attribute, shape: Sequence[int]) -> TensorType[Any]:
    """A tensor type."""
    return TensorType(cast(Any, element), shape)


def type_of(value: SSAValue) -> TensorType[Any]:
    """The type of a tensor."""
    assert isinstance(value.type, TensorType), "tensors have tensor types"
    return value.type


def integer_type(element: Attribute) -> IntegerType:
    """An element type that is one of integers."""
    assert isinstance(element, IntegerType), "the caller knows"
    return element
