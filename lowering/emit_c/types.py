"""Types of level 4: what a builtin type is called in the emitc dialect."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    i32,
)
from xdsl.dialects.emitc import EmitC_ArrayType, EmitC_LValueType, EmitC_OpaqueType, EmitC_PointerType, EmitCIntegerType
from xdsl.ir import Attribute, TypeAttribute
from xdsl.utils.exceptions import PassFailedException

from ...dialects.external.types import RunType
from ...dialects.simd.lanes import LanesType, SixteenType
from ...targets.c.types import type_name

RUN = "external_run"
"""The struct of what external functions of one run share; emitted where there are any."""
VECTORS: dict[type[Attribute], str] = {LanesType: "simd_lanes", SixteenType: "simd_sixteen"}
"""Vectors where the processor has them, else structs; emitted where there are any."""

_WIDTHS = (8, 16, 32, 64)


def c_type(type: Attribute) -> TypeAttribute:
    """Type of a scalar in C: `index` is i32, integers and floats are themselves, `!external.run` is a pointer,
    vectors are types that the unit defines.

    Raises PassFailedException for a type that C has not (i4, f16, vectors, tensors ...).
    """
    if isinstance(type, IndexType):
        return i32
    if isinstance(type, IntegerType):
        width = type.width.data
        if width in _WIDTHS or (width == 1 and type.signedness.data is Signedness.SIGNLESS):
            return type
    if isinstance(type, Float32Type | Float64Type):
        return type
    if isinstance(type, RunType):
        return EmitC_PointerType(EmitC_OpaqueType(StringAttr(RUN)))
    if (vector := VECTORS.get(type.__class__)) is not None:
        return EmitC_OpaqueType(StringAttr(vector))
    raise PassFailedException(f"type {type} has no equivalent in C")


@lru_cache
def pointer(element: TypeAttribute, *, const: bool) -> EmitC_PointerType:
    """`T *`, or `const T *`."""
    return EmitC_PointerType(const_of(element) if const else element)


@lru_cache
def const_of(element: Attribute) -> EmitC_OpaqueType:
    """`const T`, an opaque type: emitc has no qualifiers."""
    return EmitC_OpaqueType(StringAttr(f"const {type_name(element)}"))


def is_const_pointer(type: Attribute) -> bool:
    """True for what `pointer(..., const=True)` builds."""
    return isinstance(type, EmitC_PointerType) and isinstance(type.pointee_type, EmitC_OpaqueType)


@lru_cache
def unsigned(type: Attribute) -> IntegerType:
    """The unsigned integer type of the same width."""
    assert isinstance(type, IntegerType), "only integers have an unsigned counterpart"
    return IntegerType(type.width.data, Signedness.UNSIGNED)


@lru_cache
def wrapping(type: Attribute) -> IntegerType:
    """The type in which arithmetic modulo `2**width` is defined in C.

    At least 32 bits wide: narrower operands are promoted to `int`, in which `65535 * 65535` overflows.
    """
    assert isinstance(type, IntegerType), "only integers wrap around"
    return IntegerType(max(32, type.width.data), Signedness.UNSIGNED)


def bits(type: Attribute) -> int:
    """Width of an integer type."""
    assert isinstance(type, IntegerType), "only integers have a width"
    return type.width.data


def byte_width(type: Attribute) -> int:
    """Bytes of a scalar in C."""
    match type := c_type(type):
        case IntegerType():
            return max(1, type.width.data // 8)
        case Float32Type():
            return 4
        case _:
            return 8


def is_bool(type: Attribute) -> bool:
    """True for i1."""
    return isinstance(type, IntegerType) and type.width.data == 1


def is_narrow(type: Attribute) -> bool:
    """True for integers that C's arithmetic promotes to `int`."""
    return isinstance(type, IntegerType) and 1 < type.width.data < 32


@lru_cache
def lvalue(type: Attribute) -> EmitC_LValueType:
    """Type of something that can be assigned to."""
    return EmitC_LValueType(type)


def array(elements: int, element: Attribute) -> EmitC_ArrayType:
    """`T [elements]`."""
    return EmitC_ArrayType((elements,), cast("EmitCIntegerType", element))


def memref_type(type: Attribute) -> MemRefType:
    """Narrow to a ranked memref, the only kind that is lowered; raises PassFailedException."""
    if isinstance(type, MemRefType):
        return type
    raise PassFailedException(f"type {type} cannot be lowered to C: only ranked memrefs can")
