"""Interfaces of `nn` operations for passes that do not name their classes."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .attributes import VariableType

if TYPE_CHECKING:
    from .ranges import Ranges


class HasMacs(Operation, abc.ABC):
    """An operation that multiplies and accumulates."""

    @abc.abstractmethod
    def macs(self) -> int:
        """Multiply-accumulates of one execution, padding taps included as in the usual counts."""


class Elementwise(Operation, abc.ABC):
    """An operation whose result element depends on the operand elements of the same (broadcast) place only."""


class FusesClamp(Operation, abc.ABC):
    """An operation whose property `clamp` is the last thing that happens to its results: lowerings keep to it."""

    @abc.abstractmethod
    def fuses_clamp(self) -> bool:
        """Whether this one, on its element types, may be given a clamp or a narrower one."""


class Foldable(Operation, abc.ABC):
    """An operation that can be computed at compile time from constant operands."""

    @abc.abstractmethod
    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]] | None:
        """The results for constant operands; None if they must be computed at run time."""


class HasRanges(Operation, abc.ABC):
    """An operation that says what each channel of its result can be; the results of others can be anything."""

    @abc.abstractmethod
    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Least and most of each channel of every result, from those of the operands."""


class ByChannel(Operation, abc.ABC):
    """An operation each channel of whose result depends on one channel of its operand only, the same.

    Channels lie along the last dimension. Its attributes say nothing of single channels.
    """

    @abc.abstractmethod
    def keeps_channels(self) -> bool:
        """Whether this one does so."""


class TakesIndices(Operation, abc.ABC):
    """An operation one operand of which holds indices; those outside the bounds make no sense."""

    @abc.abstractmethod
    def index_bound(self) -> tuple[SSAValue, int]:
        """The operand, and the least number that is no index any more."""


class View(Operation, abc.ABC):
    """An operation that renames the bytes of its first operand: lowered to a memref view, never to a copy."""


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of `value`, which the operation's definition constrains to a tensor, or of what a variable holds."""
    if isinstance(value.type, VariableType):
        return value.type.tensor
    assert isinstance(value.type, TensorType), "operand constraints admit tensors only"
    return value.type


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The static shape of a tensor value."""
    return tensor_type(value).get_shape()


def channels_of(value: SSAValue) -> int:
    """Channels of a tensor: its last extent, 1 of scalars."""
    shape = shape_of(value)
    return shape[-1] if shape else 1


def element_type_of(value: SSAValue) -> Attribute:
    """The element type of a tensor value."""
    return tensor_type(value).get_element_type()


def is_quantised(element_type: Attribute) -> bool:
    """Whether elements of this type carry integers with a scale and zero point."""
    return isinstance(element_type, IntegerType)


def expect_rank(op: Operation, what: str, value: SSAValue, rank: int) -> tuple[int, ...]:
    """Return the shape of `value` or raise VerifyException if its rank differs."""
    shape = shape_of(value)
    if len(shape) != rank:
        raise VerifyException(f"'{op.name}' op {what} must have rank {rank}, got shape {list(shape)}")
    return shape


def expect_shape(op: Operation, what: str, actual: Sequence[int], expected: Sequence[int]) -> None:
    """Raise VerifyException unless the two shapes agree."""
    if tuple(actual) != tuple(expected):
        raise VerifyException(f"'{op.name}' op {what} must have shape {list(expected)}, got {list(actual)}")


def expect_length(op: Operation, what: str, length: int, expected: int) -> None:
    """Raise VerifyException unless an attribute list has the expected length."""
    if length != expected:
        raise VerifyException(f"'{op.name}' op {what} must have {expected} entries, got {length}")
