"""Numbers and initialisers as C writes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.dialects.emitc import EmitC_OpaqueAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from .types import is_unsigned

_COLUMNS = 98
_INT_BITS = 32
"""Width of `int` on every target; narrower literals need no suffix."""

_BYTES = {number: str(number) for number in range(-128, 256)}
"""Most weights are bytes, millions of them: looking up their text is four times as fast as making it."""


def literal(value: Attribute) -> str:
    """An attribute as a C expression; negative numbers begin with a minus sign.

    Raises:
        DiagnosticException: the attribute has no literal in C.
    """
    match value:
        case EmitC_OpaqueAttr():
            return value.value.data
        case IntegerAttr() if value.type == i1:
            return "true" if value.value.data else "false"
        case IntegerAttr():
            return integer(value.value.data, value.type)
        case FloatAttr():
            return floating(value.value.data, "f" if isinstance(value.type, Float32Type) else "")
        case StringAttr():
            return value.data
        case _:
            raise DiagnosticException(f"target c: {value} has no literal in C")


def integer(value: int, type: Attribute) -> str:
    """An integer literal of `type`."""
    width = type.width.data if isinstance(type, IntegerType) else _INT_BITS
    if is_unsigned(type):
        return f"UINT64_C({value})" if width > _INT_BITS else f"{value}u"
    if value == -(1 << (width - 1)) and width >= _INT_BITS:
        # The literal without its sign would not fit the type.
        return "INT32_MIN" if width == _INT_BITS else "INT64_MIN"
    if width > _INT_BITS and not -(1 << 31) < value < 1 << 31:
        return f"INT64_C({value})" if value >= 0 else f"-INT64_C({-value})"
    return str(value)


def floating(value: float, suffix: str) -> str:
    """A floating-point literal that reads back as the same number."""
    if math.isnan(value):
        return f"(0.0{suffix} / 0.0{suffix})"
    if math.isinf(value):
        return f"(1.0{suffix} / 0.0{suffix})" if value > 0 else f"(-1.0{suffix} / 0.0{suffix})"
    text = f"{value:.9g}" if suffix else repr(value)
    return f"{text}{'' if any(c in text for c in '.e') else '.0'}{suffix}"


def initialiser(value: Attribute) -> str:
    """The initialiser of a global: a literal, or nested braces in rows of readable width."""
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return literal(value)
    array = dense_array(value)
    if not array.any():
        return "{0}"
    return _braces(array, _element_text(value, array))


def dense_array(value: DenseIntOrFPElementsAttr) -> np.ndarray[Any, Any]:
    """The elements in their shape, from the attribute's bytes; splats are spread."""
    element, shape = value.get_element_type(), value.get_shape()
    if isinstance(element, IntegerType):
        bits = max(8, element.width.data)
        dtype = f"<{'u' if is_unsigned(element) else 'i'}{bits // 8}"
    else:
        dtype = "<f8" if isinstance(element, Float64Type) else "<f4"
    flat = np.frombuffer(value.data.data, dtype)
    return np.broadcast_to(flat, shape) if flat.size == 1 else flat.reshape(shape)


def _element_text(value: DenseIntOrFPElementsAttr, array: np.ndarray[Any, Any]) -> Callable[[Any], str]:
    element = value.get_element_type()
    if not isinstance(element, IntegerType):
        suffix = "f" if isinstance(element, Float32Type) else ""
        return lambda number: floating(number, suffix)
    if element.width.data == 8:
        return _BYTES.__getitem__
    if element.width.data < _INT_BITS or (array.dtype == np.int32 and array.min() > -(1 << (_INT_BITS - 1))):
        # Words of weights are many, too: none of them has a suffix.
        return str
    return lambda number: integer(number, element)


def _braces(array: np.ndarray[Any, Any], text: Callable[[Any], str], indent: str = "  ") -> str:
    if array.ndim > 1:
        rows = f",\n{indent}".join(_braces(row, text, f"{indent}  ") for row in array)
        return f"{{\n{indent}{rows},\n{indent[2:]}}}"
    return f"{{\n{_wrapped(list(map(text, array.tolist())), indent)}\n{indent[2:]}}}"


def _wrapped(words: Sequence[str], indent: str) -> str:
    """The words in rows of equally many, at most `_COLUMNS` wide."""
    widest = max(map(len, words))
    per_row = max(1, (_COLUMNS - len(indent)) // (widest + 2))
    rows = (words[i : i + per_row] for i in range(0, len(words), per_row))
    return "\n".join(f"{indent}{', '.join(row)}," for row in rows)
