"""Scalars of several element types in one kernel: narrow integers are widened to i32 before anything is done."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Attribute, SSAValue

from ..builder import Scalars


def widest(element: Attribute) -> Attribute:
    """The type that `widened` gives to elements of this type."""
    return i32 if isinstance(element, IntegerType) and element.width.data < i32.width.data else element


def widened(k: Scalars, value: SSAValue) -> SSAValue:
    """A loaded element, sign-extended to i32 if it is a narrower integer; unsigned ones are loaded as i32."""
    type = value.type
    return k.extend(value) if isinstance(type, IntegerType) and type.width.data < i32.width.data else value


def less(k: Scalars, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Whether `lhs < rhs`; false if one of them is NaN."""
    if isinstance(lhs.type, IntegerType):
        return k.compare("slt", lhs, rhs)
    return k.comparef("olt", lhs, rhs)


def equal(k: Scalars, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Whether `lhs == rhs`; false if one of them is NaN."""
    if isinstance(lhs.type, IntegerType):
        return k.compare("eq", lhs, rhs)
    return k.comparef("oeq", lhs, rhs)


def extremum(k: Scalars, acc: SSAValue, value: SSAValue, *, largest: bool, hint: str = "acc") -> SSAValue:
    """The larger (or smaller) of two elements; the first one if they do not compare."""
    if isinstance(acc.type, IntegerType):
        return k.max(acc, value, hint) if largest else k.min(acc, value, hint)
    better = less(k, acc, value) if largest else less(k, value, acc)
    return k.select(better, value, acc, hint)
