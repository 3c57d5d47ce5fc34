"""Integers that C values are known to be, because literals say them."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, SSAValue

from ...dialects import emitc
from .types import unsigned


def known(value: SSAValue) -> int | None:
    """The integer that a value is known to be."""
    owner = value.owner
    if isinstance(owner, emitc.ConstantOp) and isinstance(owner.value, IntegerAttr):
        number = owner.value.value.data
        return number & 1 if value.type == i1 else number
    return None


def is_minimum(value: int, type: Attribute) -> bool:
    """True for the one number of a signed type whose negation overflows."""
    return isinstance(type, IntegerType) and value == -(1 << (type.width.data - 1))


def in_range(value: int, type: IntegerType) -> int:
    """`value` modulo `2**width`, in the range of `type`; signless types are signed, except i1."""
    low, count = _range(type)
    return (value - low) % count + low


@lru_cache
def _range(type: IntegerType) -> tuple[int, int]:
    """The least number of a type, and how many there are."""
    low = 0 if type == i1 or unsigned(type) == type else type.value_range()[0]
    return low, 1 << type.width.data
