"""The type of a builder's method of two integers: what it returns is known from what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, cast, overload

from xdsl.ir import SSAValue

Value: TypeAlias = int | SSAValue
"""An integer or index known at compile time, or computed at run time."""
Condition: TypeAlias = bool | SSAValue
"""Likewise a condition: an i1 where it is computed at run time."""


class Folded(Protocol):
    """Two Python ints give a Python int; with an SSA value, an int is a constant of its type, and so is the result."""

    @overload
    def __call__(self, lhs: SSAValue, rhs: Value, hint: str | None = None, *, wraps: bool = False) -> SSAValue: ...

    @overload
    def __call__(self, lhs: int, rhs: SSAValue, hint: str | None = None, *, wraps: bool = False) -> SSAValue: ...

    @overload
    def __call__(self, lhs: int, rhs: int, hint: str | None = None, *, wraps: bool = False) -> int: ...


class FoldedMethod(Protocol):
    """A folded function as a method of a class."""

    def __get__(self, instance: object, owner: type) -> Folded: ...


def folded(method: Callable[..., Value]) -> FoldedMethod:
    """Declares that a method of two integers returns a Python int for two of them only, else an SSA value."""
    return cast(FoldedMethod, method)
