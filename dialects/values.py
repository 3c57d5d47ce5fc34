"""Arguments of constructors, and attributes from plain Python values: None and False say that there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, FloatAttr, IntegerAttr, IntegerType, UnitAttr, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue

Value: TypeAlias = SSAValue | Operation
"""Argument of constructors for an operand: a value, or an operation for its only result."""

Properties: TypeAlias = Mapping[str, Attribute | None]
"""Properties by name; None for those that an operation does not have."""


def flag(present: bool) -> UnitAttr | None:
    """Value of a flag that is set."""
    return UnitAttr() if present else None


def integer(value: int | None, type: IntegerType = i32) -> IntegerAttr | None:
    """An integer attribute."""
    return None if value is None else IntegerAttr(value, type)


def real(value: float | None, type: AnyFloat = f32) -> FloatAttr | None:
    """A float attribute."""
    return None if value is None else FloatAttr(value, type)


def integers(values: Sequence[int] | None, type: IntegerType = i32) -> DenseArrayBase | None:
    """A dense array of integers."""
    return None if values is None else DenseArrayBase.from_list(type, values)


def reals(values: Sequence[float] | None) -> DenseArrayBase | None:
    """A dense array of float32."""
    return None if values is None else DenseArrayBase.from_list(f32, values)
