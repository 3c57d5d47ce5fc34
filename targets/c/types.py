"""How C spells types and declarations."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type, IndexType, IntegerType, Signedness
from xdsl.dialects.emitc import (
    EmitC_ArrayType,
    EmitC_LValueType,
    EmitC_OpaqueType,
    EmitC_PointerType,
    EmitC_PtrDiffT,
    EmitC_SignedSizeT,
    EmitC_SizeT,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException


def type_name(type: Attribute) -> str:
    """A type as it stands in a cast, such as `const int8_t *`.

    Raises:
        DiagnosticException: C has no such type.
    """
    return declaration(type, "")


def declaration(type: Attribute, name: str) -> str:
    """`name` declared with `type`, without semicolon: `int8_t *p`, `float a[4]`."""
    if isinstance(type, EmitC_LValueType):
        return declaration(type.value_type, name)
    if isinstance(type, EmitC_ArrayType):
        extents = "".join(f"[{extent}]" for extent in type.get_shape())
        return declaration(type.get_element_type(), f"{name}{extents}")
    if isinstance(type, EmitC_PointerType):
        return declaration(type.pointee_type, f"*{name}")
    spelling = _scalar(type)
    return f"{spelling} {name}" if name else spelling


def _scalar(type: Attribute) -> str:
    match type:
        case IntegerType() if type.width.data == 1:
            return "bool"
        case IntegerType():
            return f"{'u' if is_unsigned(type) else ''}int{type.width.data}_t"
        case Float32Type():
            return "float"
        case Float64Type():
            return "double"
        case EmitC_OpaqueType():
            return type.value.data
        case IndexType() | EmitC_SizeT():
            return "size_t"
        case EmitC_SignedSizeT():
            return "ssize_t"
        case EmitC_PtrDiffT():
            return "ptrdiff_t"
        case _:
            raise DiagnosticException(f"target c: type {type} has no spelling in C")


def is_unsigned(type: Attribute) -> bool:
    """Whether an integer type counts as unsigned; signless types are signed."""
    return isinstance(type, IntegerType) and type.signedness.data is Signedness.UNSIGNED


def without_const(type: Attribute) -> str:
    """The type's name without the qualifier of the value itself, which means nothing for values."""
    return type_name(type).removeprefix("const ")
