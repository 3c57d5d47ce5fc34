"""Pointers to bytes that become pointers to wider elements."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.dialects.emitc import EmitC_ArrayType, EmitC_PointerType
from xdsl.ir import Attribute

from ...dialects import emitc
from .types import type_name


def through_void(op: emitc.CastOp) -> str:
    """The cast to `void *` before one to a pointer to wider elements, else nothing.

    The planner aligned the place; compilers of processors that need alignment cannot know it, and warn of the cast.
    """
    target, source = op.dest.type, op.source.type
    if not isinstance(target, EmitC_PointerType) or not isinstance(source, EmitC_PointerType | EmitC_ArrayType):
        return ""
    element = source.pointee_type if isinstance(source, EmitC_PointerType) else source.get_element_type()
    if _bits(target.pointee_type) <= _bits(element):
        return ""
    return "(const void *)" if type_name(target.pointee_type).startswith("const ") else "(void *)"


def _bits(type: Attribute) -> int:
    match type:
        case IntegerType():
            return max(8, type.width.data)
        case Float32Type():
            return 32
        case Float64Type():
            return 64
        case _:
            # Opaque: the name alone says it.
            spelled = type_name(type).removeprefix("const ")
            digits = "".join(letter for letter in spelled if letter.isdigit())
            return int(digits) if digits else {"float": 32, "double": 64}.get(spelled, 8)
