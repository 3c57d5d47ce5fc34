"""Storage of elements: loops know signless integers of whole bytes and floats only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
    i1,
    i8,
)
from xdsl.ir import Attribute

from ...dialects import nn_keys
from ...dialects.nn.quantised import UI8

_NAMES: Mapping[Attribute, str] = {UI8: "uint8", i1: "bool"}
"""Types that share their storage with another one, by the name of what the bytes mean."""


def storage_type(element: Attribute) -> Attribute:
    """The element type of the memref: i8 for truth values (0 or 1) and for unsigned bytes."""
    return i8 if element in _NAMES else element


def stored(value: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr:
    """A constant as it lies in memory."""
    type = value.type
    assert isinstance(type, TensorType), "constants are tensors"
    element = cast("IntegerType | AnyFloat", storage_type(type.get_element_type()))
    return DenseIntOrFPElementsAttr(TensorType(element, type.get_shape()), value.data)


def meaning(element: Attribute) -> dict[str, Attribute]:
    """The attribute `nn.dtype` of an entry function's argument whose storage does not tell its type."""
    return nn_keys.DTYPE.item(_NAMES[element]) if element in _NAMES else {}


def is_unsigned(element: Attribute) -> bool:
    """Whether elements are widened with zeros."""
    return element in _NAMES
