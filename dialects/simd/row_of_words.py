"""Memrefs of words that operations walk along."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, NoneAttr, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException


def check_words(memref: SSAValue, least: int) -> None:
    """Check that a memref has at least so many i32 side by side; where its size is not known, it may.

    Raises:
        VerifyException: it has not.
    """
    type = memref.type
    assert isinstance(type, MemRefType), "the operand is a memref"
    shape = type.get_shape()
    if type.element_type != i32 or not isinstance(type.layout, NoneAttr) or len(shape) != 1:
        raise VerifyException(f"words are i32 side by side, not as in {type}")
    if 0 <= shape[0] < least:
        raise VerifyException(f"{least} words are more than {type} has")
