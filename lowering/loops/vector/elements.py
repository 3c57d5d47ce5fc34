"""The scalars that stand for vectors while a function is lowered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import PassFailedException

MOST_ELEMENTS = 1024
"""Elements of the largest vector that is lowered: each becomes an operation of its own."""


@dataclass
class Elements:
    """Which scalars hold the elements of each vector, in row-major order."""

    _of: dict[SSAValue, Sequence[SSAValue]] = field(default_factory=lambda: {})

    def __getitem__(self, value: SSAValue) -> Sequence[SSAValue]:
        """The elements of a vector; a scalar has itself as its only one."""
        return self._of[value] if is_vector(value.type) else (value,)

    def __setitem__(self, value: SSAValue, elements: Sequence[SSAValue]) -> None:
        assert len(elements) == count(value.type), "every element of a vector has a scalar"
        self._of[value] = elements


Handler = Callable[[Any, Elements, Builder], None]
"""Lowers one operation, whose operands have elements, and sets those of its results."""

Handlers = Mapping[type[Operation], Handler]


def is_vector(type_: Attribute) -> bool:
    """Whether values of a type are vectors."""
    return isinstance(type_, VectorType)


def element(type_: Attribute) -> Attribute:
    """The type of the elements of a vector; scalars have their own."""
    return type_.element_type if isinstance(type_, VectorType) else type_


def shape(type_: Attribute) -> tuple[int, ...]:
    """The extents of a vector; a scalar has none."""
    return tuple(type_.get_shape()) if isinstance(type_, VectorType) else ()


def count(type_: Attribute) -> int:
    """The number of elements."""
    return prod(shape(type_))


def points(type_: Attribute) -> list[tuple[int, ...]]:
    """The indices of all elements in order."""
    return list(product(*map(range, shape(type_))))


def refuse_unknown(op: Operation) -> None:
    """Check the vectors that an operation makes.

    Raises:
        PassFailedException: one is scalable, or has too many elements.
    """
    for result in op.results:
        if not isinstance(result.type, VectorType):
            continue
        if any(flag.value.data for flag in result.type.scalable_dims):
            raise PassFailedException(
                f"'{op.name}' op makes {result.type}: scalable vectors have no size at compile time"
            )
        if count(result.type) > MOST_ELEMENTS:
            raise PassFailedException(
                f"'{op.name}' op makes {result.type}: vectors of more than {MOST_ELEMENTS} elements are not lowered; "
                "vectorise with smaller ones (virtual-vector-size)"
            )


def zero(build: Builder, type_: Attribute) -> SSAValue:
    """0 of a scalar type."""
    value = FloatAttr(0.0, type_) if isinstance(type_, AnyFloat) else IntegerAttr(0, type_)  # pyright: ignore
    return build.insert(arith.ConstantOp(value)).result


def shifted(build: Builder, index: SSAValue, by: int) -> SSAValue:
    """An index plus a number."""
    number = const_evaluate_operand(index)
    if number is not None or by == 0:
        return index if by == 0 else _index(build, (number or 0) + by)
    return build.insert(arith.AddiOp(index, _index(build, by))).result


def _index(build: Builder, value: int) -> SSAValue:
    return build.insert(arith.ConstantOp(IntegerAttr(value, IndexType()))).result
