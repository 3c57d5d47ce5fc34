"""Elements of TOSA's constants, and element types."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.nn.quantised import UI8
from ..reasons import Unsupported

Array = npt.NDArray[np.generic]

MOST_KNOWN = 1 << 26
"""Elements that a tensor may have whose elements are known when a model is compiled."""

ELEMENTS: tuple[Attribute, ...] = (i1, i8, UI8, i16, i32, i64, f32)
"""Element types that tensors may have when the model runs."""

_STORED: Mapping[int, npt.DTypeLike] = {1: np.int8, 4: np.int8, 8: np.int8, 16: np.int16, 32: np.int32, 48: np.int64}


def verify_known(shape: Iterable[int]) -> None:
    """Check the size of what is made when a model is compiled, before it is made.

    Raises:
        Unsupported: it is too large.
    """
    count = math.prod(shape)
    if count > MOST_KNOWN:
        raise Unsupported(f"constants of {count} elements cannot be compiled")


def array_of(value: DenseIntOrFPElementsAttr) -> Array:
    """The elements; integers are signed unless their type says otherwise, those of 48 bits have 64.

    Raises:
        Unsupported: the element type has no equivalent.
    """
    type: Any = value.type
    element, shape = type.get_element_type(), type.get_shape()
    if isinstance(element, IntegerType):
        width = element.width.data
        dtype = np.dtype(_STORED.get(width, np.int64 if width == 64 else np.void))
        if dtype.kind != "V":
            if element.signedness.data is Signedness.UNSIGNED:
                dtype = np.dtype(f"u{dtype.itemsize}")
            array = np.frombuffer(value.data.data, dtype.newbyteorder("<")).reshape(shape)
            return array.astype(np.bool_) if width == 1 else array
    elif isinstance(element, IndexType):
        return np.frombuffer(value.data.data, "<i8").reshape(shape)
    elif element == f64:
        return np.frombuffer(value.data.data, "<f8").reshape(shape).astype(np.float32)
    elif element == f32:
        return np.frombuffer(value.data.data, "<f4").reshape(shape)
    raise Unsupported(f"elements of type {element} cannot be compiled")


def stored_element(element: Attribute) -> Attribute:
    """The type that elements are kept in: bits of 4 in bytes, those of 48 in 64; no sign is a sign.

    TOSA has no float64. torch-mlir computes variances in it, which have float32 here.
    """
    if element == f64:
        return f32
    if isinstance(element, IntegerType):
        width = element.width.data
        if element == UI8:
            return UI8
        return {1: i1, 4: i8, 8: i8, 16: i16, 32: i32, 48: i64, 64: i64}.get(width, element)
    return element


def typed(element: Attribute, shape: Any) -> TensorType[Any]:
    """A tensor type."""
    return TensorType(cast(Any, element), [int(extent) for extent in shape])


def type_of(value: SSAValue) -> TensorType[Any]:
    """The type of a tensor."""
    assert isinstance(value.type, TensorType), "tensors have tensor types"
    return value.type
