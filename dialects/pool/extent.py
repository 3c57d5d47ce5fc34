"""How many bytes buffers take: facts of types that planning, the check and the emitted C must agree on."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, FixedBitwidthType, IndexType, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import PassFailedException

INDEX_BYTES = 4
"""Bytes of an `index`, which is `int32_t` in C."""


def element_bytes(type: MemRefType[Attribute]) -> int:
    """Bytes of one element.

    Raises:
        PassFailedException: elements have no fixed size.
    """
    element = type.element_type
    if isinstance(element, IndexType):
        return INDEX_BYTES
    if not isinstance(element, FixedBitwidthType):
        raise PassFailedException(f"elements of {type} have no fixed size")
    return element.size


def dense_strides(type: MemRefType[Attribute]) -> list[int]:
    """Strides in elements, of a type that begins at its first element.

    Raises:
        PassFailedException: the layout is no strided one, or run time decides it.
    """
    layout = type.layout
    strides = _strides(type)
    if len(strides) != type.get_num_dims() or min(strides, default=0) < 0:
        raise PassFailedException(f"buffer of type {type} has strides that are not known and cannot be planned")
    if isinstance(layout, StridedLayoutAttr) and layout.get_offset() != 0:
        raise PassFailedException(f"buffer of type {type} does not begin at its first element")
    return strides


def _strides(type: MemRefType[Attribute]) -> list[int]:
    """Extents that are known."""
    if not isinstance(type.layout, NoneAttr | StridedLayoutAttr):
        raise PassFailedException(f"the layout of {type} is not strided; mlir-opt --normalize-memrefs makes it dense")
    return [stride for stride in type.get_strides() or () if stride is not None]


def buffer_elements(type: MemRefType[Attribute]) -> int:
    """Elements from the first to behind the last one, gaps between rows included.

    Raises:
        PassFailedException: the shape is dynamic, or the layout is not strided.
    """
    shape = type.get_shape()
    if DYNAMIC_INDEX in shape:
        raise PassFailedException(f"buffer of type {type} has a dynamic shape and cannot be planned")
    return _elements(shape, dense_strides(type))


def _elements(shape: Sequence[int], strides: Sequence[int]) -> int:
    if 0 in shape:
        return 0
    return 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))


def spanned_bytes(type: MemRefType[Attribute]) -> int | None:
    """Bytes from the first element to behind the last one, wherever the first one lies; None if run time decides that.

    Raises:
        PassFailedException: the layout is not strided, or elements have no fixed size.
    """
    shape, strides = type.get_shape(), _strides(type)
    if DYNAMIC_INDEX in shape or len(strides) != len(shape):
        return None
    return _elements(shape, strides) * element_bytes(type)


def buffer_bytes(type: MemRefType[Attribute]) -> int:
    """Bytes that a buffer takes; raises as `buffer_elements` and `element_bytes`."""
    return buffer_elements(type) * element_bytes(type)
