"""`memref.global` as a C array."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    TensorType,
    i32,
)
from xdsl.dialects.emitc import EmitC_ArrayType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...targets.c.alignment import ALIGNMENT
from .buffers import elements
from .types import array, c_type


def array_type(op: memref.GlobalOp) -> EmitC_ArrayType:
    """The array, one-dimensional, that holds a global."""
    count = elements(op.type)
    if count == 0:
        raise PassFailedException(f"'{op.name}' op @{op.sym_name.data} has no elements, which no array of C may have")
    return array(count, c_type(op.type.element_type))


def is_constant(op: memref.GlobalOp) -> bool:
    """True for a global that is read-only."""
    return op.constant is not None


def lower_global(op: memref.GlobalOp, name: str, *, extern: bool) -> emitc.GlobalOp:
    """`static const T name[n] = {...};`; public ones are not static; with `extern`, constants are declared only."""
    type = array_type(op)
    constant = is_constant(op)
    value = op.initial_value if isinstance(op.initial_value, DenseIntOrFPElementsAttr) else None
    if constant and extern:
        return emitc.GlobalOp(name, type, None, extern=True, const=True)
    static = op.sym_visibility.data == "private"
    made = emitc.GlobalOp(name, type, None if value is None else _flat(value, type), static=static, const=constant)
    align(made, op.alignment)
    return made


def align(made: Operation, alignment: Attribute | None) -> None:
    """Give an array the alignment in bytes, verified to be a power of two, that its memref asks for, if it does."""
    if alignment is not None:
        made.attributes[ALIGNMENT] = alignment


def _flat(value: DenseIntOrFPElementsAttr, type: EmitC_ArrayType) -> DenseIntOrFPElementsAttr:
    """Return the same bytes with a one-dimensional type; `index` shrinks from 64 bits to 32."""
    data = value.data
    if isinstance(value.get_element_type(), IndexType):
        numbers = [int(number) for number in value.iter_values() if isinstance(number, int)]
        if any(not -(2**31) <= number < 2**31 for number in numbers):
            raise PassFailedException("a global of index type holds a value that does not fit 32 bits")
        data = BytesAttr(i32.pack(numbers))
    return DenseIntOrFPElementsAttr(TensorType(cast("IntegerType", type.element_type), type.get_shape()), data)
